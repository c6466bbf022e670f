package org.ghcdebug.protocol.wire;

import io.netty.buffer.ByteBuf;
import org.ghcdebug.protocol.error.MalformedDataException;

/**
 * Takes the payload of ALL_BLOCKS or BLOCK apart as it arrives, so that a heap never sits in one
 * buffer. It buffers nothing but half a block header. For one response; for one thread at a time.
 *
 * <pre>
 * block  offset width
 *             0     2  flags, little-endian
 *             2     8  start address, little-endian
 *            10     4  N, big-endian: bytes of memory
 *            14     N  the memory
 * </pre>
 */
public final class BlockStreamDecoder implements BodySink {
  private static final int HEADER_BYTES = 14;

  private final String where;
  private final BlockSink sink;

  private long offsetBytes;
  private long blocks;
  private int headerBytes;
  private int flags;
  private long startAddr;
  private long lengthBytes;
  private long leftBytes;

  /**
   * @param where the response's name in error messages
   * @param sink gets the blocks
   */
  public BlockStreamDecoder(String where, BlockSink sink) {
    this.where = where;
    this.sink = sink;
  }

  /**
   * @throws MalformedDataException when a block's addresses pass 2^64
   */
  @Override
  public void body(ByteBuf bytes) {
    while (bytes.isReadable()) {
      if (headerBytes < HEADER_BYTES) {
        readHeader(bytes.readUnsignedByte());
      } else {
        int available = (int) Math.min(leftBytes, bytes.readableBytes());
        leftBytes -= available;
        offsetBytes += available;
        sink.bytes(bytes.readSlice(available));
      }
      if (headerBytes == HEADER_BYTES && leftBytes == 0) {
        headerBytes = 0;
        blocks++;
        sink.end();
      }
    }
  }

  private void readHeader(int value) {
    offsetBytes++;
    int index = headerBytes++;
    if (index == 0) {
      flags = 0;
      startAddr = 0;
      lengthBytes = 0;
    }
    if (index < 2) {
      flags |= value << 8 * index;
    } else if (index < 10) {
      startAddr |= (long) value << 8 * (index - 2);
    } else {
      lengthBytes = lengthBytes << 8 | value;
    }
    if (headerBytes == HEADER_BYTES) {
      if (!endsInAddressSpace(startAddr, lengthBytes)) {
        throw new MalformedDataException(
            where, offsetBytes - HEADER_BYTES + 2, endsBeyond(startAddr, lengthBytes));
      }
      leftBytes = lengthBytes;
      sink.begin(flags, startAddr, lengthBytes);
    }
  }

  static boolean endsInAddressSpace(long startAddr, long lengthBytes) {
    return lengthBytes == 0 || Long.compareUnsigned(startAddr, -lengthBytes) <= 0;
  }

  static String endsBeyond(long startAddr, long lengthBytes) {
    return "block of %d bytes at 0x%016x, expected its end below 2^64"
        .formatted(lengthBytes, startAddr);
  }

  /**
   * To be called when the response has ended well.
   *
   * @return the number of blocks
   * @throws MalformedDataException when it ended inside a block
   */
  public long finish() {
    if (headerBytes > 0) {
      throw new MalformedDataException(
          where,
          offsetBytes,
          headerBytes < HEADER_BYTES
              ? "end of the response after %d bytes of a block's header, expected %d"
                  .formatted(headerBytes, HEADER_BYTES)
              : "end of the response inside the block at 0x%016x, expected %d more bytes"
                  .formatted(startAddr, leftBytes));
    }
    return blocks;
  }
}
