package org.ghcdebug.repl.render;

import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import org.ghcdebug.protocol.target.AddressList;
import org.jspecify.annotations.Nullable;

/**
 * One typed column of a {@link Shape}: how a row's value is found, and so how it is written.
 *
 * <p>A {@code null} value is a value that is not known: {@code null} in JSON, {@code -} in text,
 * empty elsewhere.
 *
 * @param <R> the row
 */
public sealed interface Column<R> {
  /** The JSON key, the heading, and what {@code --sort} and {@code --columns} take. */
  String key();

  /**
   * Any text.
   *
   * @param isProse sentences, which are put below the row where they do not fit
   */
  record Text<R>(String key, Function<? super R, ? extends @Nullable String> value, boolean isProse)
      implements Column<R> {
    public Text(String key, Function<? super R, ? extends @Nullable String> value) {
      this(key, value, false);
    }
  }

  /** A whole number without a unit. */
  record Count<R>(String key, Function<? super R, ? extends @Nullable Long> value)
      implements Column<R> {}

  /** A whole number that names something, such as a process: without thousands separators. */
  record Id<R>(String key, Function<? super R, ? extends @Nullable Long> value)
      implements Column<R> {}

  /** A number with a fraction. */
  record Decimal<R>(String key, Function<? super R, ? extends @Nullable Double> value)
      implements Column<R> {
    /** The value; null also when it is not a number, for which JSON has no notation. */
    @Nullable Double finite(R row) {
      Double number = value.apply(row);
      return number != null && Double.isFinite(number) ? number : null;
    }
  }

  /** A size in bytes. */
  record Bytes<R>(String key, Function<? super R, ? extends @Nullable Long> value)
      implements Column<R> {}

  /** An unsigned address. */
  record Address<R>(String key, Function<? super R, ? extends @Nullable Long> value)
      implements Column<R> {}

  /** Several addresses. */
  record Addresses<R>(String key, Function<? super R, AddressList> value) implements Column<R> {}

  /** A duration in nanoseconds; its key ends in {@code Nanos}. */
  record Nanos<R>(String key, Function<? super R, ? extends @Nullable Long> value)
      implements Column<R> {}

  /** A moment, written as ISO 8601 in UTC. */
  record Time<R>(String key, Function<? super R, ? extends @Nullable Instant> value)
      implements Column<R> {}

  /** True or false. */
  record Flag<R>(String key, Function<? super R, ? extends @Nullable Boolean> value)
      implements Column<R> {}

  /** A list of records with columns of their own. */
  record Records<R, N>(
      String key, List<Column<N>> columns, Function<? super R, ? extends List<N>> value)
      implements Column<R> {
    public Records {
      columns = List.copyOf(columns);
    }
  }

  /** Numbers are aligned to the right, and sorted with the largest first. */
  default boolean isNumber() {
    return switch (this) {
      case Count<R> _ -> true;
      case Id<R> _ -> true;
      case Decimal<R> _ -> true;
      case Bytes<R> _ -> true;
      case Nanos<R> _ -> true;
      case Text<R> _ -> false;
      case Address<R> _ -> false;
      case Addresses<R> _ -> false;
      case Time<R> _ -> false;
      case Flag<R> _ -> false;
      case Records<R, ?> _ -> false;
    };
  }

  /** Whether a row has something that a verb takes as ADDR here. */
  default boolean isAddress() {
    return this instanceof Address<R> || this instanceof Addresses<R>;
  }
}
