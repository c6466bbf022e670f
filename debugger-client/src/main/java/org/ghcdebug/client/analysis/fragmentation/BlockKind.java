package org.ghcdebug.client.analysis.fragmentation;

import org.ghcdebug.client.source.BlockGroup;
import org.ghcdebug.protocol.closure.BlockFlag;

/** What blocks are for, by their flags (RTS rts/storage/Block.h). */
public enum BlockKind {
  /** Small closures, among them the allocation areas. */
  SMALL(
      "small closures",
      "allocation areas, and what died since the last collection; -A sets their size, -F how much"
          + " an old generation may grow before it is collected"),
  /** One closure of 3 KiB and more, in blocks of its own. */
  LARGE("large closures", "dead ones are free after the next collection of their generation"),
  /** Byte arrays that may not be moved, many to a block. */
  PINNED(
      "pinned byte arrays",
      "one living array holds its whole block; copy small slices (Data.ByteString.copy), or use"
          + " ShortByteString or Text for small data that is kept"),
  /** Compact regions. */
  COMPACT("compact regions", "a region lives and dies as a whole; compact what is still used anew"),
  /** Segments of the non-moving collector. */
  NONMOVING(
      "non-moving segments",
      "cells of one size are only used again for that size; without --nonmoving-gc they are"
          + " compacted");

  private final String label;
  private final String advice;

  BlockKind(String label, String advice) {
    this.label = label;
    this.advice = advice;
  }

  /** For display. */
  public String label() {
    return label;
  }

  /** What keeps such blocks from being free, and what to do about it. */
  public String advice() {
    return advice;
  }

  /** The kind of a group. */
  static BlockKind of(BlockGroup group) {
    int flags = group.flags();
    if (BlockFlag.COMPACT.isSet(flags)) {
      return COMPACT;
    }
    // A large pinned array has both flags, and its blocks for itself, if it has several.
    boolean isShared = group.lengthBytes() == BLOCK_BYTES;
    if (BlockFlag.PINNED.isSet(flags) && (!BlockFlag.LARGE.isSet(flags) || isShared)) {
      return PINNED;
    }
    if (BlockFlag.LARGE.isSet(flags)) {
      return LARGE;
    }
    return BlockFlag.NONMOVING.isSet(flags) ? NONMOVING : SMALL;
  }

  private static final int BLOCK_BYTES = 4096;
}
