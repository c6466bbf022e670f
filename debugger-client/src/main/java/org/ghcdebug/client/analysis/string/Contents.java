package org.ghcdebug.client.analysis.string;

import java.util.Arrays;
import org.ghcdebug.client.collections.LongList;
import org.ghcdebug.client.index.HeapCursor;
import org.ghcdebug.protocol.closure.ClosureType;

/** What is in one string: bytes of an array, or the code points of a list. Used again and again. */
final class Contents {
  private final HeapCursor array;
  private long firstByte; // in the array's data
  private int[] codePoints = new int[64];
  private boolean isArray;
  private int length;

  /** Whether a list ends in [], and not in something that is not evaluated. */
  private boolean isClosed;

  /** The closures besides the first that make up the string. */
  final LongList parts = new LongList();

  /**
   * @param array of its own
   */
  Contents(HeapCursor array) {
    this.array = array;
  }

  void clear() {
    parts.clear();
    length = 0;
    isArray = false;
    isClosed = true;
  }

  /**
   * Takes bytes of an array.
   *
   * @return false when there is no array that has them
   */
  boolean bytes(long arrayPointer, long from, long count) {
    if (!array.moveTo(arrayPointer) || array.info().type() != ClosureType.ARR_WORDS) {
      return false;
    }
    long size = array.word(array.headerWords());
    if (from < 0 || count < 0 || count > Integer.MAX_VALUE - 8 || from > size - count) {
      return false;
    }
    isArray = true;
    firstByte = from;
    length = (int) count;
    parts.add(array.address());
    return true;
  }

  void append(int codePoint) {
    if (length == codePoints.length) {
      codePoints = Arrays.copyOf(codePoints, 2 * length);
    }
    codePoints[length++] = codePoint;
  }

  void leaveOpen() {
    isClosed = false;
  }

  int length() {
    return length;
  }

  private int at(int index) {
    if (!isArray) {
      return codePoints[index];
    }
    long at = firstByte + index;
    return (int) (array.word(array.headerWords() + 1 + (int) (at >>> 3)) >>> 8 * (at & 7)) & 0xff;
  }

  /** Equal contents have the same, others hardly ever. */
  long hash() {
    long hash = length;
    for (int i = 0; i < length; i++) {
      hash = (hash ^ at(i)) * 0x100000001B3L + (hash >>> 32);
    }
    return isClosed ? hash : ~hash;
  }

  boolean hasSame(Contents other) {
    if (length != other.length || isClosed != other.isClosed) {
      return false;
    }
    for (int i = 0; i < length; i++) {
      if (at(i) != other.at(i)) {
        return false;
      }
    }
    return true;
  }
}
