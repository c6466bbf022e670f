package org.ghcdebug.client.source;

import java.lang.foreign.MemorySegment;

/** Receives the heap's block groups, one after the other, in no particular order. */
public interface BlockSink {
  /**
   * A group begins; {@link #contents} follows until {@code lengthBytes} have been handed out.
   *
   * @param startAddr address of the group's first byte
   * @param lengthBytes its length, a multiple of 4096
   * @param flags the block descriptor's flags ({@code BF_LARGE} …, rts/storage/Block.h)
   */
  void group(long startAddr, long lengthBytes, int flags);

  /**
   * The next bytes of the group.
   *
   * @param bytes valid only during the call
   */
  void contents(MemorySegment bytes);
}
