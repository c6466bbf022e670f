package org.ghcdebug.protocol.extension;

import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;

/**
 * A block group, as BLOCK_LIST and BLOCK_CONTENTS describe it.
 *
 * @param lengthBytes a multiple of 4096
 * @param usedBytes nothing alive is behind so many
 * @param flags {@code BF_LARGE} …
 */
public record BlockDescriptor(
    long startAddr, long lengthBytes, long usedBytes, int flags, int generation) {
  /** Bytes of one in an answer. */
  public static final int BYTES = 32;

  /** Reads one; consumes {@link #BYTES}, which must be there. */
  static BlockDescriptor read(ByteBuf bytes) {
    BlockDescriptor descriptor =
        new BlockDescriptor(
            bytes.readLongLE(),
            bytes.readLongLE(),
            bytes.readLongLE(),
            bytes.readUnsignedShort(),
            bytes.readUnsignedShort());
    bytes.skipBytes(Integer.BYTES);
    return descriptor;
  }

  /** Reads descriptors, one behind the other; half of one at the end is left. */
  static List<BlockDescriptor> decodeList(ByteBuf payload) {
    List<BlockDescriptor> descriptors = new ArrayList<>(payload.readableBytes() / BYTES);
    while (payload.readableBytes() >= BYTES) {
      descriptors.add(read(payload));
    }
    return descriptors;
  }
}
