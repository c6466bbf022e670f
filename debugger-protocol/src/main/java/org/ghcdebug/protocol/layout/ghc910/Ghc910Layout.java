package org.ghcdebug.protocol.layout.ghc910;

import org.ghcdebug.protocol.layout.ClosureLayout;
import org.ghcdebug.protocol.layout.TsoLayout;
import org.ghcdebug.protocol.target.ProfilingMode;

/** Layouts of GHC 9.10. */
public final class Ghc910Layout {
  private Ghc910Layout() {}

  public static ClosureLayout of(ProfilingMode profiling) {
    return new ClosureLayout(910, profiling, 65, TsoLayout.WIDE_WHY_BLOCKED);
  }
}
