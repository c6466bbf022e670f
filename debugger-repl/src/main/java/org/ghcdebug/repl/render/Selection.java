package org.ghcdebug.repl.render;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Which rows and columns of a table are wanted.
 *
 * @param limit stop after that many rows in the verb's own order; 0 for all
 * @param sort key of the column to sort by: numbers largest first, texts in their order
 * @param top of the (sorted) rows; 0 for all
 * @param columns keys, in the order wanted; empty for all
 */
public record Selection(long limit, @Nullable String sort, long top, List<String> columns) {
  /** Everything as it is. */
  public static final Selection ALL = new Selection(0, null, 0, List.of());

  public Selection {
    columns = List.copyOf(columns);
  }

  /** The first of the names used here which is not a column of the shape. */
  public Optional<String> findUnknownColumn(Shape<?, ?> shape) {
    List<String> keys = shape.columns().stream().map(column -> column.key()).toList();
    return sort != null && !keys.contains(sort)
        ? Optional.of(sort)
        : columns.stream().filter(column -> !keys.contains(column)).findFirst();
  }

  /** The view with only what is wanted; sorting and {@code top} hold all rows. */
  public <R, T> View<R, T> applyTo(View<R, T> view) {
    View<R, T> chosen = limit > 0 ? limited(view) : view;
    if (sort != null || top > 0) {
      chosen = sorted(chosen);
    }
    return columns.isEmpty()
        ? chosen
        : new View<>(withColumns(chosen.shape()), chosen.rows(), chosen.summary());
  }

  private <R, T> View<R, T> limited(View<R, T> view) {
    if (view.rows() instanceof Rows.Listed<R>(var list)) {
      var few = list.subList(0, (int) Math.min(limit, list.size()));
      return new View<>(
          view.shape(),
          new Rows.Listed<>(few),
          () -> view.summary().get().withLeftOut(list.size() - few.size()));
    }
    long[] left = {limit};
    Rows<R> rows = sink -> view.rows().forEach(row -> sink.test(row) && --left[0] > 0);
    return new View<>(
        view.shape(),
        rows,
        () -> view.summary().get().withLeftOut(left[0] == 0 ? Summary.UNKNOWN : 0));
  }

  private <R, T> View<R, T> sorted(View<R, T> view) {
    List<R> rows = view.rows().toList();
    if (sort != null) {
      Column<R> by =
          view.shape().columns().stream()
              .filter(c -> c.key().equals(sort))
              .findFirst()
              .orElseThrow();
      rows = rows.stream().sorted(order(by)).toList();
    }
    long shown = top > 0 ? Math.min(top, rows.size()) : rows.size();
    Summary<T> summary = view.summary().get().withLeftOut(rows.size() - shown);
    return View.of(view.shape(), rows.subList(0, (int) shown), summary);
  }

  private static <R> Comparator<R> order(Column<R> column) {
    return switch (column) {
      case Column.Count<R> c -> largestFirst(c.value());
      case Column.Bytes<R> c -> largestFirst(c.value());
      case Column.Nanos<R> c -> largestFirst(c.value());
      case Column.Decimal<R> c -> largestFirst(c.value());
      case Column.Id<R> c -> Comparator.comparing(c.value(), nullsLast());
      case Column.Text<R> c -> Comparator.comparing(c.value(), nullsLast());
      case Column.Time<R> c -> Comparator.comparing(c.value(), nullsLast());
      case Column.Flag<R> c -> Comparator.comparing(c.value(), nullsLast());
      case Column.Address<R> c ->
          Comparator.comparing(c.value(), Comparator.nullsLast(Long::compareUnsigned));
      case Column.Addresses<R> c ->
          Comparator.comparing((R row) -> c.value().apply(row).size()).reversed();
      case Column.Records<R, ?> c ->
          Comparator.comparing((R row) -> c.value().apply(row).size()).reversed();
    };
  }

  private static <C extends Comparable<? super C>> Comparator<@Nullable C> nullsLast() {
    return Comparator.nullsLast(Comparator.naturalOrder());
  }

  private static <R, C extends Comparable<? super C>> Comparator<R> largestFirst(
      Function<? super R, ? extends @Nullable C> value) {
    return Comparator.comparing(value, Comparator.nullsLast(Comparator.reverseOrder()));
  }

  private <R, T> Shape<R, T> withColumns(Shape<R, T> shape) {
    List<Column<R>> chosen =
        columns.stream()
            .map(key -> shape.columns().stream().filter(c -> c.key().equals(key)).findFirst())
            .map(Optional::orElseThrow)
            .toList();
    return new Shape<>(shape.verb(), shape.layout(), chosen, shape.totals());
  }
}
