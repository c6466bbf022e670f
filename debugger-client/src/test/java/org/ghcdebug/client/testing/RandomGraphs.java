package org.ghcdebug.client.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import org.ghcdebug.client.index.HeapCopy;
import org.ghcdebug.client.index.HeapGraph;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.protocol.target.GhcVersion;
import org.ghcdebug.protocol.target.ProfilingMode;
import org.ghcdebug.protocol.target.Target;
import org.ghcdebug.stub.heap.Code;
import org.ghcdebug.stub.heap.HeapBuilder;
import org.ghcdebug.stub.heap.RandomHeap;
import org.ghcdebug.stub.heap.Ref;

/** Graphs of heaps with cycles, sharing, closures that refer to themselves, and weak pointers. */
public final class RandomGraphs {
  private RandomGraphs() {}

  /** Graphs of random heaps. */
  public static Arbitrary<HeapGraph> small() {
    return Combinators.combine(
            Arbitraries.of(902, 906, 910, 914),
            Arbitraries.of(ProfilingMode.class),
            Arbitraries.longs(),
            Arbitraries.integers().between(1, 100))
        .as(
            (series, profiling, seed, closures) ->
                of(new Target(new GhcVersion(series, 3), profiling), seed, closures));
  }

  /**
   * Graphs in which many shortest ways are long, and their kinds of closures come round again and
   * again: a chain of a few constructors in turns, disturbed here and there, with edges back and
   * some that skip a closure.
   */
  public static Arbitrary<HeapGraph> deep() {
    return Combinators.combine(Arbitraries.longs(), Arbitraries.integers().between(20, 150))
        .as((seed, closures) -> of(new StubHeapSource(chain(new Random(seed), closures).build())));
  }

  private static HeapBuilder chain(Random random, int closures) {
    var heap = new HeapBuilder(new Target(new GhcVersion(910, 3), ProfilingMode.VANILLA));
    List<Code> constructors = new ArrayList<>();
    for (int i = 0; i < 24; i++) {
      constructors.add(heap.constructor("main:Deep.Con" + i, 2, 0, i));
    }
    List<Ref> cells = new ArrayList<>();
    for (int i = 0; i < closures; i++) {
      cells.add(heap.declare());
    }
    int[] round = random.ints(1 + random.nextInt(6), 0, 24).toArray();
    int disturbed = 3 + random.nextInt(40);
    for (int i = 0; i < closures; i++) {
      boolean keepsTurn = random.nextInt(disturbed) > 0;
      Code code = constructors.get(keepsTurn ? round[i % round.length] : random.nextInt(24));
      int other = random.nextInt(10) == 0 ? Math.min(i + 2, closures - 1) : random.nextInt(i + 1);
      Ref next = cells.get(Math.min(i + 1, closures - 1));
      heap.define(cells.get(i), heap.constr(code, next, cells.get(other)));
    }
    return heap.root(cells.getFirst()).save(cells.get(random.nextInt(closures)));
  }

  private static HeapGraph of(Target target, long seed, int closures) {
    return of(new StubHeapSource(RandomHeap.of(target, seed, closures)));
  }

  private static HeapGraph of(StubHeapSource source) {
    try (HeapCopy copy = HeapCopy.take(source, Work.UNATTENDED)) {
      return copy.graph(Work.UNATTENDED);
    }
  }
}
