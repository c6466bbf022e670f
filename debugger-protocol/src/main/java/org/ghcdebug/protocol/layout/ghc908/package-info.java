/**
 * GHC 9.8.
 *
 * <p>As 9.6.
 */
@NullMarked
package org.ghcdebug.protocol.layout.ghc908;

import org.jspecify.annotations.NullMarked;
