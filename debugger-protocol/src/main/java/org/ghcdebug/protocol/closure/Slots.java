package org.ghcdebug.protocol.closure;

/**
 * Words of which a bitmap tells the pointers: the payload of a stack frame, or arguments.
 *
 * @param words as they stand in memory
 * @param pointers describes exactly these words
 */
public record Slots(Words words, PointerBitmap pointers) {
  /** No words. */
  public static final Slots NONE = new Slots(Words.NONE, PointerBitmap.EMPTY);

  /**
   * @throws IllegalArgumentException when the bitmap is of another size
   */
  public Slots {
    if (words.size() != pointers.size()) {
      throw new IllegalArgumentException(words.size() + " words, bitmap for " + pointers.size());
    }
  }

  /** The pointer that has {@code ordinal} pointers before it; 0 when there are not so many. */
  public long pointer(int ordinal) {
    int remaining = ordinal;
    for (int i = 0; i < words.size(); i++) {
      if (pointers.isPointer(i) && remaining-- == 0) {
        return words.get(i);
      }
    }
    return 0;
  }
}
