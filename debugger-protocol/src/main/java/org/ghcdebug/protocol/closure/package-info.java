/**
 * What a heap consists of, decoded: closures, info tables, stack frames and the references between
 * them. Values only; nothing here reads memory.
 *
 * <p>Words and pointers are {@code long}, unsigned. Pointers are as stored in memory, so their low
 * 3 bits can hold a tag; {@link org.ghcdebug.protocol.closure.Edge#target} removes it.
 *
 * <p>Names follow the RTS headers rts/storage/Closures.h, ClosureTypes.h, InfoTables.h and TSO.h.
 *
 * <pre>{@code
 * String text = switch (closure) {
 *   case Closure.Constr constr -> "constructor with " + constr.pointers().size() + " pointers";
 *   case Closure.Unknown unknown -> unknown.problem();
 *   ...
 * };
 * }</pre>
 */
@NullMarked
package org.ghcdebug.protocol.closure;

import org.jspecify.annotations.NullMarked;
