package org.ghcdebug.repl.render;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** JSON text (RFC 8259) of strings and of records seen through columns. */
public final class Json {
  private Json() {}

  /** A quoted string. Lone surrogates, which UTF-8 cannot hold, are escaped. */
  public static String string(String text) {
    var json = new StringBuilder(text.length() + 2).append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"' -> json.append("\\\"");
        case '\\' -> json.append("\\\\");
        case '\n' -> json.append("\\n");
        case '\r' -> json.append("\\r");
        case '\t' -> json.append("\\t");
        default -> {
          if (c < 0x20 || c == 0x7f || Character.isSurrogate(c) && !isPaired(text, i)) {
            json.append("\\u%04x".formatted((int) c));
          } else {
            json.append(c);
          }
        }
      }
    }
    return json.append('"').toString();
  }

  private static boolean isPaired(String text, int i) {
    return Character.isHighSurrogate(text.charAt(i))
        ? i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1))
        : i > 0 && Character.isHighSurrogate(text.charAt(i - 1));
  }

  /** An object with a key for each column. */
  public static <R> String object(List<Column<R>> columns, R row) {
    return columns.stream()
        .map(column -> string(column.key()) + ":" + value(column, row))
        .collect(Collectors.joining(",", "{", "}"));
  }

  static String strings(List<String> texts) {
    return texts.stream().map(Json::string).collect(Collectors.joining(",", "[", "]"));
  }

  static String strings(Map<String, String> texts) {
    return texts.entrySet().stream()
        .map(entry -> string(entry.getKey()) + ":" + string(entry.getValue()))
        .collect(Collectors.joining(",", "{", "}"));
  }

  static <R> String value(Column<R> column, R row) {
    return switch (column) {
      case Column.Text<R> c -> stringOrNull(c.value().apply(row));
      case Column.Count<R> c -> String.valueOf(c.value().apply(row));
      case Column.Id<R> c -> String.valueOf(c.value().apply(row));
      case Column.Decimal<R> c -> String.valueOf(c.finite(row));
      case Column.Bytes<R> c -> String.valueOf(c.value().apply(row));
      case Column.Nanos<R> c -> String.valueOf(c.value().apply(row));
      case Column.Flag<R> c -> String.valueOf(c.value().apply(row));
      case Column.Address<R> c -> {
        Long address = c.value().apply(row);
        yield stringOrNull(address == null ? null : Values.address(address));
      }
      case Column.Addresses<R> c ->
          Arrays.stream(c.value().apply(row).toArray())
              .mapToObj(address -> string(Values.address(address)))
              .collect(Collectors.joining(",", "[", "]"));
      case Column.Time<R> c -> {
        var moment = c.value().apply(row);
        yield stringOrNull(moment == null ? null : moment.toString());
      }
      case Column.Records<R, ?> c -> records(c, row);
    };
  }

  private static <R, N> String records(Column.Records<R, N> column, R row) {
    return column.value().apply(row).stream()
        .map(nested -> object(column.columns(), nested))
        .collect(Collectors.joining(",", "[", "]"));
  }

  private static String stringOrNull(@Nullable String text) {
    return text == null ? "null" : string(text);
  }
}
