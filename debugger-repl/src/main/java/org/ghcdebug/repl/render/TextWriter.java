package org.ghcdebug.repl.render;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;
import org.ghcdebug.protocol.target.AddressList;
import org.jspecify.annotations.Nullable;

/** Text for people. */
final class TextWriter implements ViewWriter {
  private final TextStyle style;

  TextWriter(TextStyle style) {
    this.style = style;
  }

  @Override
  public <R, T> void write(View<R, T> view, @Nullable TargetLabel target, Consumer<String> lines) {
    Shape<R, T> shape = view.shape();
    // Not a switch: the JVM makes a class for each pattern switch when it is first run, which would
    // be a good part of the time that `version` takes.
    if (shape.layout() instanceof Layout.Lines<R>(var text, var tint, var none)) {
      var any = new boolean[1];
      view.rows()
          .forEach(
              row -> {
                any[0] = true;
                for (String line : text.apply(row).split("\n", -1)) {
                  lines.accept(style.line(line, tint.apply(row)));
                }
                return true;
              });
      if (!any[0] && !none.isEmpty()) {
        lines.accept(none);
      }
    } else if (shape.layout() instanceof Layout.Verbatim<R>(var text)) {
      boolean terminal = style.width().getAsInt() > 0;
      view.rows()
          .forEach(
              row -> {
                String line = text.apply(row);
                lines.accept(terminal ? style.line(line, Tint.NONE) : line);
                return true;
              });
    } else if (shape.layout() instanceof Layout.Facts<R>) {
      view.rows()
          .forEach(
              row -> {
                writeFacts(shape.columns(), row, lines);
                return true;
              });
    } else {
      List<R> rows = view.rows().toList();
      TextTable table = table(withoutDepth(shape), rows);
      if (shape.layout() instanceof Layout.Tree<R>(var depth)) {
        table.indent(guides(rows, depth));
      }
      writeTable(view, table, lines);
    }
  }

  private <R, T> void writeTable(View<R, T> view, TextTable table, Consumer<String> lines) {
    Summary<T> summary = view.summary().get();
    List<Column<T>> apart = new ArrayList<>();
    T totals = summary.totals();
    if (totals != null) {
      String[] bottom = new String[view.shape().columns().size()];
      for (Column<T> column : view.shape().totals()) {
        int below = indexOf(view.shape().columns(), column.key());
        if (below > 0) {
          bottom[below] = text(column, totals);
        } else {
          apart.add(column);
        }
      }
      if (Arrays.stream(bottom).anyMatch(cell -> cell != null)) {
        bottom[0] = "total";
        table.bottom(bottom);
      }
    }
    table.write(style, "", lines);
    if (summary.leftOut() == Summary.UNKNOWN) {
      lines.accept(style.faint("there may be more rows: --limit stopped before their end"));
    } else if (summary.leftOut() > 0) {
      lines.accept(
          style.faint("%s more rows are left out".formatted(Values.count(summary.leftOut()))));
    }
    if (totals != null && !apart.isEmpty()) {
      writeFacts(apart, totals, lines);
    }
  }

  private static <R> int indexOf(List<Column<R>> columns, String key) {
    return columns.stream().map(Column::key).toList().indexOf(key);
  }

  private static <R> TextTable table(Shape<R, ?> shape, List<R> rows) {
    var table = new TextTable(shape.columns(), shape.isNumbered() ? 1 : 0);
    for (R row : rows) {
      table.add(shape.columns().stream().map(column -> text(column, row)).toArray(String[]::new));
    }
    return table;
  }

  /** The guide lines of a tree show the depth already. */
  private static <R, T> Shape<R, T> withoutDepth(Shape<R, T> shape) {
    if (!(shape.layout() instanceof Layout.Tree<R>)) {
      return shape;
    }
    var columns = shape.columns().stream().filter(column -> !column.key().equals("depth")).toList();
    return new Shape<>(shape.verb(), shape.layout(), columns, shape.totals());
  }

  /** Box-drawing prefixes that show which row hangs below which. */
  private static <R> List<String> guides(List<R> rows, ToIntFunction<? super R> depth) {
    String[] guides = new String[rows.size()];
    // Going backwards, bit d says that a row of depth d follows with no row above it in between.
    var follows = new BitSet();
    for (int i = rows.size() - 1; i >= 0; i--) {
      int d = depth.applyAsInt(rows.get(i));
      var guide = new StringBuilder();
      for (int level = 1; level < d; level++) {
        guide.append(follows.get(level) ? "│ " : "  ");
      }
      guides[i] = guide.append(d == 0 ? "" : follows.get(d) ? "├╴" : "└╴").toString();
      follows.clear(d + 1, Math.max(d + 1, follows.length()));
      follows.set(d);
    }
    return List.of(guides);
  }

  private <R> void writeFacts(List<Column<R>> columns, R row, Consumer<String> lines) {
    int keyWidth =
        columns.stream()
            .filter(column -> !(column instanceof Column.Records))
            .mapToInt(column -> column.key().length())
            .max()
            .orElse(0);
    int number = 1;
    for (Column<R> column : columns) {
      if (column instanceof Column.Records<R, ?> records) {
        number = writeRecords(records, row, number, lines);
      } else {
        String key = column.key() + " ".repeat(keyWidth - column.key().length());
        lines.accept(
            style.bold(key) + "  " + TextTable.cut(text(column, row), style, keyWidth + 2));
      }
    }
  }

  private <R, N> int writeRecords(
      Column.Records<R, N> column, R row, int firstNumber, Consumer<String> lines) {
    List<N> records = column.value().apply(row);
    if (records.isEmpty()) {
      return firstNumber;
    }
    boolean numbered = Shape.isNumbered(column);
    var table = new TextTable(column.columns(), numbered ? firstNumber : 0);
    for (N nested : records) {
      table.add(column.columns().stream().map(c -> text(c, nested)).toArray(String[]::new));
    }
    lines.accept(style.bold(column.key()));
    table.write(style, "  ", lines);
    return firstNumber + (numbered ? records.size() : 0);
  }

  /** One is enough to go on with, and all would make lines too long to read. */
  private static String first(AddressList addresses) {
    return addresses.isEmpty()
        ? "-"
        : Values.address(addresses.get(0)) + (addresses.size() > 1 ? " …" : "");
  }

  private static <R> String text(Column<R> column, R row) {
    return switch (column) {
      case Column.Text<R> c -> {
        String value = c.value().apply(row);
        yield value == null ? "-" : Values.printable(value);
      }
      case Column.Count<R> c -> {
        Long value = c.value().apply(row);
        yield value == null ? "-" : Values.count(value);
      }
      case Column.Id<R> c -> {
        Long value = c.value().apply(row);
        yield value == null ? "-" : value.toString();
      }
      case Column.Decimal<R> c -> {
        Double value = c.finite(row);
        yield value == null ? "-" : Values.decimal(value);
      }
      case Column.Bytes<R> c -> {
        Long value = c.value().apply(row);
        yield value == null ? "-" : Values.bytes(value);
      }
      case Column.Address<R> c -> {
        Long value = c.value().apply(row);
        yield value == null ? "-" : Values.address(value);
      }
      case Column.Addresses<R> c -> first(c.value().apply(row));
      case Column.Nanos<R> c -> {
        Long value = c.value().apply(row);
        yield value == null ? "-" : Values.duration(value);
      }
      case Column.Time<R> c -> {
        var value = c.value().apply(row);
        yield value == null ? "-" : Values.time(value);
      }
      case Column.Flag<R> c -> {
        Boolean value = c.value().apply(row);
        yield value == null ? "-" : value ? "yes" : "no";
      }
      case Column.Records<R, ?> c -> Json.value(c, row);
    };
  }
}
