/**
 * GHC 9.12.
 *
 * <p>As 9.10.
 */
@NullMarked
package org.ghcdebug.protocol.layout.ghc912;

import org.jspecify.annotations.NullMarked;
