package org.ghcdebug.protocol.layout.ghc902;

import org.ghcdebug.protocol.layout.ClosureLayout;
import org.ghcdebug.protocol.layout.TsoLayout;
import org.ghcdebug.protocol.target.ProfilingMode;

/** Layouts of GHC 9.2. */
public final class Ghc902Layout {
  private Ghc902Layout() {}

  public static ClosureLayout of(ProfilingMode profiling) {
    return new ClosureLayout(902, profiling, 64, TsoLayout.WITHOUT_LABEL);
  }
}
