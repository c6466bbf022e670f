package org.ghcdebug.protocol.closure;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/** Flags of a thread (rts/Constants.h, {@code TSO_…}), GHC 9.2 to 9.14. */
public enum TsoFlag {
  LOCKED(2),
  BLOCKS_EXCEPTIONS(4),
  INTERRUPTIBLE(8),
  STOPPED_ON_BREAKPOINT(16),
  MARKED(64),
  SQUEEZED(128),
  ALLOCATION_LIMIT(256),
  /** GHC 9.14 and newer. */
  STOP_NEXT_BREAKPOINT(512),
  /** GHC 9.14 and newer. */
  STOP_AFTER_RETURN(1024);

  private final int bit;

  TsoFlag(int bit) {
    this.bit = bit;
  }

  public int bit() {
    return bit;
  }

  /** The flags whose bits are set; other bits are ignored. Unmodifiable. */
  public static Set<TsoFlag> ofBits(int bits) {
    Set<TsoFlag> flags = EnumSet.noneOf(TsoFlag.class);
    for (TsoFlag flag : values()) {
      if ((bits & flag.bit) != 0) {
        flags.add(flag);
      }
    }
    return Collections.unmodifiableSet(flags);
  }
}
