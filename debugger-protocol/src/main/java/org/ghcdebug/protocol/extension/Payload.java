package org.ghcdebug.protocol.extension;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import org.ghcdebug.protocol.error.MalformedDataException;

/** Reads the answer to an extension command. Reads consume. */
final class Payload {
  private final ByteBuf bytes;

  private Payload(ByteBuf bytes) {
    this.bytes = bytes;
  }

  /**
   * Reads an answer; what comes behind it is left.
   *
   * @throws MalformedDataException when it ends too early
   */
  static <T> T read(ExtensionCommand command, ByteBuf bytes, Function<Payload, T> read) {
    int start = bytes.readerIndex();
    try {
      return read.apply(new Payload(bytes));
    } catch (IndexOutOfBoundsException e) {
      throw new MalformedDataException(
          command + " response",
          bytes.readerIndex() - start,
          "end of the payload inside of a field, expected more");
    }
  }

  boolean hasMore() {
    return bytes.isReadable();
  }

  int u8() {
    return bytes.readUnsignedByte();
  }

  int u16() {
    return bytes.readUnsignedShort();
  }

  long u32() {
    return bytes.readUnsignedInt();
  }

  int i32() {
    return bytes.readInt();
  }

  long u64() {
    return bytes.readLongLE();
  }

  byte[] bytes(int length) {
    byte[] read = new byte[length];
    bytes.readBytes(read);
    return read;
  }

  String text() {
    int length = bytes.readInt();
    if (length < 0 || length > bytes.readableBytes()) {
      throw new IndexOutOfBoundsException();
    }
    String text = bytes.toString(bytes.readerIndex(), length, StandardCharsets.UTF_8);
    bytes.skipBytes(length);
    return text;
  }
}
