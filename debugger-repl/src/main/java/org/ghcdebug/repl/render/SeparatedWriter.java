package org.ghcdebug.repl.render;

import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Collector;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A line of headings, then a line for each row: CSV, TSV and Markdown. */
final class SeparatedWriter implements ViewWriter {
  /** How fields are quoted and joined. */
  enum Dialect {
    CSV("", ",", "", Dialect::csvField),
    TSV("", "\t", "", Dialect::tsvField),
    MARKDOWN("| ", " | ", " |", Dialect::markdownField);

    private final String prefix;
    private final String separator;
    private final String suffix;
    private final UnaryOperator<String> field;

    Dialect(String prefix, String separator, String suffix, UnaryOperator<String> field) {
      this.prefix = prefix;
      this.separator = separator;
      this.suffix = suffix;
      this.field = field;
    }

    private static String csvField(String text) {
      return text.matches("(?s).*[\",\r\n].*") ? '"' + text.replace("\"", "\"\"") + '"' : text;
    }

    private static String tsvField(String text) {
      return text.replace("\\", "\\\\")
          .replace("\t", "\\t")
          .replace("\n", "\\n")
          .replace("\r", "\\r");
    }

    private static String markdownField(String text) {
      return Values.printable(text.replace("\n", " ")).replace("\\", "\\\\").replace("|", "\\|");
    }
  }

  private final Dialect dialect;

  SeparatedWriter(Dialect dialect) {
    this.dialect = dialect;
  }

  @Override
  public <R, T> void write(View<R, T> view, @Nullable TargetLabel target, Consumer<String> lines) {
    var columns = view.shape().columns();
    if (columns.isEmpty()) {
      return;
    }
    lines.accept(
        columns.stream().map(column -> dialect.field.apply(column.key())).collect(joining()));
    if (dialect == Dialect.MARKDOWN) {
      lines.accept(
          columns.stream().map(column -> column.isNumber() ? "---:" : "---").collect(joining()));
    }
    view.rows()
        .forEach(
            row -> {
              lines.accept(
                  columns.stream()
                      .map(column -> dialect.field.apply(value(column, row)))
                      .collect(joining()));
              return true;
            });
  }

  private Collector<CharSequence, ?, String> joining() {
    return Collectors.joining(dialect.separator, dialect.prefix, dialect.suffix);
  }

  private static <R> String value(Column<R> column, R row) {
    return switch (column) {
      case Column.Text<R> c -> orEmpty(c.value().apply(row));
      case Column.Count<R> c -> orEmpty(c.value().apply(row));
      case Column.Id<R> c -> orEmpty(c.value().apply(row));
      case Column.Decimal<R> c -> orEmpty(c.finite(row));
      case Column.Bytes<R> c -> orEmpty(c.value().apply(row));
      case Column.Nanos<R> c -> orEmpty(c.value().apply(row));
      case Column.Flag<R> c -> orEmpty(c.value().apply(row));
      case Column.Time<R> c -> orEmpty(c.value().apply(row));
      case Column.Address<R> c -> {
        Long address = c.value().apply(row);
        yield address == null ? "" : Values.address(address);
      }
      case Column.Addresses<R> c ->
          Arrays.stream(c.value().apply(row).toArray())
              .mapToObj(Values::address)
              .collect(Collectors.joining(" "));
      case Column.Records<R, ?> c -> Json.value(c, row);
    };
  }

  private static String orEmpty(@Nullable Object value) {
    return value == null ? "" : value.toString();
  }
}
