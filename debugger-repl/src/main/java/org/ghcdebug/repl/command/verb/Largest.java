package org.ghcdebug.repl.command.verb;

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.function.IntToLongFunction;

/** The largest of many closures. */
final class Largest {
  private Largest() {}

  /**
   * Ids by size, largest first; of equal sizes the smaller id first. O(ids × log most), with
   * nothing kept for the others.
   *
   * @param most how many are wanted
   */
  static int[] of(int[] ids, IntToLongFunction size, int most) {
    Comparator<Integer> largestFirst =
        Comparator.<Integer>comparingLong(size::applyAsLong)
            .reversed()
            .thenComparing(Comparator.naturalOrder());
    var kept = new PriorityQueue<Integer>(largestFirst.reversed());
    for (int id : ids) {
      if (kept.size() < most) {
        kept.add(id);
      } else if (size.applyAsLong(id) >= size.applyAsLong(kept.peek())) {
        kept.add(id);
        kept.remove();
      }
    }
    return kept.stream().sorted(largestFirst).mapToInt(Integer::intValue).toArray();
  }
}
