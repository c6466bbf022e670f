package org.ghcdebug.protocol.wire;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import org.ghcdebug.protocol.error.MalformedDataException;
import org.ghcdebug.protocol.target.AddressList;
import org.ghcdebug.protocol.target.Target;

/** Reads a payload's fields, each checked against what is left. Reads consume; nothing is kept. */
final class PayloadReader {
  private final ByteBuf bytes;
  private final String where;
  private final int start;

  /**
   * @param where the payload's name in error messages
   */
  PayloadReader(ByteBuf bytes, String where) {
    this.bytes = bytes;
    this.where = where;
    this.start = bytes.readerIndex();
  }

  int remaining() {
    return bytes.readableBytes();
  }

  int u8() {
    require(1);
    return bytes.readUnsignedByte();
  }

  int u16() {
    require(2);
    return bytes.readUnsignedShort();
  }

  int u16LittleEndian() {
    require(2);
    return bytes.readUnsignedShortLE();
  }

  long u32() {
    require(4);
    return bytes.readUnsignedInt();
  }

  /** 32 bits that must be a non-negative number in Java. */
  int u31(String what) {
    long value = u32();
    if (value > Integer.MAX_VALUE) {
      throw malformedBefore(4, "%s %d, expected at most 2147483647".formatted(what, value));
    }
    return (int) value;
  }

  /** A word: pointers, numbers of cost centres, memory. */
  long word() {
    require(8);
    return bytes.readLongLE();
  }

  /** A length that so many bytes really follow. */
  int length() {
    long length = u32();
    if (length > remaining()) {
      throw malformedBefore(
          4, "length %d, expected at most the %d bytes left".formatted(length, remaining()));
    }
    return (int) length;
  }

  /** The length of memory, in words. */
  int lengthWords() {
    int length = length();
    if (length % Target.WORD_BYTES != 0) {
      throw malformedBefore(4, "length %d, expected a multiple of 8".formatted(length));
    }
    return length / Target.WORD_BYTES;
  }

  void words(long[] destination, int from, int to) {
    for (int i = from; i < to; i++) {
      destination[i] = bytes.readLongLE();
    }
  }

  /** So many words without a length before them. */
  AddressList addresses(int count) {
    require(Math.multiplyExact(count, Target.WORD_BYTES));
    long[] addresses = new long[count];
    words(addresses, 0, count);
    return AddressList.of(addresses);
  }

  /** Words to the end of the payload. */
  AddressList addressesToEnd() {
    if (remaining() % Target.WORD_BYTES != 0) {
      throw malformedHere("%d bytes of addresses, expected a multiple of 8".formatted(remaining()));
    }
    return addresses(remaining() / Target.WORD_BYTES);
  }

  /** A length and UTF-8. */
  String text() {
    int length = length();
    String text = bytes.toString(bytes.readerIndex(), length, StandardCharsets.UTF_8);
    bytes.skipBytes(length);
    return text;
  }

  void skip(int count) {
    bytes.skipBytes(count);
  }

  /** Goes back to a place that {@link #mark} returned. */
  void reset(int mark) {
    bytes.readerIndex(mark);
  }

  int mark() {
    return bytes.readerIndex();
  }

  void expectEnd() {
    if (remaining() > 0) {
      throw malformedHere("%d more bytes, expected the end".formatted(remaining()));
    }
  }

  /** A complaint about the next byte. */
  MalformedDataException malformedHere(String problem) {
    return malformedBefore(0, problem);
  }

  /** A complaint about the last {@code width} bytes read. */
  MalformedDataException malformedBefore(int width, String problem) {
    return new MalformedDataException(where, bytes.readerIndex() - start - width, problem);
  }

  private void require(int count) {
    if (remaining() < count) {
      throw malformedHere(
          "end of the payload, expected %d more bytes".formatted(count - remaining()));
    }
  }
}
