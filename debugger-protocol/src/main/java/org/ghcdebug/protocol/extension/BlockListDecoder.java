package org.ghcdebug.protocol.extension;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import org.ghcdebug.protocol.wire.BodySink;

/**
 * Decodes the answer to BLOCK_LIST as it arrives: the program stands still meanwhile, and fresh
 * memory for all of its bytes costs more time than what is done with them. For one response; for
 * one thread at a time.
 */
public final class BlockListDecoder implements BodySink {
  private final List<BlockDescriptor> descriptors = new ArrayList<>();
  private final ByteBuf begun = Unpooled.buffer(BlockDescriptor.BYTES); // a descriptor cut in two

  @Override
  public void body(ByteBuf bytes) {
    while (bytes.isReadable()) {
      if (!begun.isReadable() && bytes.readableBytes() >= BlockDescriptor.BYTES) {
        descriptors.add(BlockDescriptor.read(bytes));
      } else {
        int missing = BlockDescriptor.BYTES - begun.readableBytes();
        begun.writeBytes(bytes, Math.min(missing, bytes.readableBytes()));
        if (begun.readableBytes() == BlockDescriptor.BYTES) {
          descriptors.add(BlockDescriptor.read(begun));
          begun.clear();
        }
      }
    }
  }

  /** The whole ones that have arrived. */
  public List<BlockDescriptor> descriptors() {
    return descriptors;
  }
}
