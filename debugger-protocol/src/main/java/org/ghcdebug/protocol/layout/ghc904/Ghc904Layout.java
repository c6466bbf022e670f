package org.ghcdebug.protocol.layout.ghc904;

import org.ghcdebug.protocol.layout.ClosureLayout;
import org.ghcdebug.protocol.layout.TsoLayout;
import org.ghcdebug.protocol.target.ProfilingMode;

/** Layouts of GHC 9.4. */
public final class Ghc904Layout {
  private Ghc904Layout() {}

  public static ClosureLayout of(ProfilingMode profiling) {
    return new ClosureLayout(904, profiling, 64, TsoLayout.WITHOUT_LABEL);
  }
}
