package org.ghcdebug.client.source;

import java.lang.foreign.MemorySegment;

/** Receives the heap's block groups, one after the other, in no particular order. */
public interface BlockSink {
  /**
   * A group begins; {@link #contents} follows until its length has been handed out. Behind the used
   * bytes there can be zeros in place of what is there.
   */
  void group(BlockGroup group);

  /**
   * The next bytes of the group.
   *
   * @param bytes valid only during the call
   */
  void contents(MemorySegment bytes);
}
