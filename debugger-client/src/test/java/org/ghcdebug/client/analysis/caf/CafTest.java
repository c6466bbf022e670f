package org.ghcdebug.client.analysis.caf;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.ghcdebug.client.analysis.dominator.Dominators;
import org.ghcdebug.client.heap.Heap;
import org.ghcdebug.client.index.ClosureSelection;
import org.ghcdebug.client.index.HeapCopy;
import org.ghcdebug.client.index.HeapGraph;
import org.ghcdebug.client.testing.StubHeapSource;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.protocol.target.GhcVersion;
import org.ghcdebug.protocol.target.ProfilingMode;
import org.ghcdebug.protocol.target.Target;
import org.ghcdebug.stub.heap.BuiltHeap;
import org.ghcdebug.stub.heap.HeapBuilder;
import org.ghcdebug.stub.heap.Ref;
import org.junit.jupiter.api.Test;

class CafTest {
  private final HeapBuilder builder =
      new HeapBuilder(new Target(new GhcVersion(906, 6), ProfilingMode.VANILLA));

  @Test
  void tellsHowFarEachIsAndWhatItHolds() {
    Ref table = builder.byteArray(new byte[80]); // 12 words
    Ref evaluated =
        builder.evaluatedCaf(
            builder.constr(builder.constructor("main:Main.Table", 1, 0, 0), table));
    Ref thread = builder.thread(builder.stack(0, builder.stopFrame()), "main");
    Ref begun = builder.evaluatedCaf(builder.blackHole(thread, 0));
    Ref unused =
        builder.caf(builder.topLevelThunk().withSource("Int", "limit", "Main", "Main.hs:1:1-9"));
    builder.root(evaluated).root(begun).root(unused);
    BuiltHeap built = builder.build();

    try (HeapCopy copy = HeapCopy.take(new StubHeapSource(built), Work.UNATTENDED)) {
      HeapGraph graph = copy.graph(Work.UNATTENDED);
      List<Caf> cafs =
          Caf.list(
              new Heap(copy),
              copy,
              graph,
              Dominators.of(graph, Work.UNATTENDED),
              ClosureSelection.ALL,
              Work.UNATTENDED);
      Map<Caf.State, Caf> byState = cafs.stream().collect(Collectors.toMap(Caf::state, caf -> caf));

      assertEquals(3, cafs.size());
      assertEquals("Main.Table", byState.get(Caf.State.EVALUATED).value());
      assertEquals(8 * (2 + 2 + 12), byState.get(Caf.State.EVALUATED).retainedBytes());
      assertEquals(byState.get(Caf.State.EVALUATED), cafs.getFirst());
      assertEquals("BLACKHOLE", byState.get(Caf.State.UNDER_EVALUATION).value());
      assertEquals("Main.limit", byState.get(Caf.State.NOT_EVALUATED).name());
      assertEquals("", byState.get(Caf.State.NOT_EVALUATED).value());
    }
  }
}
