package org.ghcdebug.client.source;

import java.util.Map;
import org.ghcdebug.protocol.closure.PointerBitmap;
import org.ghcdebug.protocol.target.AddressList;

/**
 * A heap that knows what it can be asked, so that it can be recorded whole. Not thread-safe, like
 * its source.
 */
public interface RecordableHeap extends HeapSource {
  /** Number of block groups that {@link #blocks} hands out. */
  int groupCount();

  /** Info pointers of all closures and stack frames that are reachable, where a table is known. */
  AddressList infoAddrs();

  /** The cost-centre stacks that reachable closures were allocated by, and those below them. */
  AddressList costCentreStackAddrs();

  /** Reachable closures that are in no block: static ones, mostly. */
  AddressList outsideAddrs();

  /** Hands out the bitmaps that info tables do not contain, by what they depend on. */
  void codeBitmaps(CodeBitmapSink sink);

  /** Hands out the bitmap of every reachable stack frame and applied function. O(blocks). */
  void bitmaps(BitmapSink sink);

  /** How much is reachable, and what of it could not be read, by key. */
  Map<String, String> summary();

  /** Takes bitmaps by what they depend on. */
  interface CodeBitmapSink {
    /** The arguments of all functions of that info pointer. */
    void function(long infoAddr, int arguments, PointerBitmap bitmap);

    /**
     * A frame's payload.
     *
     * @param key the info pointer for a RET_BIG frame, else the frame's address
     */
    void frame(long key, PointerBitmap bitmap);
  }

  /** Takes bitmaps by who has them, one perhaps several times. */
  interface BitmapSink {
    /** The arguments of a function that something applies; never of a BCO. */
    void function(HeapSource.FunArguments function, PointerBitmap bitmap);

    /** The payload of a frame; never of a RET_BCO. */
    void frame(HeapSource.FrameAddress frame, PointerBitmap bitmap);
  }
}
