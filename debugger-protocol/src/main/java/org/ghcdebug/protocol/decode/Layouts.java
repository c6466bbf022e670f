package org.ghcdebug.protocol.decode;

import org.ghcdebug.protocol.error.UnsupportedTargetException;
import org.ghcdebug.protocol.layout.ClosureLayout;
import org.ghcdebug.protocol.layout.ghc902.Ghc902Layout;
import org.ghcdebug.protocol.layout.ghc904.Ghc904Layout;
import org.ghcdebug.protocol.layout.ghc906.Ghc906Layout;
import org.ghcdebug.protocol.layout.ghc908.Ghc908Layout;
import org.ghcdebug.protocol.layout.ghc910.Ghc910Layout;
import org.ghcdebug.protocol.layout.ghc912.Ghc912Layout;
import org.ghcdebug.protocol.layout.ghc914.Ghc914Layout;
import org.ghcdebug.protocol.target.GhcVersion;
import org.ghcdebug.protocol.target.ProfilingMode;
import org.ghcdebug.protocol.target.Target;

/** Chooses the layout for a target. */
public final class Layouts {
  /** What {@link #of} accepts, for messages. */
  public static final String SUPPORTED = "GHC 9.2, 9.4, 9.6, 9.8, 9.10, 9.12 and 9.14";

  private Layouts() {}

  /**
   * The layout of a target. Development builds, which have odd minor numbers, are read as the
   * release that follows, from the day of the change on if their patch level is a date.
   *
   * @throws UnsupportedTargetException for any other GHC
   */
  public static ClosureLayout of(Target target) {
    GhcVersion ghc = target.ghc();
    ProfilingMode profiling = target.profiling();
    return switch (ghc.series()) {
      case 902 -> Ghc902Layout.of(profiling);
      case 903, 904 -> Ghc904Layout.of(profiling);
      case 905 -> ghc.patch() < 20220925 ? Ghc904Layout.of(profiling) : Ghc906Layout.of(profiling);
      case 906 -> Ghc906Layout.of(profiling);
      case 907, 908 -> Ghc908Layout.of(profiling);
      case 909 -> ghc.patch() < 20240201 ? Ghc908Layout.of(profiling) : Ghc910Layout.of(profiling);
      case 910 -> Ghc910Layout.of(profiling);
      case 911, 912 -> Ghc912Layout.of(profiling);
      case 913, 914 -> Ghc914Layout.of(profiling);
      default -> throw new UnsupportedTargetException("GHC " + ghc, SUPPORTED);
    };
  }
}
