package org.ghcdebug.repl.command;

import java.util.List;
import org.ghcdebug.repl.render.Selection;
import org.ghcdebug.repl.render.Shape;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of verbs that answer with a table. */
final class RowOptions {
  @Option(names = "--top", paramLabel = "N", description = "Only the first N rows, once sorted.")
  private @Nullable Long top;

  @Option(
      names = "--sort",
      paramLabel = "COLUMN",
      description = "Sort by a column: numbers largest first, texts in their order.")
  private @Nullable String sort;

  @Option(
      names = "--columns",
      paramLabel = "A,B",
      split = ",",
      description = "Only these columns, in this order.")
  private List<String> columns = List.of();

  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "Stop after N rows, before they are sorted.")
  private @Nullable Long limit;

  /**
   * @throws UsageException when a number is not positive, or a column does not exist
   */
  Selection selection(Shape<?, ?> shape) {
    var selection =
        new Selection(positive("--limit", limit), sort, positive("--top", top), columns);
    selection
        .findUnknownColumn(shape)
        .ifPresent(
            column -> {
              throw new UsageException(
                  "no column \"%s\"; the columns are %s"
                      .formatted(
                          column,
                          String.join(", ", shape.columns().stream().map(c -> c.key()).toList())));
            });
    return selection;
  }

  private static long positive(String option, @Nullable Long number) {
    if (number == null) {
      return 0;
    }
    if (number < 1) {
      throw new UsageException("%s %d: expected at least 1".formatted(option, number));
    }
    return number;
  }
}
