package org.ghcdebug.client.value;

import org.ghcdebug.client.heap.Heap;

/**
 * Prints values in Haskell's notation, as {@code show} would.
 *
 * <ul>
 *   <li>Numbers, characters, strings, {@code Text}, {@code ByteString}, tuples, lists, {@code Map},
 *       {@code Set}, {@code IntMap}, {@code IntSet}, {@code Seq}, {@code HashMap}, {@code Vector},
 *       arrays and pointers as their {@code Show} instances do.
 *   <li>Other constructors with their fields, with the parentheses that derived instances write;
 *       field names do not exist at run time. Fields come in the order of memory: those that are
 *       pointers first. Unboxed ones have no type there: a word is shown as {@code 24000#}, or as
 *       {@code 2.5##} when it can hardly be anything but a {@code Double}. Fixities do not exist
 *       either: constructor operators are taken for {@code infixl 9}.
 *   <li>What is not evaluated as {@code <thunk Main.go>}, a list with such a tail as {@code 1 : 2 :
 *       <thunk>}; functions as {@code <function Main.go>}; variables with their contents, {@code
 *       <IORef 5>}; a value inside itself as {@code <cycle>}; what a recording lacks as {@code
 *       <missing 0x…>}; what a limit cuts off as {@code …}.
 * </ul>
 *
 * <p>Cost on a live source: a few round trips for a level of the value, and one for each element of
 * a list. Immutable, but not thread-safe, as the heap is not.
 */
public final class HaskellPrinter {
  private final Heap heap;
  private final PrintLimits limits;

  public HaskellPrinter(Heap heap, PrintLimits limits) {
    this.heap = heap;
    this.limits = limits;
  }

  /** The value that a pointer, tagged or not, points to. */
  public String print(long pointer) {
    return new ValueWriter(heap, limits).write(pointer);
  }
}
