/**
 * The heap as a graph that is read as one goes: closures by address, their references, names and
 * source positions, over any source.
 *
 * <pre>{@code
 * Heap heap = new Heap(source);
 * Closure first = heap.closure(heap.savedObjects().get(0));
 * String name = heap.displayName(first);
 * for (Edge edge : heap.references(first)) {
 *   Closure target = heap.closure(heap.resolve(edge.pointer()));
 * }
 * }</pre>
 */
@NullMarked
package org.ghcdebug.client.heap;

import org.jspecify.annotations.NullMarked;
