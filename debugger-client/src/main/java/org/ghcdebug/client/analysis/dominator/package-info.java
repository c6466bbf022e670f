/**
 * What each closure keeps alive by itself.
 *
 * <p>A closure dominates another when every path from a root to that other leads through it: if it
 * went, the other would go. {@link org.ghcdebug.client.analysis.dominator.Dominators} finds the
 * nearest dominator of every closure by the semi-NCA algorithm (Georgiadis, Tarjan and Werneck,
 * "Finding dominators in practice", 2006) over a virtual root above all roots of a {@link
 * org.ghcdebug.client.index.HeapGraph}, and adds sizes up along the tree.
 *
 * <pre>{@code
 * Dominators dominators = Dominators.of(graph, Work.UNATTENDED);
 * long kept = dominators.retainedBytes(graph.id(address));
 * }</pre>
 */
@NullMarked
package org.ghcdebug.client.analysis.dominator;

import org.jspecify.annotations.NullMarked;
