package org.ghcdebug.repl.command;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;
import java.util.regex.Pattern;
import org.ghcdebug.repl.render.Column;
import org.ghcdebug.repl.render.Rows;
import org.ghcdebug.repl.render.Shape;
import org.ghcdebug.repl.render.View;

/**
 * What lines can refer to: {@code $1}, {@code $2} … for the numbered rows of the last answer that
 * had any, {@code $_} for the last closure shown, and what {@code set} has named. Also remembers
 * addresses and names that were shown, for completion.
 */
public final class Variables {
  private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_]*");

  /** Enough for what a person can remember to have seen. */
  private static final int MOST_SHOWN = 5_000;

  private final Map<String, String> named = new HashMap<>();
  private final SequencedSet<String> shownAddresses = new LinkedHashSet<>();
  private final SequencedSet<String> shownNames = new LinkedHashSet<>();
  private List<String> numbered = List.of();
  private String last = "";

  /**
   * @throws UsageException when there is none of that name
   */
  String get(String name) {
    if (name.equals("_")) {
      if (last.isEmpty()) {
        throw new UsageException("$_ is not set: no closure has been shown yet");
      }
      return last;
    }
    if (Character.isDigit(name.charAt(0))) {
      return numberedRow(name);
    }
    String value = named.get(name);
    if (value == null) {
      throw new UsageException("$%s is not set; set it by: set %s = …".formatted(name, name));
    }
    return value;
  }

  private String numberedRow(String digits) {
    int row = digits.length() > 9 ? Integer.MAX_VALUE : Integer.parseInt(digits);
    if (row < 1 || row > numbered.size()) {
      throw new UsageException(
          numbered.isEmpty()
              ? "$%s is not set: no answer with numbered rows yet".formatted(digits)
              : "$%s is not set: the last answer's rows are $1 to $%d"
                  .formatted(digits, numbered.size()));
    }
    String value = numbered.get(row - 1);
    if (value.isEmpty()) {
      throw new UsageException("row %d of the last answer has no address".formatted(row));
    }
    return value;
  }

  /**
   * @throws UsageException when the name is not one
   */
  public void set(String name, String value) {
    if (!NAME.matcher(name).matches()) {
      throw new UsageException(
          "\"%s\" is not a name; expected letters, digits and _ behind a letter".formatted(name));
    }
    named.put(name, value);
  }

  /** Learns from an answer: at once where its rows all exist, else as they are given. */
  <R, T> View<R, T> learning(View<R, T> view) {
    if (view.rows() instanceof Rows.Listed<R>(var rows)) {
      learn(view.shape(), rows);
      return view;
    }
    Rows<R> overheard =
        sink -> {
          var first = new ArrayList<R>();
          view.rows()
              .forEach(
                  row -> {
                    if (first.size() < MOST_SHOWN) {
                      first.add(row);
                    }
                    return sink.test(row);
                  });
          learn(view.shape(), first);
        };
    return new View<>(view.shape(), overheard, view.summary());
  }

  private <R> void learn(Shape<R, ?> shape, List<R> rows) {
    var values = rows.stream().flatMap(row -> shape.variables(row).stream()).toList();
    boolean hasNone = rows.isEmpty() && shape.columns().stream().anyMatch(Column::isAddress);
    if (!values.isEmpty() || hasNone) {
      numbered = values;
    }
    if (rows.size() == 1) {
      shape.findAddress(rows.getFirst()).ifPresent(address -> last = address);
    } else if (!values.isEmpty() && !values.getLast().isEmpty()) {
      last = values.getLast();
    }
    values.stream().filter(value -> !value.isEmpty()).forEach(v -> remember(shownAddresses, v));
    for (Column<R> column : shape.columns()) {
      if (column instanceof Column.Text<R>(var key, var value, _)
          && (key.equals("key") || key.equals("closure"))) {
        rows.stream()
            .limit(MOST_SHOWN)
            .map(value)
            .filter(name -> name != null && !name.isBlank())
            .forEach(name -> remember(shownNames, name));
      }
    }
  }

  private static void remember(SequencedSet<String> shown, String text) {
    shown.addLast(text);
    if (shown.size() > MOST_SHOWN) {
      shown.removeFirst();
    }
  }

  /** Addresses shown, the latest last. */
  public List<String> shownAddresses() {
    return List.copyOf(shownAddresses);
  }

  /** Names of closures shown, the latest last. */
  public List<String> shownNames() {
    return List.copyOf(shownNames);
  }

  /** Names that {@code set} has given. */
  public List<String> names() {
    return named.keySet().stream().sorted().toList();
  }
}
