package org.ghcdebug.protocol.closure;

/** Flags of block descriptors (rts/include/rts/storage/Block.h, {@code BF_…}), GHC 9.2 to 9.14. */
public enum BlockFlag {
  /** Filled or kept by an earlier collection. */
  EVACUATED(1),
  /** One large object at the start of the group. */
  LARGE(2),
  /** Byte arrays that never move. */
  PINNED(4),
  /** Part of a compact region. */
  COMPACT(512),
  /** In the heap of the non-moving collector. */
  NONMOVING(1024);

  private final int bit;

  BlockFlag(int bit) {
    this.bit = bit;
  }

  public int bit() {
    return bit;
  }

  /** Whether it is among the flags of a group. */
  public boolean isSet(int flags) {
    return (flags & bit) != 0;
  }
}
