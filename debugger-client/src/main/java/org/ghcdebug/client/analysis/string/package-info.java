/**
 * Strings and byte arrays by their contents: what is there many times although once would do.
 *
 * <p>A row's bytes are those of the closures that make up its strings: constructors, the cells and
 * characters of a {@code String}, the byte arrays. Each closure counts once, in the row of the
 * string that comes first in memory, so that rows add up to no more than the heap, although strings
 * share their arrays.
 */
@NullMarked
package org.ghcdebug.client.analysis.string;

import org.jspecify.annotations.NullMarked;
