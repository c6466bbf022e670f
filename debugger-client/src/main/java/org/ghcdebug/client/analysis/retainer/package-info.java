/**
 * Why closures are alive: the shortest way from a root to each, and which of those ways are alike.
 *
 * <p>{@link org.ghcdebug.client.analysis.retainer.Retainers} searches once, from all roots
 * together. Two ways are alike when they lead through closures with the same info tables, one after
 * another. Closures of one kind that follow each other, as the cells of a list do, count as one
 * step however many they are, and so do the parts of a longer way that come round again; there are
 * therefore few kinds of ways, also to the elements of a list of a million.
 *
 * <p>Edges of weak pointers are not followed: what only they lead to is reported apart.
 */
@NullMarked
package org.ghcdebug.client.analysis.retainer;

import org.jspecify.annotations.NullMarked;
