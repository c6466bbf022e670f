package org.ghcdebug.protocol.extension;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.List;
import org.junit.jupiter.api.Test;

class BlockListDecoderTest {
  private static final List<BlockDescriptor> GROUPS =
      List.of(
          new BlockDescriptor(0x4200000000L, 4096, 4000, 2, 1),
          new BlockDescriptor(0x4200100000L, 1L << 33, 1L << 33, 0x8002, 0),
          new BlockDescriptor(0x4400000000L, 8192, 0, 0xffff, 0xffff));

  @Test
  void descriptorsCanBeCutAnywhere() {
    ByteBuf bytes = Unpooled.buffer();
    for (BlockDescriptor group : GROUPS) {
      bytes
          .writeLongLE(group.startAddr())
          .writeLongLE(group.lengthBytes())
          .writeLongLE(group.usedBytes())
          .writeShort(group.flags())
          .writeShort(group.generation())
          .writeInt(-1);
    }
    for (int first = 0; first <= bytes.readableBytes(); first++) {
      for (int second = first; second <= bytes.readableBytes(); second++) {
        BlockListDecoder decoder = new BlockListDecoder();
        decoder.body(bytes.slice(0, first));
        decoder.body(bytes.slice(first, second - first));
        decoder.body(bytes.slice(second, bytes.readableBytes() - second));
        assertEquals(GROUPS, decoder.descriptors());
      }
    }
  }
}
