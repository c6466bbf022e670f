package org.ghcdebug.stub.heap;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Gives closures their place in blocks and megablocks as the RTS does (rts/sm/BlockAlloc.c,
 * rts/sm/Storage.c).
 *
 * <p>A megablock is 1 MiB, aligned; its first four blocks hold descriptors, the other 252 can be
 * used. A closure of 409 words or more has a group of its own. A group that does not fit in one
 * megablock takes whole ones, and runs on through where the later ones' descriptors would be.
 */
final class BlockAllocator {
  static final int BLOCK_BYTES = 4096;

  private static final long HEAP_START_ADDR = 0x42_0000_0000L;
  private static final int MEGABLOCK_BYTES = 1 << 20;
  private static final int MEGABLOCK_BLOCKS = MEGABLOCK_BYTES / BLOCK_BYTES;
  private static final int DESCRIPTOR_BLOCKS = 4;
  private static final int USABLE_BLOCKS = MEGABLOCK_BLOCKS - DESCRIPTOR_BLOCKS;
  private static final int LARGE_OBJECT_WORDS = 409;

  private final List<Region> groups = new ArrayList<>();
  private long megablockAddr = HEAP_START_ADDR;
  private int nextBlock = DESCRIPTOR_BLOCKS;
  private @Nullable Region current;
  private @Nullable Region currentPinned;

  /** All groups so far, by ascending address. */
  List<Region> groups() {
    return groups;
  }

  /** The region in which to reserve an ordinary closure's words. */
  Region forClosure(int sizeWords) {
    if (sizeWords >= LARGE_OBJECT_WORDS) {
      return group(8L * sizeWords, BlockGroup.LARGE | BlockGroup.EVACUATED);
    }
    if (current == null || !current.hasRoomFor(8 * sizeWords)) {
      current = group(BLOCK_BYTES, BlockGroup.EVACUATED);
    }
    return current;
  }

  /** The region in which to reserve a pinned byte array's words. */
  Region forPinned(int sizeWords) {
    if (sizeWords >= LARGE_OBJECT_WORDS) {
      return group(8L * sizeWords, BlockGroup.LARGE | BlockGroup.PINNED);
    }
    if (currentPinned == null || !currentPinned.hasRoomFor(8 * sizeWords)) {
      currentPinned = group(BLOCK_BYTES, BlockGroup.PINNED);
    }
    return currentPinned;
  }

  /** A new group of at least that length. */
  Region group(long bytes, int flags) {
    long blocks = Math.ceilDiv(bytes, BLOCK_BYTES);
    if (blocks > MEGABLOCK_BLOCKS - nextBlock) {
      megablockAddr += MEGABLOCK_BYTES;
      nextBlock = DESCRIPTOR_BLOCKS;
    }
    long startAddr = megablockAddr + (long) nextBlock * BLOCK_BYTES;
    if (blocks < USABLE_BLOCKS) {
      nextBlock += (int) blocks;
    } else {
      long laterMegablocks = Math.ceilDiv(blocks - USABLE_BLOCKS, MEGABLOCK_BLOCKS);
      blocks = USABLE_BLOCKS + laterMegablocks * MEGABLOCK_BLOCKS;
      megablockAddr += (1 + laterMegablocks) * MEGABLOCK_BYTES;
      nextBlock = DESCRIPTOR_BLOCKS;
    }
    var group = Region.blocks(startAddr, Math.toIntExact(blocks * BLOCK_BYTES), flags);
    groups.add(group);
    return group;
  }
}
