/**
 * Heaps of Haskell programs that do not run: {@linkplain org.ghcdebug.stub.heap.ReplayedHeap
 * recorded} ones, and {@linkplain org.ghcdebug.stub.heap.HeapBuilder synthetic} ones laid out as
 * the RTS of a given GHC would do it.
 *
 * <p>A synthetic heap knows what it holds, independently of any decoder:
 *
 * <pre>{@code
 * var builder = new HeapBuilder(target);
 * var values = new HaskellValues(builder);
 * Ref numbers = values.list(values.integral(1), values.integral(2));
 * builder.root(numbers);
 * BuiltHeap heap = builder.build();
 * heap.built(numbers).sizeWords(); // 3 in a vanilla program
 * }</pre>
 *
 * <p>Opens no sockets and prints nothing.
 */
@NullMarked
package org.ghcdebug.stub.heap;

import org.jspecify.annotations.NullMarked;
