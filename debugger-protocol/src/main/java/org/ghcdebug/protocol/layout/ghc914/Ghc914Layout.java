package org.ghcdebug.protocol.layout.ghc914;

import org.ghcdebug.protocol.layout.ClosureLayout;
import org.ghcdebug.protocol.layout.TsoLayout;
import org.ghcdebug.protocol.target.ProfilingMode;

/** Layouts of GHC 9.14. */
public final class Ghc914Layout {
  private Ghc914Layout() {}

  public static ClosureLayout of(ProfilingMode profiling) {
    return new ClosureLayout(914, profiling, 66, TsoLayout.WIDE_WHY_BLOCKED);
  }
}
