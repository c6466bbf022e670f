package org.ghcdebug.protocol.snapshot;

import java.nio.ByteBuffer;

/**
 * Where a piece of a chunk's memory was in the program.
 *
 * <pre>
 *  0  u64  address
 *  8  u32  length in bytes, not 0
 * 12  u16  flags of the block descriptor; 0 outside of blocks
 * 14  u8   1: goes on with the group, closure or range that the last extent of that kind is part of
 * 15  u8   0
 * </pre>
 *
 * @param addr address of the first byte, unsigned
 * @param lengthBytes greater than 0
 * @param flags the block descriptor's flags
 * @param isContinuation whether it belongs to what the extent before it belongs to
 */
public record Extent(long addr, int lengthBytes, int flags, boolean isContinuation) {
  /** Bytes of an extent in a file. */
  static final int BYTES = 16;

  void write(ByteBuffer out) {
    out.putLong(addr)
        .putInt(lengthBytes)
        .putShort((short) flags)
        .put((byte) (isContinuation ? 1 : 0))
        .put((byte) 0);
  }

  static Extent read(ByteBuffer in) {
    long addr = in.getLong();
    int lengthBytes = in.getInt();
    int flags = Short.toUnsignedInt(in.getShort());
    return new Extent(addr, lengthBytes, flags, (in.getShort() & 1) != 0);
  }
}
