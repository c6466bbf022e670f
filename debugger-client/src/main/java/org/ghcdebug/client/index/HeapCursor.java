package org.ghcdebug.client.index;

/** A {@link ClosureCursor} over a heap's copy, which can be moved and knows where pointers are. */
public interface HeapCursor extends ClosureCursor {
  /**
   * Moves to the closure that a pointer, tagged or not, points to, reachable or not.
   *
   * @return false when the copy has none there, or it cannot be measured; then the cursor is
   *     nowhere
   */
  boolean moveTo(long pointer);

  /**
   * Pointers of the closure: the fields of a constructor, function, thunk or variable, or the
   * elements of an array. 0 for what has stack frames or bitmaps.
   */
  int pointerCount();

  /** One of the pointers, as stored. */
  long pointer(int index);

  /** The number of header words: data of a constructor begins with this word. */
  int headerWords();
}
