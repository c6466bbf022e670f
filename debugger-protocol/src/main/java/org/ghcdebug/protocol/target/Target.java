package org.ghcdebug.protocol.target;

/**
 * What must be known of a debuggee to read its heap.
 *
 * @param ghc the compiler that built the program
 * @param profiling the RTS way
 */
public record Target(GhcVersion ghc, ProfilingMode profiling) {
  /** Bytes of a word on every supported target. */
  public static final int WORD_BYTES = 8;

  /** Mask of the bits of a closure pointer that can hold a pointer tag. */
  public static final long TAG_MASK = 7;

  /** Words of every closure header. */
  public int headerWords() {
    return profiling.headerWords();
  }

  /** The address of the closure that a possibly tagged pointer points to. */
  public static long untag(long pointer) {
    return pointer & ~TAG_MASK;
  }
}
