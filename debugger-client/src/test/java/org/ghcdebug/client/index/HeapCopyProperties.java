package org.ghcdebug.client.index;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.ghcdebug.client.testing.StubHeapSource;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.protocol.closure.ClosureType;
import org.ghcdebug.protocol.closure.EdgeKind;
import org.ghcdebug.protocol.target.AddressList;
import org.ghcdebug.protocol.target.GhcVersion;
import org.ghcdebug.protocol.target.ProfilingMode;
import org.ghcdebug.protocol.target.Target;
import org.ghcdebug.stub.heap.BlockGroup;
import org.ghcdebug.stub.heap.BuiltClosure;
import org.ghcdebug.stub.heap.BuiltHeap;
import org.ghcdebug.stub.heap.RandomHeap;

class HeapCopyProperties {
  @Provide
  Arbitrary<Target> targets() {
    return Combinators.combine(
            Arbitraries.of(902, 904, 906, 908, 910, 912, 914), Arbitraries.of(ProfilingMode.class))
        .as((series, profiling) -> new Target(new GhcVersion(series, 3), profiling));
  }

  @Property(tries = 500)
  void talliesExactlyWhatTheBuilderSaysIsLive(
      @ForAll("targets") Target target,
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 120) int closures) {
    BuiltHeap heap = RandomHeap.of(target, seed, closures);

    try (HeapCopy copy = HeapCopy.take(new StubHeapSource(heap), Work.UNATTENDED)) {
      HeapTally tally = copy.tally();

      assertTrue(tally.missing().isNone(), () -> tally.missing().toString());
      assertEquals(byInfo(reachable(heap)), byInfo(tally));
    }
  }

  @Property(tries = 100)
  void readsLiveClosuresAsTheyWere(@ForAll("targets") Target target, @ForAll long seed) {
    BuiltHeap heap = RandomHeap.of(target, seed, 60);

    try (HeapCopy copy = HeapCopy.take(new StubHeapSource(heap), Work.UNATTENDED)) {
      for (BuiltClosure live : reachable(heap)) {
        long address = live.address().address();
        assertArrayEquals(heap.closure(address), copy.closures(AddressList.of(address)).getFirst());
      }
    }
  }

  @Property(tries = 50)
  void aCopyOfACopyIsTheSame(@ForAll("targets") Target target, @ForAll long seed) {
    BuiltHeap heap = RandomHeap.of(target, seed, 80);

    try (HeapCopy copy = HeapCopy.take(new StubHeapSource(heap), Work.UNATTENDED);
        HeapCopy again = HeapCopy.take(copy, Work.UNATTENDED)) {
      assertEquals(byInfo(copy.tally()), byInfo(again.tally()));
      assertEquals(copy.image().sizeBytes(), again.image().sizeBytes());
    }
  }

  @Property(tries = 200)
  void whatOneClosureReachesIsAHeapOfItsOwn(
      @ForAll("targets") Target target,
      @ForAll long seed,
      @ForAll @IntRange(min = 0, max = 10_000) int which) {
    BuiltHeap heap = RandomHeap.of(target, seed, 80);
    List<BuiltClosure> live = reachable(heap);
    long from = live.get(which % live.size()).address().address();
    List<BuiltClosure> expected = reachable(heap, LongStream.of(from));

    try (HeapCopy copy = HeapCopy.take(new StubHeapSource(heap), Work.UNATTENDED)) {
      HeapCopy part = copy.reachableFrom(AddressList.of(from), Work.UNATTENDED);

      assertTrue(part.tally().missing().isNone(), () -> part.tally().missing().toString());
      assertEquals(byInfo(expected), byInfo(part.tally()));
      for (Long infoAddr : byInfo(expected).keySet()) {
        assertEquals(
            expected.stream()
                .filter(closure -> closure.code().infoAddr() == infoAddr)
                .map(closure -> closure.address().address())
                .collect(Collectors.toSet()),
            LongStream.of(part.reachableWith(Set.of(infoAddr)).toArray())
                .boxed()
                .collect(Collectors.toSet()));
      }
    }
  }

  private static List<BuiltClosure> reachable(BuiltHeap heap) {
    return reachable(
        heap,
        LongStream.concat(
            Arrays.stream(heap.roots().toArray()), Arrays.stream(heap.savedObjects().toArray())));
  }

  /** The slow way: again and again over all edges and weak pointers until nothing is added. */
  private static List<BuiltClosure> reachable(BuiltHeap heap, LongStream roots) {
    Map<Long, BuiltClosure> reached = new TreeMap<>();
    Deque<Long> pending = new ArrayDeque<>();
    roots.forEach(root -> pending.add(Target.untag(root)));
    while (!pending.isEmpty()) {
      long address = pending.remove();
      if (!reached.containsKey(address)) {
        BuiltClosure closure = heap.built(address);
        reached.put(address, closure);
        closure.edges().stream()
            .filter(edge -> edge.kind().isRetaining())
            .forEach(edge -> pending.add(edge.target().address()));
        BlockGroup group = heap.block(address);
        if (group != null && (group.flags() & BlockGroup.COMPACT) != 0) {
          pending.add(group.contents().getLong(Long.BYTES)); // the region's owner
        }
      }
      if (pending.isEmpty()) {
        reached.values().stream()
            .filter(closure -> closure.code().type() == ClosureType.WEAK)
            .filter(weak -> isAlive(heap, reached, target(weak, EdgeKind.WEAK_KEY)))
            .flatMapToLong(
                weak ->
                    LongStream.of(
                        target(weak, EdgeKind.WEAK_VALUE), target(weak, EdgeKind.WEAK_FINALIZER)))
            .filter(kept -> !reached.containsKey(kept))
            .forEach(pending::add);
      }
    }
    return List.copyOf(reached.values());
  }

  private static boolean isAlive(BuiltHeap heap, Map<Long, BuiltClosure> reached, long address) {
    return reached.containsKey(address) || heap.block(address) == null;
  }

  private static long target(BuiltClosure closure, EdgeKind kind) {
    return closure.edges().stream()
        .filter(edge -> edge.kind() == kind)
        .mapToLong(edge -> edge.target().address())
        .findFirst()
        .orElseThrow();
  }

  private record Total(long count, long bytes) {}

  private static Map<Long, Total> byInfo(List<BuiltClosure> closures) {
    Map<Long, Total> totals = new TreeMap<>();
    for (BuiltClosure closure : closures) {
      totals.merge(
          closure.code().infoAddr(),
          new Total(1, closure.sizeBytes()),
          (a, b) -> new Total(a.count() + b.count(), a.bytes() + b.bytes()));
    }
    return totals;
  }

  private static Map<Long, Total> byInfo(HeapTally tally) {
    Map<Long, Total> totals = new TreeMap<>();
    for (HeapTally.Entry entry : tally.entries()) {
      totals.put(entry.info().address().address(), new Total(entry.count(), entry.bytes()));
    }
    return totals;
  }
}
