package org.ghcdebug.client.testing;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import org.ghcdebug.client.index.HeapCopy;
import org.ghcdebug.client.index.HeapGraph;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.protocol.target.GhcVersion;
import org.ghcdebug.protocol.target.ProfilingMode;
import org.ghcdebug.protocol.target.Target;
import org.ghcdebug.stub.heap.RandomHeap;

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

  private static HeapGraph of(Target target, long seed, int closures) {
    var source = new StubHeapSource(RandomHeap.of(target, seed, closures));
    try (HeapCopy copy = HeapCopy.take(source, Work.UNATTENDED)) {
      return copy.graph(Work.UNATTENDED);
    }
  }
}
