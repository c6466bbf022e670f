/**
 * GHC 9.10.
 *
 * <p>New: {@code why_blocked} of a thread has 4 bytes; era profiling.
 */
@NullMarked
package org.ghcdebug.protocol.layout.ghc910;

import org.jspecify.annotations.NullMarked;
