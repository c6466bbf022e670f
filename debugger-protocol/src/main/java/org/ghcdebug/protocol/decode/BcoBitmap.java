package org.ghcdebug.protocol.decode;

import org.ghcdebug.protocol.closure.PointerBitmap;
import org.ghcdebug.protocol.closure.Words;
import org.jspecify.annotations.Nullable;

/** The bitmap inside a BCO closure: what byte code's arguments, or its stack frame's words, are. */
public final class BcoBitmap {
  private BcoBitmap() {}

  /**
   * Reads it; {@code null} when it does not fit into the words. O(bitmap).
   *
   * <pre>
   *   H+4    number of words described
   *   H+5    ceil(number / 64) words, lowest bit first, 0 = pointer
   * </pre>
   */
  public static @Nullable PointerBitmap read(int headerWords, ClosureWords bco) {
    return read(headerWords, bco, bco.length());
  }

  /** As {@link #read(int, ClosureWords)}, for a BCO that ends at word {@code end}. */
  static @Nullable PointerBitmap read(int headerWords, ClosureWords bco, int end) {
    int size = size(headerWords, bco, end);
    if (size < 0) {
      return null;
    }
    long[] bits = new long[(int) ((size + 63L) / 64)];
    for (int i = 0; i < bits.length; i++) {
      bits[i] = ~bco.word(headerWords + 5 + i);
    }
    if ((size & 63) != 0) {
      bits[bits.length - 1] &= (1L << size) - 1;
    }
    return new PointerBitmap(size, Words.of(bits));
  }

  /** Number of words described; -1 when their bits would not end by word {@code end}. */
  static int size(int headerWords, ClosureWords bco, int end) {
    int start = headerWords + 5;
    if (end < start) {
      return -1;
    }
    long size = bco.word(start - 1);
    return size >= 0 && size <= Math.min(64L * (end - start), Integer.MAX_VALUE) ? (int) size : -1;
  }
}
