package org.ghcdebug.stub.heap;

/** One word of a closure or stack frame that is being described to a {@link HeapBuilder}. */
public sealed interface Slot permits Ref, Slot.Word, Slot.Self {
  /** A word that is not a pointer to a closure. */
  static Slot word(long value) {
    return new Word(value);
  }

  /** Two half words, the first at the lower address. */
  static Slot halves(int first, int second) {
    return new Word(Integer.toUnsignedLong(first) | (long) second << 32);
  }

  /**
   * A word that is not a pointer to a closure.
   *
   * @param value as it is read in the debuggee's byte order
   */
  record Word(long value) implements Slot {}

  /**
   * An address inside the closure that the word belongs to, such as a stack's {@code sp}.
   *
   * @param offsetBytes from the closure's first byte
   */
  record Self(long offsetBytes) implements Slot {}
}
