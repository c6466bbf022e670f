package org.ghcdebug.stub.heap;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.ghcdebug.protocol.closure.BlockFlag;
import org.jspecify.annotations.Nullable;

/**
 * A run of contiguous heap blocks described by one block descriptor (RTS {@code bdescr},
 * rts/storage/Block.h).
 *
 * @param startAddr address of the first byte
 * @param flags the descriptor's {@code BF_} flags
 * @param contents the whole memory, little-endian; each call of the accessor gives an independent
 *     read-only view, which shares the bytes
 */
public record BlockGroup(long startAddr, int flags, ByteBuffer contents) {
  /** {@code BF_EVACUATED}: filled or kept by an earlier collection. */
  public static final int EVACUATED = BlockFlag.EVACUATED.bit();

  /** {@code BF_LARGE}: one large object at the start of the group. */
  public static final int LARGE = BlockFlag.LARGE.bit();

  /** {@code BF_PINNED}: byte arrays that never move. */
  public static final int PINNED = BlockFlag.PINNED.bit();

  /** {@code BF_COMPACT}: part of a compact region. */
  public static final int COMPACT = BlockFlag.COMPACT.bit();

  public BlockGroup {
    contents = contents.slice().asReadOnlyBuffer();
  }

  @Override
  public ByteBuffer contents() {
    return contents.duplicate().order(ByteOrder.LITTLE_ENDIAN);
  }

  /** The group's length, a multiple of 4096 for heap blocks. */
  public int lengthBytes() {
    return contents.limit();
  }

  /** Is the address that of a byte of the group? */
  public boolean contains(long address) {
    return Long.compareUnsigned(address - startAddr, lengthBytes()) < 0;
  }

  /**
   * Copies words.
   *
   * @return {@code null} when they are not all in the group
   */
  public long @Nullable [] words(long address, long count) {
    long offset = address - startAddr;
    if (!contains(address) || count > (lengthBytes() - offset) / Long.BYTES) {
      return null;
    }
    var words = new long[(int) count];
    contents().position((int) offset).asLongBuffer().get(words);
    return words;
  }
}
