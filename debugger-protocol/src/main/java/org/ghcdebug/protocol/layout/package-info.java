/**
 * Where the fields of closures are, as far as GHC releases and ways differ; for reading and for
 * writing.
 *
 * <p>What never differs between GHC 9.2 and 9.14 is not a parameter here: it is in the pictures of
 * {@link org.ghcdebug.protocol.closure.Closure}. Each release has a package of its own below this
 * one, named by its {@code __GLASGOW_HASKELL__}; {@code decode.Layouts} chooses among them.
 */
@NullMarked
package org.ghcdebug.protocol.layout;

import org.jspecify.annotations.NullMarked;
