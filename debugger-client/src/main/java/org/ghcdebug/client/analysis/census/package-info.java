/**
 * What fills the heap: reachable closures grouped by what they are.
 *
 * <p>By what info tables tell, a census adds up the counts of a {@link
 * org.ghcdebug.client.index.HeapTally} and reads no closure, only names; by size, generation or
 * cost-centre stack it goes over the closures once. Two or more are compared by {@link
 * org.ghcdebug.client.analysis.census.CensusDiff} and {@link
 * org.ghcdebug.client.analysis.census.CensusTrend}.
 */
@NullMarked
package org.ghcdebug.client.analysis.census;

import org.jspecify.annotations.NullMarked;
