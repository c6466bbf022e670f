/**
 * GHC 9.14.
 *
 * <p>New: stack annotations (closure type 65).
 */
@NullMarked
package org.ghcdebug.protocol.layout.ghc914;

import org.jspecify.annotations.NullMarked;
