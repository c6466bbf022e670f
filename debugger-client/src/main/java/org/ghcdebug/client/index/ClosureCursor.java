package org.ghcdebug.client.index;

import org.ghcdebug.protocol.closure.InfoTable;
import org.ghcdebug.protocol.decode.ClosureWords;

/**
 * A closure while it is being looked at: its words and what it is. Moved from one closure to the
 * next, so nobody may keep it. Words 0 to {@link #sizeWords} - 1 are the closure's.
 */
public interface ClosureCursor extends ClosureWords {
  /** Without tag. */
  long address();

  InfoTable info();

  /** Size as the RTS computes it, header included. */
  long sizeWords();
}
