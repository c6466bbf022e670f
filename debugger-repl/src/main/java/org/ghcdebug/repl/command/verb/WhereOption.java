package org.ghcdebug.repl.command.verb;

import java.util.List;
import java.util.function.IntPredicate;
import org.ghcdebug.client.debuggee.HeapView;
import org.ghcdebug.client.index.ClosureSelection;
import org.ghcdebug.client.work.Work;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Narrows a verb that has rows of closures. */
final class WhereOption {
  @Option(
      names = "--where",
      paramLabel = "EXPR",
      description = "Only closures that a filter wants; \"help find\" explains them.")
  private @Nullable String expression;

  boolean isGiven() {
    return expression != null;
  }

  /** The filter as it was given; empty when none was. */
  String text() {
    return expression == null ? "" : expression;
  }

  /** The closures of a whole heap that are wanted, all unless the option is given. */
  ClosureSelection over(HeapView view, Work work) {
    return expression == null
        ? ClosureSelection.ALL
        : Filters.over(view, Filters.parse(List.of(expression)), work);
  }

  /** Which closures of a graph are wanted, by their ids; all unless the option is given. */
  IntPredicate among(GraphReading reading, Work work) {
    return expression == null
        ? _ -> true
        : reading.select(Filters.parse(List.of(expression)), work)::get;
  }

  /** As {@link #over}, to be asked about single closures. */
  ClosureSelection lazily(HeapView view, Work work) {
    return expression == null
        ? ClosureSelection.ALL
        : Filters.lazily(view, Filters.parse(List.of(expression)), work);
  }
}
