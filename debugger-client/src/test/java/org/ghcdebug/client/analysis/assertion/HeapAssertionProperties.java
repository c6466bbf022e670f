package org.ghcdebug.client.analysis.assertion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.BitSet;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.ghcdebug.client.analysis.dominator.Dominators;
import org.ghcdebug.client.index.HeapGraph;
import org.ghcdebug.client.query.ClosureFacts;
import org.ghcdebug.client.testing.NaiveHeap;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.protocol.closure.Closure;
import org.ghcdebug.protocol.target.GhcVersion;
import org.ghcdebug.protocol.target.ProfilingMode;
import org.ghcdebug.protocol.target.Target;

class HeapAssertionProperties {
  private static final Target TARGET = new Target(new GhcVersion(906, 6), ProfilingMode.VANILLA);

  @Property(tries = 200)
  void oneClosureRetainsWhatItDominates(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 60) int closures) {
    try (NaiveHeap heap = NaiveHeap.random(TARGET, seed, closures)) {
      HeapGraph graph = heap.copy().graph(Work.UNATTENDED);
      Dominators dominators = Dominators.of(graph, Work.UNATTENDED);
      for (int id = 0; id < graph.size(); id++) {
        BitSet one = new BitSet();
        one.set(id);

        assertEquals(
            dominators.retainedBytes(id), RetainedTogether.bytes(graph, one, Work.UNATTENDED));
      }
    }
  }

  @Property(tries = 200)
  void severalRetainAtLeastWhatEachDoesAndAllRetainEverything(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 60) int closures) {
    try (NaiveHeap heap = NaiveHeap.random(TARGET, seed, closures)) {
      HeapGraph graph = heap.copy().graph(Work.UNATTENDED);
      Random random = new Random(seed);
      BitSet some = new BitSet();
      for (int i = 0; i < 5; i++) {
        some.set(random.nextInt(graph.size()));
      }
      long together = RetainedTogether.bytes(graph, some, Work.UNATTENDED);
      BitSet none = new BitSet();
      BitSet all = new BitSet();
      all.set(0, graph.size());

      Dominators dominators = Dominators.of(graph, Work.UNATTENDED);
      some.stream().forEach(id -> assertTrue(together >= dominators.retainedBytes(id)));
      assertEquals(0, RetainedTogether.bytes(graph, none, Work.UNATTENDED));
      assertEquals(graph.totalBytes(), RetainedTogether.bytes(graph, all, Work.UNATTENDED));
    }
  }

  @Property(tries = 200)
  void comparesWhatCountingFinds(@ForAll long seed) {
    try (NaiveHeap heap = NaiveHeap.random(TARGET, seed, 60)) {
      List<Closure> small =
          heap.closures().stream().filter(closure -> closure.sizeWords() < 4).toList();
      long bytes = 8 * small.stream().mapToLong(Closure::sizeWords).sum();

      assertEquals(small.size(), outcome(heap, "count(size < 32) >= 0").actual());
      assertEquals(bytes, outcome(heap, "bytes(size < 32) >= 0").actual());
      assertTrue(outcome(heap, "count(size < 32) = " + small.size()).holds());
      assertFalse(outcome(heap, "count(size < 32) != " + small.size()).holds());
      assertFalse(outcome(heap, "bytes(size < 32) < " + bytes).holds());
      assertEquals(
          heap.closures().size(),
          outcome(heap, "reachable(size > 0, from: size > 0) > 0").actual());
      assertFalse(outcome(heap, "reachable(size > 0, from: size = 1) = 0").holds());
    }
  }

  private static HeapAssertion.Outcome outcome(NaiveHeap heap, String text) {
    return HeapAssertion.parse(text)
        .test(
            heap.copy(),
            filter -> filter.on(heap.heap(), ClosureFacts.NONE),
            () -> heap.copy().graph(Work.UNATTENDED),
            Work.UNATTENDED);
  }

  @Example
  void readsWhatIsAsserted() {
    HeapAssertion assertion =
        HeapAssertion.parse(" reachable(Main.Session and (size > 1KiB), from: Server) <= 1.5 KiB ");

    assertEquals(HeapAssertion.Figure.REACHABLE, assertion.figure());
    assertEquals("Main.Session and (size > 1KiB)", assertion.filter().toString());
    assertEquals("Server", String.valueOf(assertion.from()));
    assertEquals(1536, assertion.expected());
    assertTrue(assertion.isUpperBound());
    assertFalse(HeapAssertion.parse("count(Bin) > 3").isUpperBound());
  }

  @Example
  void saysWhatIsNoAssertion() {
    for (String text :
        List.of(
            "count(Bin)",
            "count Bin < 3",
            "size(Bin) < 3",
            "count() < 3",
            "count(Bin) < many",
            "reachable(Bin) = 0",
            "count(Bin) ~ 3")) {
      assertThrows(IllegalArgumentException.class, () -> HeapAssertion.parse(text), text);
    }
  }
}
