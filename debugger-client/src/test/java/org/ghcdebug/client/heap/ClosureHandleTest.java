package org.ghcdebug.client.heap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.ghcdebug.client.testing.StubHeapSource;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.protocol.closure.Closure;
import org.ghcdebug.protocol.error.CanceledException;
import org.ghcdebug.protocol.error.SourceUnavailableException;
import org.ghcdebug.protocol.target.GhcVersion;
import org.ghcdebug.protocol.target.ProfilingMode;
import org.ghcdebug.protocol.target.Target;
import org.ghcdebug.stub.heap.BuiltHeap;
import org.ghcdebug.stub.heap.HaskellValues;
import org.ghcdebug.stub.heap.HeapBuilder;
import org.ghcdebug.stub.heap.Ref;
import org.junit.jupiter.api.Test;

class ClosureHandleTest {
  private final HeapBuilder builder =
      new HeapBuilder(new Target(new GhcVersion(906, 6), ProfilingMode.VANILLA));
  private final HaskellValues values = new HaskellValues(builder);

  private Heap heapOf(Ref saved) {
    builder.save(saved);
    return new Heap(new StubHeapSource(builder.build()));
  }

  private static ClosureHandle saved(Heap heap) {
    return heap.handle(heap.savedObjects().get(0));
  }

  @Test
  void aListIsWalkedCellByCell() {
    ClosureHandle cell =
        saved(
            heapOf(values.list(values.integral(300), values.integral(301), values.integral(302))));
    long sum = 0;
    while (cell.name().equals("GHC.Types.:")) {
      sum += ((Closure.Constr) cell.child(0).closure()).nonPointers().get(0);
      cell = cell.child(1);
    }
    assertEquals(903, sum);
  }

  @Test
  void childrenComeInTheOrderOfTheFields() {
    ClosureHandle pair = saved(heapOf(values.tuple(values.integral(300), values.character('x'))));

    assertEquals(
        List.of("GHC.Types.I#", "GHC.Types.C#"),
        pair.children().stream().map(ClosureHandle::name).toList());
  }

  @Test
  void theValueOfAnIndirectionIsWhatItLeadsTo() {
    Ref number = values.integral(300);
    ClosureHandle indirection = saved(heapOf(builder.ind(builder.ind(number))));

    assertEquals("GHC.Types.I#", indirection.value().name());
  }

  @Test
  void aThreadIsCalledByItsNumberAndLabel() {
    ClosureHandle thread =
        saved(heapOf(builder.thread(builder.stack(0, builder.stopFrame()), "größer")));

    assertEquals("thread 1 \"größer\"", thread.name());
  }

  @Test
  void everythingReachableComesOnceThoughThereAreCycles() {
    Ref cycle = builder.declare();
    Ref shared = values.integral(300);
    builder.define(cycle, values.tuple(shared, shared, cycle));
    builder.save(cycle);
    BuiltHeap built = builder.build();
    Heap heap = new Heap(new StubHeapSource(built));

    List<Long> reached =
        saved(heap).reachable(Work.UNATTENDED).map(ClosureHandle::address).toList();

    assertEquals(2, reached.size());
    assertEquals(
        built.liveClosures().stream()
            .map(closure -> closure.address().address())
            .collect(Collectors.toCollection(TreeSet::new)),
        new TreeSet<>(reached));
  }

  @Test
  void aStreamStopsWhenItsWorkIsCanceled() {
    ClosureHandle list = saved(heapOf(values.list(values.integral(300), values.integral(301))));
    Work canceled =
        new Work() {
          @Override
          public void progress(String phase, long done, long total) {}

          @Override
          public void checkStopped() {
            throw new CanceledException("the walk");
          }
        };

    assertThrows(CanceledException.class, () -> list.reachable(canceled).count());
  }

  @Test
  void aHandleIsRefusedWhenItsViewHasEnded() {
    Heap heap = heapOf(values.integral(300));
    ClosureHandle number = saved(heap);
    assertEquals("GHC.Types.I#", number.name());

    heap.end();

    SourceUnavailableException refused =
        assertThrows(SourceUnavailableException.class, number::closure);
    assertTrue(refused.getMessage().contains("take a new view"), refused.getMessage());
  }
}
