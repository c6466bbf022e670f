package org.ghcdebug.client.source.snapshot;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Provide;
import net.jqwik.api.domains.DomainContextBase;
import org.ghcdebug.protocol.target.GhcVersion;
import org.ghcdebug.protocol.target.ProfilingMode;
import org.ghcdebug.protocol.target.Target;
import org.ghcdebug.stub.heap.BuiltHeap;
import org.ghcdebug.stub.heap.RandomHeap;

/** Heaps of every GHC and way. */
final class HeapDomain extends DomainContextBase {
  @Provide
  Arbitrary<BuiltHeap> heaps() {
    return Combinators.combine(
            Arbitraries.of(902, 904, 906, 908, 910, 912, 914),
            Arbitraries.of(ProfilingMode.class),
            Arbitraries.longs(),
            Arbitraries.integers().between(1, 120))
        .as(
            (series, profiling, seed, closures) ->
                RandomHeap.of(new Target(new GhcVersion(series, 3), profiling), seed, closures));
  }
}
