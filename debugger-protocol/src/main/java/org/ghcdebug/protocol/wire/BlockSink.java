package org.ghcdebug.protocol.wire;

import io.netty.buffer.ByteBuf;

/**
 * Takes heap blocks as they arrive: for each one {@code begin}, any number of {@code bytes}, {@code
 * end}.
 */
public interface BlockSink {
  /**
   * A group of heap blocks begins. The same one may come several times.
   *
   * @param flags the 16 bits of the block descriptor's flags
   * @param startAddr address of the first byte
   * @param lengthBytes 0 to 2^32 - 1, as announced: nothing says that so many bytes will come
   */
  void begin(int flags, long startAddr, long lengthBytes);

  /**
   * The next bytes of the memory, cut anywhere.
   *
   * @param bytes valid during this call only; its owner releases it
   */
  void bytes(ByteBuf bytes);

  /** All {@code lengthBytes} have come. */
  void end();
}
