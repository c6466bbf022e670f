/**
 * GHC 9.2.
 *
 * <p>The first release whose RTS can be paused from outside. Thread labels are not on the heap.
 */
@NullMarked
package org.ghcdebug.protocol.layout.ghc902;

import org.jspecify.annotations.NullMarked;
