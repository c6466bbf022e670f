package org.ghcdebug.protocol.target;

import java.util.Optional;

/**
 * The RTS way as far as closure headers are concerned, and what the second profiling word holds.
 *
 * <p>Wire values are those of VERSION's byte 8 (ghc-debug stub 0.6 and newer).
 */
public enum ProfilingMode {
  /** Headers are one word. */
  VANILLA,
  /** Three-word headers; no heap profile runs, the third word means nothing. */
  PROFILED,
  /** Third word: retainer set and traversal flip bit. */
  RETAINER,
  /** Third word: lag, drag and void state ({@code -hb}). */
  BIOGRAPHY,
  /** Third word: user-set era ({@code -he}, GHC 9.10 and newer). */
  ERA,
  /** Three-word headers, any other heap profile. */
  OTHER_HEAP_PROFILE;

  /** O(1). */
  public int wireValue() {
    return ordinal();
  }

  /** The mode of a wire byte, empty when it is none of the known ones. */
  public static Optional<ProfilingMode> findByWireValue(int value) {
    return value >= 0 && value < values().length ? Optional.of(values()[value]) : Optional.empty();
  }

  /** Words of every closure header: 1 vanilla, 3 profiled (RTS {@code StgHeader}). */
  public int headerWords() {
    return this == VANILLA ? 1 : 3;
  }
}
