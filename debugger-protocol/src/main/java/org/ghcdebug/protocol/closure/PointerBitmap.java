package org.ghcdebug.protocol.closure;

import java.util.Arrays;
import org.ghcdebug.protocol.error.MalformedDataException;

/**
 * Which words of a stack frame or of an argument list are pointers.
 *
 * <p>Here bit 1 means pointer, as in the protocol's answers; the RTS's own bitmaps have it the
 * other way round.
 *
 * @param size number of words described
 * @param bits bit {@code i & 63} of word {@code i >> 6} describes word i; bits from {@code size} on
 *     are 0
 */
public record PointerBitmap(int size, Words bits) {
  /** Describes no words. */
  public static final PointerBitmap EMPTY = new PointerBitmap(0, Words.NONE);

  /** Most words that a bitmap inside an info table can describe. */
  public static final int SMALL_BITMAP_LIMIT = 58;

  /**
   * @throws IllegalArgumentException when size is negative, the number of bit words is not {@code
   *     ceil(size / 64)}, or a bit from {@code size} on is set
   */
  public PointerBitmap {
    if (size < 0 || bits.size() != (size + 63L) / 64) {
      throw new IllegalArgumentException(size + " words in " + bits.size() + " bitmap words");
    }
    if ((size & 63) != 0 && bits.get(bits.size() - 1) >>> size != 0) {
      throw new IllegalArgumentException("bits beyond the bitmap's size " + size);
    }
  }

  /** From one byte per word, 1 = pointer, as the protocol sends it. Copies. O(bytes). */
  public static PointerBitmap ofBytes(byte[] pointers) {
    long[] bits = new long[(int) ((pointers.length + 63L) / 64)];
    for (int i = 0; i < pointers.length; i++) {
      if (pointers[i] != 0) {
        bits[i >> 6] |= 1L << i;
      }
    }
    return new PointerBitmap(pointers.length, Words.of(bits));
  }

  /** All of {@code size} words are pointers, or none is. */
  public static PointerBitmap allOf(int size, boolean pointers) {
    byte[] bytes = new byte[size];
    Arrays.fill(bytes, (byte) (pointers ? 1 : 0));
    return ofBytes(bytes);
  }

  /**
   * From the bitmap word of a return frame's info table (RTS {@code MK_SMALL_BITMAP}): size in the
   * low 6 bits, then one bit per word, 0 = pointer.
   *
   * @throws MalformedDataException when it claims more than {@value #SMALL_BITMAP_LIMIT} words
   */
  public static PointerBitmap ofSmallBitmap(long smallBitmap) {
    int size = smallBitmapSize(smallBitmap);
    if (size > SMALL_BITMAP_LIMIT) {
      throw new MalformedDataException(
          "small bitmap 0x%016x".formatted(smallBitmap),
          0,
          size + " words; at most " + SMALL_BITMAP_LIMIT + " fit");
    }
    return size == 0 ? EMPTY : new PointerBitmap(size, Words.of(smallBitmapPointers(smallBitmap)));
  }

  /** Words that a small bitmap claims to describe, 0 to 63. O(1). */
  public static int smallBitmapSize(long smallBitmap) {
    return (int) (smallBitmap & 0x3f);
  }

  /** The pointers of a small bitmap: bit i is 1 when word i is a pointer. O(1). */
  public static long smallBitmapPointers(long smallBitmap) {
    return ~(smallBitmap >>> 6) & ((1L << smallBitmapSize(smallBitmap)) - 1);
  }

  /** Whether word {@code index} is a pointer; false from {@link #size} on. O(1). */
  public boolean isPointer(int index) {
    return index < size && (bits.get(index >> 6) >>> index & 1) != 0;
  }

  /**
   * The bitmap of the first {@code newSize} words.
   *
   * @throws IllegalArgumentException when there are fewer
   */
  public PointerBitmap prefix(int newSize) {
    if (newSize > size) {
      throw new IllegalArgumentException(newSize + " words of " + size);
    }
    long[] prefix = Arrays.copyOf(bits.values(), (int) ((newSize + 63L) / 64));
    if ((newSize & 63) != 0) {
      prefix[prefix.length - 1] &= (1L << newSize) - 1;
    }
    return newSize == size ? this : new PointerBitmap(newSize, Words.of(prefix));
  }

  /** Number of pointers. O(size / 64). */
  public int pointerCount() {
    int count = 0;
    for (int i = 0; i < bits.size(); i++) {
      count += Long.bitCount(bits.get(i));
    }
    return count;
  }

  /** One character per word: {@code P} or {@code N}. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(size);
    for (int i = 0; i < size; i++) {
      text.append(isPointer(i) ? 'P' : 'N');
    }
    return text.toString();
  }
}
