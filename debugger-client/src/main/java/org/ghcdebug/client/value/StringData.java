package org.ghcdebug.client.value;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.ghcdebug.client.collections.LongList;
import org.ghcdebug.client.index.HeapCursor;
import org.ghcdebug.protocol.closure.ClosureType;

/** What is in one string: bytes of an array, or the code points of a list. Used again and again. */
public final class StringData {
  private final HeapCursor array;
  private long firstByte; // in the array's data
  private int[] codePoints = new int[64];
  private boolean isArray;
  private int length;

  /** Whether a list ends in [], and not in something that is not evaluated. */
  private boolean isClosed;

  private StringKind kind = StringKind.BYTE_STRING;

  /** The closures besides the first that make up the string. */
  private final LongList parts = new LongList();

  /**
   * @param array of its own
   */
  StringData(HeapCursor array) {
    this.array = array;
  }

  /** Forgets what was there. */
  void begin(StringKind nextKind) {
    kind = nextKind;
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
  public boolean bytes(long arrayPointer, long from, long count) {
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

  /** Takes a whole byte array. */
  public boolean array(HeapCursor closure) {
    begin(StringKind.SHORT_BYTE_STRING);
    return bytes(closure.address(), 0, closure.word(closure.headerWords()));
  }

  /** Addresses of the closures besides the first that make up the string. */
  public LongList parts() {
    return parts;
  }

  /** The contents as text; bytes that are none become U+FFFD, those of a ByteString a character. */
  public String text() {
    if (!isArray) {
      return new String(codePoints, 0, length);
    }
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) at(i);
    }
    return switch (kind) {
      case TEXT -> new String(bytes, StandardCharsets.UTF_8);
      case UTF_16_TEXT -> new String(bytes, StandardCharsets.UTF_16LE);
      case LIST, BYTE_STRING, OFFSET_BYTE_STRING, SHORT_BYTE_STRING ->
          new String(bytes, StandardCharsets.ISO_8859_1);
    };
  }

  void append(int codePoint) {
    if (length == codePoints.length) {
      codePoints = Arrays.copyOf(codePoints, 2 * length);
    }
    codePoints[length++] = codePoint;
  }

  /** False for a list that goes on with something that is not evaluated. */
  public boolean isClosed() {
    return isClosed;
  }

  void leaveOpen() {
    isClosed = false;
  }

  /** In bytes, or code points of a list. */
  public int length() {
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
  public long hash() {
    long hash = length;
    for (int i = 0; i < length; i++) {
      hash = (hash ^ at(i)) * 0x100000001B3L + (hash >>> 32);
    }
    return isClosed ? hash : ~hash;
  }

  /** Whether the contents are equal. */
  public boolean hasSame(StringData other) {
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
