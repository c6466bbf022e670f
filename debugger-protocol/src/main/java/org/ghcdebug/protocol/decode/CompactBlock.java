package org.ghcdebug.protocol.decode;

import org.jspecify.annotations.Nullable;

/**
 * The start of a block group of a compact region (RTS {@code StgCompactNFDataBlock},
 * rts/storage/Closures.h).
 *
 * <pre>
 *   0      self, the group's own address
 *   1      owner, the region's COMPACT_NFDATA
 *   2      next group, 0 for none
 *   3      in the first group the COMPACT_NFDATA, then closures; in others closures
 * </pre>
 *
 * <p>The collector keeps or frees a region as a whole, so that each closure inside refers to the
 * owner, too ({@link org.ghcdebug.protocol.closure.EdgeKind#COMPACT_REGION}).
 *
 * @param ownerAddr address of the region's COMPACT_NFDATA
 * @param nextAddr start of the next group, 0 for none
 */
public record CompactBlock(long ownerAddr, long nextAddr) {
  /** Words before the first closure. */
  public static final int HEADER_WORDS = 3;

  /**
   * Reads a group that the RTS has flagged as compact; {@code null} when its first word is not its
   * address.
   *
   * @param group the memory of the group from its start
   */
  public static @Nullable CompactBlock read(long groupAddr, ClosureWords group) {
    return group.length() >= HEADER_WORDS && group.word(0) == groupAddr
        ? new CompactBlock(group.word(1), group.word(2))
        : null;
  }
}
