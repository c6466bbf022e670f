package org.ghcdebug.client.source.socket;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.OptionalLong;
import org.ghcdebug.client.collections.LongIntMap;
import org.ghcdebug.client.source.BlockGroup;
import org.ghcdebug.client.source.BlockSink;
import org.ghcdebug.protocol.closure.BlockFlag;

/**
 * Passes every block group on once: the RTS's lists can name one several times.
 *
 * <p>Of a compact region older stubs list the first group only; the address of the next one is in
 * its header (RTS {@code StgCompactNFDataBlock}, rts/storage/Closures.h):
 *
 * <pre>
 *   word 0   the group's own address
 *   word 1   the region's COMPACT_NFDATA
 *   word 2   the next group, 0 at the end
 * </pre>
 */
final class DistinctGroups implements org.ghcdebug.protocol.wire.BlockSink {
  private static final int COMPACT_HEADER_BYTES = 24;

  private final BlockSink sink;
  private final LongIntMap seenStartAddrs = new LongIntMap();
  private final ByteBuf compactHeader = Unpooled.buffer(COMPACT_HEADER_BYTES, COMPACT_HEADER_BYTES);
  private final ArrayDeque<Long> nextOfCompacts = new ArrayDeque<>();
  private long startAddr;
  private boolean isNew;
  private boolean isCompact;
  private long handedOutBytes;

  DistinctGroups(BlockSink sink) {
    this.sink = sink;
  }

  /** Bytes passed on. */
  long handedOutBytes() {
    return handedOutBytes;
  }

  /** Takes away an address in a group that goes on a compact region, not passed on yet. */
  OptionalLong pollMissing() {
    while (!nextOfCompacts.isEmpty()) {
      long addr = nextOfCompacts.remove();
      if (seenStartAddrs.get(addr) == LongIntMap.MISSING) {
        return OptionalLong.of(addr);
      }
    }
    return OptionalLong.empty();
  }

  @Override
  public void begin(int flags, long groupStartAddr, long lengthBytes) {
    startAddr = groupStartAddr;
    isNew =
        lengthBytes > 0 && startAddr != 0 && seenStartAddrs.get(startAddr) == LongIntMap.MISSING;
    isCompact = isNew && BlockFlag.COMPACT.isSet(flags);
    compactHeader.clear();
    if (isNew) {
      seenStartAddrs.put(startAddr, 0);
      sink.group(new BlockGroup(startAddr, lengthBytes, flags));
    }
  }

  @Override
  public void bytes(ByteBuf bytes) {
    if (isNew) {
      handedOutBytes += bytes.readableBytes();
      if (isCompact && compactHeader.isWritable()) {
        int length = Math.min(compactHeader.writableBytes(), bytes.readableBytes());
        compactHeader.writeBytes(bytes, bytes.readerIndex(), length);
      }
      sink.contents(MemorySegment.ofBuffer(bytes.nioBuffer()));
    }
  }

  @Override
  public void end() {
    if (isCompact
        && compactHeader.readableBytes() == COMPACT_HEADER_BYTES
        && compactHeader.getLongLE(0) == startAddr
        && compactHeader.getLongLE(16) != 0) {
      nextOfCompacts.add(compactHeader.getLongLE(16));
    }
  }
}
