/**
 * Values in Haskell's notation, as {@code show} would give them.
 *
 * <p>{@link org.ghcdebug.client.value.HaskellPrinter} knows the representations of the well-known
 * types by the names of their constructors; all others are shown as a constructor with its fields.
 * Nothing is evaluated: what the program has not computed yet is shown as {@code <thunk …>}.
 *
 * <pre>{@code
 * HaskellPrinter printer = new HaskellPrinter(heap, PrintLimits.DEFAULT);
 * String text = printer.print(heap.savedObjects().get(0)); // fromList [(1,"one"),(2,"two")]
 * }</pre>
 */
@NullMarked
package org.ghcdebug.client.value;

import org.jspecify.annotations.NullMarked;
