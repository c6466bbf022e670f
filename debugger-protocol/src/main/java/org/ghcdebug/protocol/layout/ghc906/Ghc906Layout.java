package org.ghcdebug.protocol.layout.ghc906;

import org.ghcdebug.protocol.layout.ClosureLayout;
import org.ghcdebug.protocol.layout.TsoLayout;
import org.ghcdebug.protocol.target.ProfilingMode;

/** Layouts of GHC 9.6. */
public final class Ghc906Layout {
  private Ghc906Layout() {}

  public static ClosureLayout of(ProfilingMode profiling) {
    return new ClosureLayout(906, profiling, 65, TsoLayout.WITH_LABEL);
  }
}
