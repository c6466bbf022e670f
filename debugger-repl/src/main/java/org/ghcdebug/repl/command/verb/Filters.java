package org.ghcdebug.repl.command.verb;

import java.util.List;
import java.util.Locale;
import org.ghcdebug.client.debuggee.HeapView;
import org.ghcdebug.client.index.ClosureSelection;
import org.ghcdebug.client.index.HeapTally;
import org.ghcdebug.client.query.DecodedClosure;
import org.ghcdebug.client.query.Filter;
import org.ghcdebug.client.query.FilterException;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.protocol.closure.Closure;
import org.ghcdebug.repl.command.UsageException;
import org.jspecify.annotations.Nullable;

/** Filters as verbs take them. */
final class Filters {
  private Filters() {}

  /**
   * Reads words as one filter.
   *
   * @throws UsageException when they are none
   */
  static Filter parse(List<String> words) {
    try {
      return Filter.parse(String.join(" ", words));
    } catch (FilterException e) {
      throw usage(e);
    }
  }

  /**
   * Binds a filter to a whole heap, all of whose names are fetched first.
   *
   * @throws UsageException when it compares what is not known
   */
  static ClosureSelection over(HeapView view, Filter filter, Work work) {
    view.heap()
        .prefetchNames(view.tally(work).entries().stream().map(HeapTally.Entry::info).toList());
    return bind(view, filter, work);
  }

  private static ClosureSelection bind(HeapView view, Filter filter, Work work) {
    try {
      return view.select(filter, work);
    } catch (FilterException e) {
      throw usage(e);
    }
  }

  /** The closures of a list that a filter wants; those that could not be read are wanted. */
  static boolean wants(ClosureSelection selection, @Nullable Closure closure) {
    return closure == null || selection.of(closure.info()).test(new DecodedClosure(closure));
  }

  /**
   * Binds a filter to be asked about single closures.
   *
   * @throws UsageException when it compares what is not known
   */
  static ClosureSelection lazily(HeapView view, Filter filter, Work work) {
    return bind(view, filter, work);
  }

  private static UsageException usage(FilterException problem) {
    String message = String.valueOf(problem.getMessage());
    return new UsageException(
        "filter: " + message.substring(0, 1).toLowerCase(Locale.ROOT) + message.substring(1));
  }
}
