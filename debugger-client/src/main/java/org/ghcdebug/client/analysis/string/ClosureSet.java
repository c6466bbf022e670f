package org.ghcdebug.client.analysis.string;

import java.util.HashSet;
import java.util.Set;
import org.ghcdebug.client.index.HeapImage;

/** A set of closures: one bit per word of the image, and a few outside it. */
final class ClosureSet {
  private final HeapImage image;
  private final long[] bits;
  private final Set<Long> outside = new HashSet<>();

  ClosureSet(HeapImage image) {
    this.image = image;
    this.bits = new long[Math.toIntExact((image.sizeBytes() >>> 9) + 1)];
  }

  /** False when it was there. */
  boolean add(long addr) {
    long offset = image.offset(addr);
    if (offset == HeapImage.OUTSIDE) {
      return outside.add(addr);
    }
    int word = (int) (offset >>> 9);
    long bit = 1L << (offset >>> 3);
    boolean isNew = (bits[word] & bit) == 0;
    bits[word] |= bit;
    return isNew;
  }

  boolean contains(long addr) {
    long offset = image.offset(addr);
    return offset == HeapImage.OUTSIDE
        ? outside.contains(addr)
        : (bits[(int) (offset >>> 9)] & 1L << (offset >>> 3)) != 0;
  }
}
