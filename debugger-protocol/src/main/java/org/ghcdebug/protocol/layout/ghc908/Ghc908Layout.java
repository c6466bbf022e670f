package org.ghcdebug.protocol.layout.ghc908;

import org.ghcdebug.protocol.layout.ClosureLayout;
import org.ghcdebug.protocol.layout.TsoLayout;
import org.ghcdebug.protocol.target.ProfilingMode;

/** Layouts of GHC 9.8. */
public final class Ghc908Layout {
  private Ghc908Layout() {}

  public static ClosureLayout of(ProfilingMode profiling) {
    return new ClosureLayout(908, profiling, 65, TsoLayout.WITH_LABEL);
  }
}
