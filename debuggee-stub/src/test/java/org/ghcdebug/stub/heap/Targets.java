package org.ghcdebug.stub.heap;

import java.util.List;
import java.util.stream.Stream;
import org.ghcdebug.protocol.target.GhcVersion;
import org.ghcdebug.protocol.target.ProfilingMode;
import org.ghcdebug.protocol.target.Target;

/** The GHCs and ways whose heaps are to be read. */
final class Targets {
  private static final List<Integer> SERIES = List.of(902, 904, 906, 908, 910, 912, 914);

  private Targets() {}

  static Stream<Target> all() {
    return SERIES.stream()
        .flatMap(
            series ->
                Stream.of(ProfilingMode.values())
                    .filter(mode -> mode != ProfilingMode.ERA || series >= 910)
                    .map(mode -> new Target(new GhcVersion(series, 1), mode)));
  }
}
