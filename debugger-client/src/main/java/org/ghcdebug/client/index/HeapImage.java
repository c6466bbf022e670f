package org.ghcdebug.client.index;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.ghcdebug.client.collections.LongList;
import org.ghcdebug.client.source.BlockGroup;
import org.ghcdebug.client.source.BlockSink;
import org.ghcdebug.client.source.HeapSource;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.protocol.closure.BlockFlag;
import org.ghcdebug.protocol.error.MalformedDataException;

/**
 * A copy of the heap's blocks, off-heap, with a table from addresses to places in the copy.
 *
 * <p>Block groups stand one behind the other in the order they came; a place in the image is a byte
 * offset. Looking up an address is three dependent array reads:
 *
 * <pre>
 *  address bits   46..34            33..20              19..12         11..0
 *                 regions[8192] --> megablocks[16384] --> slots[256] --> byte in the block
 * </pre>
 *
 * <p>Memory: the blocks themselves, off-heap up to half of the machine's memory and beyond that in
 * a mapped temporary file, plus 8 bytes per 4 KiB block. Read-only and safe to share once read;
 * {@link #close} frees the blocks.
 */
public final class HeapImage implements AutoCloseable {
  /** What {@link #offset} answers for an address that is in no block. */
  public static final long OUTSIDE = -1;

  /** RTS {@code BLOCK_SIZE}. */
  public static final int BLOCK_BYTES = 4096;

  private static final int BLOCK_SHIFT = 12;
  private static final int MEGABLOCK_SHIFT = 20;
  private static final int REGION_SHIFT = 34;
  private static final int ADDRESS_BITS = 47;
  private static final int MEGABLOCKS_PER_REGION = 1 << (REGION_SHIFT - MEGABLOCK_SHIFT);
  private static final int BLOCKS_PER_MEGABLOCK = 1 << (MEGABLOCK_SHIFT - BLOCK_SHIFT);

  private static final int CHUNK_SHIFT = Long.numberOfTrailingZeros(ImageMemory.CHUNK_BYTES);

  private static final long CHUNK_BYTES = ImageMemory.CHUNK_BYTES;
  private static final ValueLayout.OfLong WORD =
      ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final ImageMemory memory;
  private MemorySegment[] chunks = new MemorySegment[0];
  private long sizeBytes;
  private boolean hasCompactRegions;

  // Tables hold index + 1 of the next level, so that a fresh table means "nothing here".
  private final int[] regions = new int[1 << (ADDRESS_BITS - REGION_SHIFT)];
  private int[] megablocks = new int[0]; // region table × megablock -> slot table
  private int[] slots = new int[0]; // slot table × block -> block's number in the image + 1
  private int usedSlotTables;
  private int[] groupOfSlot = new int[0]; // block's number in the image -> group's number
  private final List<BlockGroup> groups = new ArrayList<>();
  private final LongList groupStartOffset = new LongList(); // group -> offset; one more at the end

  private HeapImage(ImageMemory memory) {
    this.memory = memory;
  }

  /**
   * Copies all blocks of a source that holds still.
   *
   * @throws MalformedDataException when a block is not aligned, overlaps another or lies outside
   *     the user half of the address space
   */
  public static HeapImage read(HeapSource source, Work work) {
    return read(source, work, new ImageMemory(ImageMemory.DEFAULT_BUDGET));
  }

  /**
   * Likewise.
   *
   * @param memory belongs to the image from now on, also when reading fails
   */
  static HeapImage read(HeapSource source, Work work, ImageMemory memory) {
    HeapImage image = new HeapImage(memory);
    try {
      Reader reader = image.new Reader(source.description(), work);
      source.blocks(reader);
      reader.finishGroup();
      image.groupStartOffset.add(image.sizeBytes);
      return image;
    } catch (Throwable failure) {
      image.close();
      throw failure;
    }
  }

  /**
   * The places of blocks without what is in them, for who has read that before.
   *
   * @throws MalformedDataException as {@link #read}
   */
  static HeapImage withoutContents(String description, List<BlockGroup> groups) {
    HeapImage image = new HeapImage(new ImageMemory(0));
    Reader reader = image.new Reader(description, Work.UNATTENDED);
    for (BlockGroup group : groups) {
      reader.group(group);
      image.sizeBytes = reader.groupEndOffset;
    }
    image.groupStartOffset.add(image.sizeBytes);
    return image;
  }

  /** Bytes of all blocks. */
  public long sizeBytes() {
    return sizeBytes;
  }

  /** Number of block groups. */
  public int groupCount() {
    return groups.size();
  }

  /** The place of an address, or {@link #OUTSIDE}. */
  public long offset(long addr) {
    if (addr >>> ADDRESS_BITS != 0) {
      return OUTSIDE;
    }
    int region = regions[(int) (addr >>> REGION_SHIFT)];
    if (region == 0) {
      return OUTSIDE;
    }
    int megablock =
        megablocks[
            (region - 1) * MEGABLOCKS_PER_REGION
                + (int) (addr >>> MEGABLOCK_SHIFT & (MEGABLOCKS_PER_REGION - 1))];
    if (megablock == 0) {
      return OUTSIDE;
    }
    int slot =
        slots[
            (megablock - 1) * BLOCKS_PER_MEGABLOCK
                + (int) (addr >>> BLOCK_SHIFT & (BLOCKS_PER_MEGABLOCK - 1))];
    return slot == 0 ? OUTSIDE : ((long) (slot - 1) << BLOCK_SHIFT) + (addr & (BLOCK_BYTES - 1));
  }

  /** The address of a place. */
  public long address(long offset) {
    int group = group(offset);
    return groups.get(group).startAddr() + (offset - groupStartOffset.get(group));
  }

  /** The word at a place that is a multiple of 8. */
  public long word(long offset) {
    return chunks[(int) (offset >>> CHUNK_SHIFT)].get(WORD, offset & (CHUNK_BYTES - 1));
  }

  /** Where the block group of a place ends: no closure reaches beyond it. */
  public long groupEnd(long offset) {
    return groupStartOffset.get(group(offset) + 1);
  }

  /** Where the block group of a place begins. */
  public long groupStart(long offset) {
    return groupStartOffset.get(group(offset));
  }

  /** The block groups, in the order they came. */
  public List<BlockGroup> groups() {
    return Collections.unmodifiableList(groups);
  }

  /** The block group of a place. */
  public BlockGroup groupAt(long offset) {
    return groups.get(group(offset));
  }

  /** Whether the source said of any group in which generation it is. */
  public boolean tellsGenerations() {
    return groups.stream().anyMatch(it -> it.generation() != BlockGroup.UNKNOWN_GENERATION);
  }

  /** The generation of an address; {@link BlockGroup#UNKNOWN_GENERATION} also outside blocks. */
  public int generation(long addr) {
    long offset = offset(addr);
    return offset == OUTSIDE ? BlockGroup.UNKNOWN_GENERATION : groupAt(offset).generation();
  }

  /** The block flags of the group of a place. */
  public int groupFlags(long offset) {
    return groups.get(group(offset)).flags();
  }

  /** Whether any group belongs to a compact region. */
  public boolean hasCompactRegions() {
    return hasCompactRegions;
  }

  /** The number of the block group of a place, in {@link #groups}. */
  public int groupIndex(long offset) {
    return group(offset);
  }

  private int group(long offset) {
    return groupOfSlot[(int) (offset >>> BLOCK_SHIFT)];
  }

  /** Hands out every block group, in the order they came. */
  public void handOut(BlockSink sink) {
    for (int group = 0; group < groupCount(); group++) {
      long offset = groupStartOffset.get(group);
      long end = groupStartOffset.get(group + 1);
      sink.group(groups.get(group));
      while (offset < end) {
        long at = offset & (CHUNK_BYTES - 1);
        long length = Math.min(end - offset, CHUNK_BYTES - at);
        sink.contents(chunks[(int) (offset >>> CHUNK_SHIFT)].asSlice(at, length));
        offset += length;
      }
    }
  }

  @Override
  public void close() {
    memory.close();
  }

  private final class Reader implements BlockSink {
    private final String description;
    private final Work work;
    private long groupEndOffset;

    Reader(String description, Work work) {
      this.description = description;
      this.work = work;
    }

    @Override
    public void group(BlockGroup begun) {
      finishGroup();
      long startAddr = begun.startAddr();
      long lengthBytes = begun.lengthBytes();
      if ((startAddr | lengthBytes) % BLOCK_BYTES != 0
          || lengthBytes < 0
          || startAddr >>> ADDRESS_BITS != 0
          || startAddr + lengthBytes >>> ADDRESS_BITS != 0) {
        throw malformed(
            "block group at 0x%016x of %d bytes; expected whole 4096-byte blocks below 2^47"
                .formatted(startAddr, lengthBytes));
      }
      int group = groups.size();
      groups.add(begun);
      groupStartOffset.add(sizeBytes);
      hasCompactRegions |= BlockFlag.COMPACT.isSet(begun.flags());
      groupEndOffset = sizeBytes + lengthBytes;
      int firstSlot = (int) (sizeBytes >>> BLOCK_SHIFT);
      int slotCount = Math.toIntExact(groupEndOffset >>> BLOCK_SHIFT);
      if (slotCount > groupOfSlot.length) {
        groupOfSlot = Arrays.copyOf(groupOfSlot, Math.max(slotCount, 2 * groupOfSlot.length));
      }
      for (int slot = firstSlot; slot < slotCount; slot++) {
        groupOfSlot[slot] = group;
        enter(startAddr + ((long) (slot - firstSlot) << BLOCK_SHIFT), slot);
      }
    }

    @Override
    public void contents(MemorySegment bytes) {
      long left = bytes.byteSize();
      if (left > groupEndOffset - sizeBytes) {
        throw malformed("more bytes than the block group's length says");
      }
      for (long from = 0; left > 0; ) {
        MemorySegment chunk = chunkOf(sizeBytes);
        long at = sizeBytes & (CHUNK_BYTES - 1);
        long length = Math.min(left, CHUNK_BYTES - at);
        MemorySegment.copy(bytes, from, chunk, at, length);
        sizeBytes += length;
        from += length;
        left -= length;
      }
      work.progress("copying blocks (bytes)", sizeBytes, -1);
      work.checkStopped();
    }

    void finishGroup() {
      if (sizeBytes != groupEndOffset) {
        throw malformed("block group ends %d bytes early".formatted(groupEndOffset - sizeBytes));
      }
    }

    private MemorySegment chunkOf(long offset) {
      int chunk = (int) (offset >>> CHUNK_SHIFT);
      if (chunk == chunks.length) {
        chunks = Arrays.copyOf(chunks, chunk + 1);
        chunks[chunk] = memory.chunk();
      }
      return chunks[chunk];
    }

    private void enter(long blockAddr, int slot) {
      int regionIndex = (int) (blockAddr >>> REGION_SHIFT);
      if (regions[regionIndex] == 0) {
        regions[regionIndex] = megablocks.length / MEGABLOCKS_PER_REGION + 1;
        megablocks = Arrays.copyOf(megablocks, megablocks.length + MEGABLOCKS_PER_REGION);
      }
      int megablockIndex =
          (regions[regionIndex] - 1) * MEGABLOCKS_PER_REGION
              + (int) (blockAddr >>> MEGABLOCK_SHIFT & (MEGABLOCKS_PER_REGION - 1));
      if (megablocks[megablockIndex] == 0) {
        usedSlotTables++;
        if (usedSlotTables * BLOCKS_PER_MEGABLOCK > slots.length) {
          slots = Arrays.copyOf(slots, Math.max(1024, 2 * slots.length));
        }
        megablocks[megablockIndex] = usedSlotTables;
      }
      int slotIndex =
          (megablocks[megablockIndex] - 1) * BLOCKS_PER_MEGABLOCK
              + (int) (blockAddr >>> BLOCK_SHIFT & (BLOCKS_PER_MEGABLOCK - 1));
      if (slots[slotIndex] != 0) {
        throw malformed("block 0x%016x belongs to two block groups".formatted(blockAddr));
      }
      slots[slotIndex] = slot + 1;
    }

    private MalformedDataException malformed(String problem) {
      return new MalformedDataException(description + " (heap blocks)", sizeBytes, problem);
    }
  }
}
