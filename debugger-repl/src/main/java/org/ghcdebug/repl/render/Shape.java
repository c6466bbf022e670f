package org.ghcdebug.repl.render;

import java.util.List;
import java.util.Optional;
import org.ghcdebug.protocol.target.AddressList;

/**
 * What the answers of one verb look like; constant, and what its JSON schema is generated from.
 *
 * @param verb the verb's name; {@code ghc-debug/VERB/1} names the JSON schema
 * @param columns of the rows
 * @param totals of the one record that sums up all rows; empty when there is none
 * @param <R> the row
 * @param <T> the totals
 */
public record Shape<R, T>(
    String verb, Layout<R> layout, List<Column<R>> columns, List<Column<T>> totals) {
  /** The shape of verbs which answer nothing. */
  public static final Shape<Void, Void> NOTHING =
      new Shape<>("", new Layout.Lines<>(row -> ""), List.of(), List.of());

  public Shape {
    columns = List.copyOf(columns);
    totals = List.copyOf(totals);
  }

  /** Rows in aligned columns, with totals. */
  public static <R, T> Shape<R, T> table(
      String verb, List<Column<R>> columns, List<Column<T>> totals) {
    return new Shape<>(verb, new Layout.Table<>(), columns, totals);
  }

  /** Rows in aligned columns, without totals. */
  public static <R> Shape<R, Void> table(String verb, List<Column<R>> columns) {
    return new Shape<>(verb, new Layout.Table<>(), columns, List.of());
  }

  /** One row, one line a column. */
  public static <R> Shape<R, Void> facts(String verb, List<Column<R>> columns) {
    return new Shape<>(verb, new Layout.Facts<>(), columns, List.of());
  }

  /** Text as it is, one row a line. */
  public static Shape<String, Void> text(String verb) {
    List<Column<String>> columns = List.of(new Column.Text<>("text", line -> line));
    return new Shape<>(verb, new Layout.Lines<>(line -> line), columns, List.of());
  }

  /** The value of {@code "schema"} in JSON. */
  public String schemaName() {
    return "ghc-debug/" + verb.replace(' ', '-') + "/1";
  }

  /** Whether the rows can be chosen, sorted and cut by the options for that. */
  public boolean isTable() {
    return layout instanceof Layout.Table<R>;
  }

  /** Whether rows are numbered in text, so that {@code $1}, {@code $2} … can name them. */
  boolean isNumbered() {
    return layout.isOfRows() && columns.stream().anyMatch(Column::isAddress);
  }

  /**
   * What {@code $1}, {@code $2} … stand for when this row is among the answers: its first address;
   * for facts, those of their records.
   */
  public List<String> variables(R row) {
    if (layout instanceof Layout.Facts<R>) {
      return columns.stream()
          .filter(Column.Records.class::isInstance)
          .flatMap(column -> recordAddresses((Column.Records<R, ?>) column, row).stream())
          .toList();
    }
    return isNumbered() ? List.of(findAddress(columns, row).orElse("")) : List.of();
  }

  /** The first address of a row, as verbs take it. */
  public Optional<String> findAddress(R row) {
    return findAddress(columns, row);
  }

  private static <R, N> List<String> recordAddresses(Column.Records<R, N> column, R row) {
    return isNumbered(column)
        ? column.value().apply(row).stream()
            .map(nested -> findAddress(column.columns(), nested).orElse(""))
            .toList()
        : List.of();
  }

  static boolean isNumbered(Column.Records<?, ?> column) {
    return column.columns().stream().anyMatch(Column::isAddress);
  }

  private static <R> Optional<String> findAddress(List<Column<R>> columns, R row) {
    for (Column<R> column : columns) {
      if (column instanceof Column.Address<R> one) {
        Long value = one.value().apply(row);
        if (value != null) {
          return Optional.of(Values.address(value));
        }
      } else if (column instanceof Column.Addresses<R> several) {
        AddressList value = several.value().apply(row);
        if (!value.isEmpty()) {
          return Optional.of(Values.address(value.get(0)));
        }
      }
    }
    return Optional.empty();
  }
}
