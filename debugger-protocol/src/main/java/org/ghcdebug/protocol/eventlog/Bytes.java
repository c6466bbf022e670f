package org.ghcdebug.protocol.eventlog;

import java.util.Arrays;
import java.util.HexFormat;

/** An immutable byte string, compared by content. */
public final class Bytes {
  /** No bytes. */
  public static final Bytes EMPTY = new Bytes(new byte[0]);

  private final byte[] content;

  private Bytes(byte[] content) {
    this.content = content;
  }

  /** Copies {@code content}. */
  public static Bytes of(byte... content) {
    return content.length == 0 ? EMPTY : new Bytes(content.clone());
  }

  /** Copies a part of {@code content}. */
  public static Bytes of(byte[] content, int from, int length) {
    return length == 0 ? EMPTY : new Bytes(Arrays.copyOfRange(content, from, from + length));
  }

  public int length() {
    return content.length;
  }

  public byte at(int index) {
    return content[index];
  }

  /** A copy. */
  public byte[] toArray() {
    return content.clone();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Bytes that && Arrays.equals(content, that.content);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(content);
  }

  /** Lower-case hexadecimal digits. */
  @Override
  public String toString() {
    return HexFormat.of().formatHex(content);
  }
}
