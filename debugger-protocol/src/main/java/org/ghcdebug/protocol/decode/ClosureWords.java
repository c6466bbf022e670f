package org.ghcdebug.protocol.decode;

/**
 * A view of the memory in which a closure stands. Implementations need not be thread-safe and can
 * be moved from closure to closure; nothing here keeps one beyond the call it was given to.
 */
public interface ClosureWords {
  /**
   * The word with that index, in the debuggee's byte order; word 0 is the info pointer.
   *
   * @param index at least 0 and less than {@link #length}; anything else is a programming error
   */
  long word(int index);

  /** Words that can be read: the closure's own, or up to the end of the memory it stands in. */
  int length();

  /** A view of an array that is not copied. */
  static ClosureWords of(long[] words) {
    return new ClosureWords() {
      @Override
      public long word(int index) {
        return words[index];
      }

      @Override
      public int length() {
        return words.length;
      }
    };
  }
}
