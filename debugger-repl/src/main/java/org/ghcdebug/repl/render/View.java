package org.ghcdebug.repl.render;

import java.util.List;
import java.util.function.Supplier;

/**
 * The answer of a verb: rows, and what is known once they have been given.
 *
 * @param rows given once
 * @param summary asked after the rows, or before them where they are {@link Rows.Listed}
 * @param <R> the row
 * @param <T> the totals
 */
public record View<R, T>(Shape<R, T> shape, Rows<R> rows, Supplier<Summary<T>> summary) {
  /** Rows which all exist, about which there is nothing more to say. */
  public static <R, T> View<R, T> of(Shape<R, T> shape, List<R> rows) {
    return of(shape, rows, Summary.ok());
  }

  /** Rows which all exist. */
  public static <R, T> View<R, T> of(Shape<R, T> shape, List<R> rows, Summary<T> summary) {
    return new View<>(shape, new Rows.Listed<>(rows), () -> summary);
  }

  /** No answer. */
  public static View<Void, Void> nothing(int exitCode) {
    return of(Shape.NOTHING, List.of(), new Summary<>(true, List.of(), null, exitCode, 0));
  }
}
