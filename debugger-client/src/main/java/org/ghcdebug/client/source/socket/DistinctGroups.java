package org.ghcdebug.client.source.socket;

import io.netty.buffer.ByteBuf;
import java.lang.foreign.MemorySegment;
import org.ghcdebug.client.collections.LongIntMap;
import org.ghcdebug.client.source.BlockSink;

/** Passes every block group on once: the RTS's lists can name one several times. */
final class DistinctGroups implements org.ghcdebug.protocol.wire.BlockSink {
  private final BlockSink sink;
  private final LongIntMap seenStartAddrs = new LongIntMap();
  private boolean isNew;
  private long handedOutBytes;

  DistinctGroups(BlockSink sink) {
    this.sink = sink;
  }

  /** Bytes passed on. */
  long handedOutBytes() {
    return handedOutBytes;
  }

  @Override
  public void begin(int flags, long startAddr, long lengthBytes) {
    isNew =
        lengthBytes > 0 && startAddr != 0 && seenStartAddrs.get(startAddr) == LongIntMap.MISSING;
    if (isNew) {
      seenStartAddrs.put(startAddr, 0);
      sink.group(startAddr, lengthBytes, flags);
    }
  }

  @Override
  public void bytes(ByteBuf bytes) {
    if (isNew) {
      handedOutBytes += bytes.readableBytes();
      sink.contents(MemorySegment.ofBuffer(bytes.nioBuffer()));
    }
  }

  @Override
  public void end() {}
}
