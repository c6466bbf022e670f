package org.ghcdebug.client.source;

import org.ghcdebug.protocol.target.AddressList;

/** A source that can hand out single block groups. Not thread-safe, like its source. */
public interface BlockLookup {
  /**
   * Hands out the block groups that contain some addresses, each group once. An address that is in
   * none, such as that of a static closure, is passed over.
   */
  void blocksAt(AddressList addresses, BlockSink sink);
}
