/**
 * What the other side is: its GHC, way and word size, and typed pointers into its memory.
 *
 * <p>All supported targets have 8-byte words, little-endian, with tables next to code.
 */
@NullMarked
package org.ghcdebug.protocol.target;

import org.jspecify.annotations.NullMarked;
