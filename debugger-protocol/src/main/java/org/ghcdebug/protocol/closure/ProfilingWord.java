package org.ghcdebug.protocol.closure;

import org.ghcdebug.protocol.target.ProfilingMode;

/**
 * What the second word of a {@link ProfilingHeader} says, which depends on the heap profile that
 * runs (RTS {@code StgProfHeader}, rts/storage/Closures.h; rts/LdvProfile.h; GHC 9.2 to 9.14).
 */
public sealed interface ProfilingWord {
  /** Reads it. Nothing in a vanilla program has such a word; there it is {@link None}. O(1). */
  static ProfilingWord of(ProfilingMode mode, long word) {
    return switch (mode) {
      case VANILLA, PROFILED, OTHER_HEAP_PROFILE -> new None();
      case RETAINER -> new RetainerSet((word & 1) != 0, word & ~1L);
      case BIOGRAPHY ->
          new Biography(
              (word >>> 60 & 1) != 0,
              (int) (word >>> 30) & Biography.MAX_ERA,
              (int) word & Biography.MAX_ERA);
      case ERA -> new Era(word);
    };
  }

  /** No profile runs that uses the word. */
  record None() implements ProfilingWord {}

  /**
   * Retainer profile, {@code -hr}: who retains the closure.
   *
   * <pre>
   *   bit 0        flip, tells which traversal wrote the word
   *   other bits   the set's address
   * </pre>
   *
   * @param setAddr C memory; 0 for none
   */
  record RetainerSet(boolean flip, long setAddr) implements ProfilingWord {}

  /**
   * Lag, drag and void profile, {@code -hb}: when the closure was made and last used.
   *
   * <pre>
   *   bit 60       1 when it has been used
   *   bits 30-59   era of creation
   *   bits 0-29    era of last use
   * </pre>
   */
  record Biography(boolean isUsed, int creationEra, int lastUseEra) implements ProfilingWord {
    /** Eras have 30 bits. */
    static final int MAX_ERA = (1 << 30) - 1;
  }

  /** Era profile, {@code -he}, GHC 9.10 and newer: the era that the program had set. */
  record Era(long era) implements ProfilingWord {}
}
