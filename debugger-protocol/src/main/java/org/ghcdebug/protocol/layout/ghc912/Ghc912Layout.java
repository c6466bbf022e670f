package org.ghcdebug.protocol.layout.ghc912;

import org.ghcdebug.protocol.layout.ClosureLayout;
import org.ghcdebug.protocol.layout.TsoLayout;
import org.ghcdebug.protocol.target.ProfilingMode;

/** Layouts of GHC 9.12. */
public final class Ghc912Layout {
  private Ghc912Layout() {}

  public static ClosureLayout of(ProfilingMode profiling) {
    return new ClosureLayout(912, profiling, 65, TsoLayout.WIDE_WHY_BLOCKED);
  }
}
