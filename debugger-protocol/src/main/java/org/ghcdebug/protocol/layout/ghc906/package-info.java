/**
 * GHC 9.6.
 *
 * <p>New: delimited continuations (closure type 64), thread labels on the heap.
 */
@NullMarked
package org.ghcdebug.protocol.layout.ghc906;

import org.jspecify.annotations.NullMarked;
