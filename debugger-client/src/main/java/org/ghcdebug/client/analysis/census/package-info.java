/**
 * What fills the heap: reachable closures grouped by what they are.
 *
 * <p>A census adds up the per-info-table counts of a {@link org.ghcdebug.client.index.HeapTally};
 * it reads no closure, only names.
 */
@NullMarked
package org.ghcdebug.client.analysis.census;

import org.jspecify.annotations.NullMarked;
