package org.ghcdebug.repl.render;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One object for the whole answer, a row a line within it.
 *
 * <p>Where the rows do not all exist beforehand, {@code complete} and {@code warnings} come behind
 * them, so that rows need not be held.
 */
final class JsonWriter implements ViewWriter {
  private final Map<String, String> question;

  /**
   * @param question the verb's arguments by name, so that a saved answer tells what it answers
   */
  JsonWriter(Map<String, String> question) {
    this.question = question;
  }

  @Override
  public <R, T> void write(View<R, T> view, @Nullable TargetLabel target, Consumer<String> lines) {
    Shape<R, T> shape = view.shape();
    if (shape.columns().isEmpty()) {
      return;
    }
    String head =
        "{\"schema\":%s,\"target\":%s,\"question\":%s,"
            .formatted(
                Json.string(shape.schemaName()),
                target == null ? "{}" : Json.object(TargetLabel.COLUMNS, target),
                Json.strings(question));
    boolean listed = view.rows() instanceof Rows.Listed<R>;
    lines.accept(head + (listed ? state(view.summary().get()) + "," : "") + "\"rows\":[");
    // A comma belongs behind every row but the last, so each row is written when the next is known.
    var separator = new CommaLines(lines);
    view.rows()
        .forEach(
            row -> {
              separator.accept(Json.object(shape.columns(), row));
              return true;
            });
    separator.end();
    Summary<T> summary = view.summary().get();
    lines.accept(
        "],%s\"totals\":%s}"
            .formatted(listed ? "" : state(summary) + ",", totals(shape.totals(), summary)));
  }

  private static String state(Summary<?> summary) {
    return "\"complete\":%s,\"warnings\":%s"
        .formatted(summary.complete(), Json.strings(summary.warnings()));
  }

  private static <T> String totals(List<Column<T>> columns, Summary<T> summary) {
    T totals = summary.totals();
    return totals == null ? "{}" : Json.object(columns, totals);
  }

  private static final class CommaLines {
    private final Consumer<String> lines;
    private @Nullable String last;

    CommaLines(Consumer<String> lines) {
      this.lines = lines;
    }

    void accept(String line) {
      if (last != null) {
        lines.accept(last + ",");
      }
      last = line;
    }

    void end() {
      if (last != null) {
        lines.accept(last);
      }
    }
  }
}
