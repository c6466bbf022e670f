/**
 * GHC 9.4.
 *
 * <p>As 9.2.
 */
@NullMarked
package org.ghcdebug.protocol.layout.ghc904;

import org.jspecify.annotations.NullMarked;
