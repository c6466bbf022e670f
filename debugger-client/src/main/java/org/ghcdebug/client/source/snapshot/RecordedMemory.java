package org.ghcdebug.client.source.snapshot;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToLongFunction;
import org.ghcdebug.client.source.BlockGroup;
import org.ghcdebug.client.source.BlockSink;
import org.ghcdebug.client.source.ProgramCode;
import org.ghcdebug.protocol.decode.ClosureWords;
import org.ghcdebug.protocol.snapshot.Chunk;
import org.ghcdebug.protocol.snapshot.ChunkKind;
import org.ghcdebug.protocol.snapshot.Extent;
import org.jspecify.annotations.Nullable;

/**
 * The memory in a snapshot's chunks of one kind, found by address with a binary search.
 *
 * <p>A range is a block group, a closure or a stretch of static memory: an extent and what
 * continues it, over any number of chunks. Memory: two objects an extent, of which a chunk of a
 * nursery has 16, one of a large object one. Read-only.
 */
final class RecordedMemory implements ProgramCode.Memory {
  private final ChunkCache chunks;
  private final boolean isOfClosures;
  private final List<Range> ranges; // in the order of the file
  private final List<Range> byAddress;

  /** Part of a range that is in one chunk, at {@code offset} of its payload. */
  private record Piece(long startAddr, int lengthBytes, Chunk chunk, int offset) {
    long endAddr() {
      return startAddr + lengthBytes;
    }
  }

  /** What belongs together, in one piece or several; it grows while the directory is read. */
  private static final class Range {
    private final int flags;
    private final List<Piece> pieces = new ArrayList<>(1); // one behind the other

    Range(int flags) {
      this.flags = flags;
    }

    long startAddr() {
      return pieces.getFirst().startAddr();
    }

    long endAddr() {
      return pieces.getLast().endAddr();
    }

    long lengthBytes() {
      return endAddr() - startAddr();
    }

    Piece piece(long addr) {
      return pieces.get(lastNotAfter(pieces, Piece::startAddr, addr));
    }
  }

  /** Index of the last element whose address is not above {@code addr}, -1 when there is none. */
  private static <T> int lastNotAfter(List<T> sorted, ToLongFunction<T> address, long addr) {
    int low = 0;
    int high = sorted.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (address.applyAsLong(sorted.get(middle)) <= addr) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low - 1;
  }

  /**
   * Closures are found by their first address only, since who recorded them may have been wrong
   * about where they end. Of other ranges that overlap, which happens in malformed files only, one
   * is used.
   */
  RecordedMemory(ChunkKind kind, List<Chunk> all, ChunkCache chunks) {
    this.chunks = chunks;
    this.isOfClosures = kind == ChunkKind.CLOSURES;
    List<Range> found = new ArrayList<>();
    for (Chunk chunk : all) {
      if (chunk.kindNumber() == kind.number()) {
        addRanges(chunk, found);
      }
    }
    this.ranges = isOfClosures ? found : disjoint(found);
    this.byAddress = new ArrayList<>(ranges);
    byAddress.sort(Comparator.comparingLong(Range::startAddr));
  }

  private static void addRanges(Chunk chunk, List<Range> ranges) {
    int offset = 0;
    for (Extent extent : chunk.extents()) {
      boolean continues =
          extent.isContinuation()
              && !ranges.isEmpty()
              && ranges.getLast().endAddr() == extent.addr();
      if (!continues) {
        ranges.add(new Range(extent.flags()));
      }
      Range range = ranges.getLast();
      range.pieces.add(new Piece(extent.addr(), extent.lengthBytes(), chunk, offset));
      offset += extent.lengthBytes();
    }
  }

  private static List<Range> disjoint(List<Range> ranges) {
    List<Range> byAddress = new ArrayList<>(ranges);
    byAddress.sort(Comparator.comparingLong(Range::startAddr)); // stable
    Set<Range> overlapping = new HashSet<>();
    long endAddr = 0;
    for (Range range : byAddress) {
      if (range.startAddr() < endAddr) {
        overlapping.add(range);
      } else {
        endAddr = range.endAddr();
      }
    }
    List<Range> disjoint = new ArrayList<>(ranges);
    disjoint.removeAll(overlapping);
    return disjoint;
  }

  /** Bytes of all ranges. */
  long sizeBytes() {
    return ranges.stream().mapToLong(Range::lengthBytes).sum();
  }

  /**
   * The words from an address to the end of its range; {@code null} outside, or unless it is a
   * multiple of 8. Reading a word throws {@link org.ghcdebug.protocol.error.MalformedDataException}
   * when its chunk is damaged.
   */
  @Override
  public @Nullable ClosureWords find(long addr) {
    Range range = addr % Long.BYTES == 0 ? findRange(addr) : null;
    return range == null || range.endAddr() - addr < Long.BYTES ? null : new View(range, addr);
  }

  /** A byte, or -1 outside. */
  @Override
  public int findByte(long addr) {
    Range range = findRange(addr);
    if (range == null) {
      return -1;
    }
    Piece piece = range.piece(addr);
    return chunks.read(piece.chunk())[piece.offset() + (int) (addr - piece.startAddr())] & 0xff;
  }

  private @Nullable Range findRange(long addr) {
    int index = lastNotAfter(byAddress, Range::startAddr, addr);
    if (index < 0) {
      return null;
    }
    Range range = byAddress.get(index);
    boolean isThere = isOfClosures ? range.startAddr() == addr : addr < range.endAddr();
    return isThere ? range : null;
  }

  /** Words of a range from an address on. */
  private final class View implements ClosureWords {
    private final Range range;
    private final long addr;
    private Piece piece; // the one read last
    private byte[] payload;

    View(Range range, long addr) {
      this.range = range;
      this.addr = addr;
      this.piece = range.piece(addr);
      this.payload = chunks.read(piece.chunk());
    }

    @Override
    public long word(int index) {
      long wordAddr = addr + (long) index * Long.BYTES;
      if (wordAddr < piece.startAddr() || wordAddr >= piece.endAddr()) {
        piece = range.piece(wordAddr);
        payload = chunks.read(piece.chunk());
      }
      return LittleEndian.word(payload, piece.offset() + (int) (wordAddr - piece.startAddr()));
    }

    @Override
    public int length() {
      return (int) Math.min((range.endAddr() - addr) / Long.BYTES, Integer.MAX_VALUE);
    }
  }

  /** Every range as a block group, in the order of {@link #handOut}. */
  List<BlockGroup> groups(Map<Long, BlockGroup> known) {
    return ranges.stream().map(range -> group(range, known)).toList();
  }

  private static BlockGroup group(Range range, Map<Long, BlockGroup> known) {
    BlockGroup group = known.get(range.startAddr());
    return group != null && group.lengthBytes() == range.lengthBytes()
        ? group
        : new BlockGroup(range.startAddr(), range.lengthBytes(), range.flags);
  }

  /**
   * Hands out every range, in the order of the file. What cannot be read is handed out as zeros, in
   * which no closure is found.
   *
   * @param groups what more is known of block groups, by address
   */
  long handOut(Map<Long, BlockGroup> groups, BlockSink sink) {
    long total = 0;
    for (Range range : ranges) {
      sink.group(group(range, groups));
      for (Piece piece : range.pieces) {
        byte[] payload = chunks.readOrZeros(piece.chunk());
        sink.contents(
            MemorySegment.ofArray(payload)
                .asSlice(piece.offset(), piece.lengthBytes())
                .asReadOnly());
      }
      total += range.lengthBytes();
    }
    return total;
  }
}
