package org.ghcdebug.client.source.snapshot;

import io.netty.buffer.ByteBuf;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.ghcdebug.client.source.BlockGroup;
import org.ghcdebug.client.source.BlockSink;
import org.ghcdebug.protocol.decode.ClosureWords;
import org.ghcdebug.protocol.target.Target;
import org.jspecify.annotations.Nullable;

/**
 * The blocks of a recorded heap, off-heap, found by address with a binary search over the groups.
 *
 * <p>Filled as a sink, then {@linkplain #seal sealed}; from then on read-only. Memory: the blocks,
 * in chunks of 16 MiB that are allocated as bytes arrive, and an object a group.
 */
final class BlockStore implements org.ghcdebug.protocol.wire.BlockSink, AutoCloseable {
  private static final int BLOCK_BYTES = 4096;
  private static final int CHUNK_SHIFT = 24;
  private static final long CHUNK_BYTES = 1L << CHUNK_SHIFT;
  private static final ValueLayout.OfLong WORD =
      ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final Arena arena = Arena.ofShared();
  private final List<MemorySegment> chunks = new ArrayList<>();
  private final Set<Long> seenStartAddrs = new HashSet<>();
  private List<Group> groups = new ArrayList<>();
  private long sizeBytes;
  private @Nullable Group current;

  /**
   * A block group.
   *
   * @param offset place of its first byte in the store
   */
  private record Group(long startAddr, long lengthBytes, int flags, long offset) {
    long endAddr() {
      return startAddr + lengthBytes;
    }
  }

  @Override
  public void begin(int flags, long startAddr, long lengthBytes) {
    boolean isWanted =
        lengthBytes > 0
            && startAddr > 0
            && (startAddr | lengthBytes) % BLOCK_BYTES == 0
            && seenStartAddrs.add(startAddr);
    current = isWanted ? new Group(startAddr, lengthBytes, flags, sizeBytes) : null;
  }

  @Override
  public void bytes(ByteBuf bytes) {
    if (current == null) {
      return;
    }
    while (bytes.isReadable()) {
      int chunk = (int) (sizeBytes >>> CHUNK_SHIFT);
      if (chunk == chunks.size()) {
        chunks.add(arena.allocate(CHUNK_BYTES, Target.WORD_BYTES));
      }
      long at = sizeBytes & (CHUNK_BYTES - 1);
      int length = (int) Math.min(bytes.readableBytes(), CHUNK_BYTES - at);
      bytes.readBytes(chunks.get(chunk).asSlice(at, length).asByteBuffer());
      sizeBytes += length;
    }
  }

  @Override
  public void end() {
    if (current != null) {
      groups.add(current);
      current = null;
    }
  }

  /** No more blocks come. A group that did not end is left out, and so is one inside another. */
  void seal() {
    groups.sort(
        Comparator.comparingLong(Group::startAddr)
            .thenComparing(Comparator.comparingLong(Group::lengthBytes).reversed()));
    List<Group> disjoint = new ArrayList<>(groups.size());
    long endAddr = 0;
    for (Group group : groups) {
      if (group.startAddr() >= endAddr) {
        disjoint.add(group);
        endAddr = group.endAddr();
      }
    }
    groups = disjoint;
    seenStartAddrs.clear();
  }

  /** The memory from an aligned address to the end of its group; {@code null} outside. */
  @Nullable ClosureWords find(long addr) {
    int low = 0;
    int high = groups.size();
    while (low < high) { // the first group that begins after addr
      int middle = (low + high) >>> 1;
      if (groups.get(middle).startAddr() <= addr) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    if (low == 0 || addr >= groups.get(low - 1).endAddr()) {
      return null;
    }
    Group group = groups.get(low - 1);
    long offset = group.offset() + (addr - group.startAddr());
    return new View(offset, (int) ((group.endAddr() - addr) / Target.WORD_BYTES));
  }

  /** Words of the store from a place on. */
  private final class View implements ClosureWords {
    private final long offset;
    private final int length;

    View(long offset, int length) {
      this.offset = offset;
      this.length = length;
    }

    @Override
    public long word(int index) {
      long at = offset + (long) index * Target.WORD_BYTES;
      return chunks.get((int) (at >>> CHUNK_SHIFT)).get(WORD, at & (CHUNK_BYTES - 1));
    }

    @Override
    public int length() {
      return length;
    }
  }

  /** Bytes of all groups. */
  long sizeBytes() {
    return groups.stream().mapToLong(Group::lengthBytes).sum();
  }

  /** Hands out every group once, by address. */
  long handOut(BlockSink sink) {
    long total = 0;
    for (Group group : groups) {
      sink.group(new BlockGroup(group.startAddr(), group.lengthBytes(), group.flags()));
      long end = group.offset() + group.lengthBytes();
      for (long offset = group.offset(); offset < end; ) {
        long at = offset & (CHUNK_BYTES - 1);
        long length = Math.min(end - offset, CHUNK_BYTES - at);
        sink.contents(chunks.get((int) (offset >>> CHUNK_SHIFT)).asSlice(at, length).asReadOnly());
        offset += length;
      }
      total += group.lengthBytes();
    }
    return total;
  }

  /** Frees the blocks. */
  @Override
  public void close() {
    if (arena.scope().isAlive()) {
      arena.close();
    }
  }
}
