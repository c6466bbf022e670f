package org.ghcdebug.repl.render;

import java.util.function.Function;
import java.util.function.ToIntFunction;

/**
 * How rows are laid out as text. The other formats do not depend on it.
 *
 * @param <R> the row
 */
public sealed interface Layout<R> {
  /** Whether each row is a line of its own among aligned columns. */
  default boolean isOfRows() {
    return this instanceof Table<R> || this instanceof Tree<R>;
  }

  /** Aligned columns below a heading; all rows are held while they are aligned. */
  record Table<R>() implements Layout<R> {}

  /** One line a column: for results of one row. Records columns follow as tables. */
  record Facts<R>() implements Layout<R> {}

  /**
   * Aligned columns, the first of them indented with guide lines.
   *
   * @param depth 0 for the first row, at most one more than the row before it
   */
  record Tree<R>(ToIntFunction<? super R> depth) implements Layout<R> {}

  /**
   * A line of a format of another program: as it is, but for a terminal, which it must not steer.
   *
   * @param text the line, without its end
   */
  record Verbatim<R>(Function<? super R, String> text) implements Layout<R> {}

  /**
   * Free text, which may be several lines a row; each row is written as it comes.
   *
   * @param text the lines of a row, without the last line end
   * @param tint how they stand out
   * @param none what to say instead of no rows; empty for nothing
   */
  record Lines<R>(Function<? super R, String> text, Function<? super R, Tint> tint, String none)
      implements Layout<R> {
    public Lines(Function<? super R, String> text) {
      this(text, row -> Tint.NONE, "");
    }

    public Lines(Function<? super R, String> text, Function<? super R, Tint> tint) {
      this(text, tint, "");
    }

    public Lines(Function<? super R, String> text, String none) {
      this(text, row -> Tint.NONE, none);
    }
  }
}
