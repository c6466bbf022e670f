package org.ghcdebug.protocol.snapshot;

import org.ghcdebug.protocol.wire.BlockSink;
import org.ghcdebug.protocol.wire.Request;
import org.ghcdebug.protocol.wire.Response;

/** Takes the entries of a snapshot. */
public interface SnapshotSink {
  /**
   * What the debuggee answered to a request other than ALL_BLOCKS and BLOCK.
   *
   * @param request with one address where it has a list
   */
  void entry(Request request, Response response);

  /**
   * What the debuggee answered to {@link Request.AllBlocks} or {@link Request.Block}: blocks
   * follow, the same one perhaps several times.
   *
   * @return takes these blocks
   */
  BlockSink blocks(Request request);
}
