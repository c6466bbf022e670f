package org.ghcdebug.protocol.snapshot;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.charset.StandardCharsets;
import org.ghcdebug.protocol.error.MalformedDataException;
import org.ghcdebug.protocol.wire.BodySink;

/** Reads big-endian fields from a channel through one buffer, and knows where it is. */
final class ChannelReader {
  private static final int BUFFER_BYTES = 64 << 10;

  private final String where;
  private final ReadableByteChannel channel;
  private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES).flip();
  private final ByteBuf view = Unpooled.wrappedBuffer(buffer.array());
  private long bufferOffsetBytes;

  /**
   * @param where the file's name in error messages
   * @param channel the caller's, who closes it
   */
  ChannelReader(String where, ReadableByteChannel channel) {
    this.where = where;
    this.channel = channel;
  }

  /** Offset of the next byte from where the channel was. */
  long offsetBytes() {
    return bufferOffsetBytes + buffer.position();
  }

  boolean isAtEnd() throws IOException {
    return available() == 0;
  }

  int u8() throws IOException {
    if (available() == 0) {
      throw malformedHere("end of the file, expected more bytes");
    }
    return buffer.get() & 0xff;
  }

  long u32() throws IOException {
    long value = 0;
    for (int i = 0; i < 4; i++) {
      value = value << 8 | u8();
    }
    return value;
  }

  long u64() throws IOException {
    return u32() << 32 | u32();
  }

  /** A number of things of which a file may hold at most {@code max}. */
  int count(String what, int max) throws IOException {
    return requireAtMost(u64(), 8, what, max);
  }

  /** The length or number {@code value}, which {@code width} bytes held. */
  int requireAtMost(long value, int width, String what, int max) {
    if (Long.compareUnsigned(value, max) > 0) {
      throw malformedBefore(
          width, "%s %s, expected at most %d".formatted(what, Long.toUnsignedString(value), max));
    }
    return (int) value;
  }

  /** The next {@code count} bytes, in pieces. */
  void copy(long count, BodySink sink) throws IOException {
    for (long left = count; left > 0; ) {
      int piece = (int) Math.min(left, available());
      if (piece == 0) {
        throw malformedHere("end of the file, expected %d more bytes".formatted(left));
      }
      view.setIndex(buffer.position(), buffer.position() + piece);
      buffer.position(buffer.position() + piece);
      left -= piece;
      sink.body(view);
    }
  }

  /**
   * A string of Haskell's {@code binary} package whose characters are the bytes of UTF-8. Should
   * one of them be no byte, the client that wrote it made no such mistake, and the string is taken
   * as is.
   */
  String doublyEncodedString(int maxCharacters) throws IOException {
    int length = count("string length", maxCharacters);
    var characters = new StringBuilder();
    boolean areBytes = true;
    for (int i = 0; i < length; i++) {
      int character = character();
      areBytes &= character <= 0xff;
      characters.appendCodePoint(character);
    }
    String text = characters.toString();
    return areBytes
        ? new String(text.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8)
        : text;
  }

  private int character() throws IOException {
    int first = u8();
    if (first < 0x80) {
      return first;
    }
    int more = Integer.numberOfLeadingZeros(~(first << 24)) - 1;
    if (more < 1 || more > 3) {
      throw malformedBefore(1, "0x%02x as the first byte of a character".formatted(first));
    }
    int character = first & 0x3f >> more;
    for (int i = 0; i < more; i++) {
      int next = u8();
      if ((next & 0xc0) != 0x80) {
        throw malformedBefore(1, "0x%02x in a character, expected 0x80 to 0xbf".formatted(next));
      }
      character = character << 6 | next & 0x3f;
    }
    if (character > Character.MAX_CODE_POINT) {
      throw malformedBefore(
          more + 1, "character 0x%x, expected at most 0x10ffff".formatted(character));
    }
    return character;
  }

  MalformedDataException malformedHere(String problem) {
    return malformedBefore(0, problem);
  }

  /** A complaint about the last {@code width} bytes read. */
  MalformedDataException malformedBefore(int width, String problem) {
    return new MalformedDataException(where, offsetBytes() - width, problem);
  }

  /** Bytes in the buffer, read anew when there were none; 0 at the end of the file. */
  private int available() throws IOException {
    if (!buffer.hasRemaining()) {
      bufferOffsetBytes += buffer.limit();
      buffer.clear();
      try {
        while (buffer.position() == 0 && channel.read(buffer) >= 0) {}
      } finally {
        buffer.flip();
      }
    }
    return buffer.remaining();
  }
}
