package org.ghcdebug.protocol.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;

/** Blocks as values. */
public final class CollectingBlockSink implements BlockSink {
  private final List<Response.Block> blocks = new ArrayList<>();
  private final ByteBuf memory = Unpooled.buffer();
  private int flags;
  private long startAddr;

  @Override
  public void begin(int blockFlags, long blockAddr, long lengthBytes) {
    flags = blockFlags;
    startAddr = blockAddr;
    memory.clear();
  }

  @Override
  public void bytes(ByteBuf bytes) {
    memory.writeBytes(bytes);
  }

  @Override
  public void end() {
    long[] words = new long[memory.readableBytes() / Long.BYTES];
    for (int i = 0; i < words.length; i++) {
      words[i] = memory.readLongLE();
    }
    blocks.add(Response.Block.of(flags, startAddr, words));
  }

  /** Those that have ended. */
  public List<Response.Block> blocks() {
    return List.copyOf(blocks);
  }
}
