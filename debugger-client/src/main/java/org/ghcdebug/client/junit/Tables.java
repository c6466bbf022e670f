package org.ghcdebug.client.junit;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.ghcdebug.client.analysis.census.CensusResult;
import org.ghcdebug.client.index.HeapTally;
import org.opentest4j.AssertionFailedError;

/** Figures in messages. */
final class Tables {
  /** More rows than these are only counted. */
  static final int MAX_ROWS = 10;

  private Tables() {}

  static String closures(long count) {
    return number(count) + (count == 1 ? " closure" : " closures");
  }

  /** Totals; then, unless there are none, a table of rows. */
  static String found(CensusResult census) {
    if (census.count() == 0) {
      return "none";
    }
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("count", "bytes", "closure", "some of them"));
    census.rows().stream()
        .limit(MAX_ROWS)
        .map(
            row ->
                List.of(
                    number(row.count()),
                    number(row.bytes()),
                    row.key(),
                    row.samples().stream()
                        .map("0x%016x"::formatted)
                        .collect(Collectors.joining(" "))))
        .forEach(rows::add);
    return "%s, of %s bytes:%s%s"
        .formatted(
            number(census.count()),
            number(census.bytes()),
            table(rows, 2),
            more(census.rows().size() - MAX_ROWS));
  }

  static String more(int left) {
    return left > 0 ? "%n  and %d rows more".formatted(left) : "";
  }

  /** What could not be read, on a line of its own; empty when nothing. */
  static String gaps(ProgramHeap heap) {
    HeapTally.Missing missing = heap.missing();
    return missing.isNone()
        ? ""
        : "%n (of this heap, %s could not be read, and %s only in part)"
            .formatted(
                closures(missing.closuresWithoutInfo() + missing.unreadableClosures()),
                number(missing.incompleteClosures()));
  }

  /** The failure where what was read is as expected, but not everything was read. */
  static AssertionFailedError unsure(String expected, ProgramHeap heap) {
    return new AssertionFailedError(
        "Expected %s in %s,%n which is so in what could be read, but cannot be told%s;%n"
                .formatted(expected, heap, gaps(heap))
            + " acceptingGaps() goes by what could be read");
  }

  static String number(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  /**
   * Each row on a line of its own, after a line's end.
   *
   * @param numbers so many columns, the first, are set to the right
   */
  static String table(List<List<String>> rows, int numbers) {
    int columns = rows.getFirst().size();
    int[] widths =
        IntStream.range(0, columns)
            .map(i -> rows.stream().mapToInt(row -> row.get(i).length()).max().orElse(0))
            .toArray();
    StringBuilder text = new StringBuilder();
    for (List<String> row : rows) {
      text.append(System.lineSeparator());
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < columns; i++) {
        String padding = " ".repeat(widths[i] - row.get(i).length());
        line.append("  ").append(i < numbers ? padding + row.get(i) : row.get(i) + padding);
      }
      text.append(line.toString().stripTrailing());
    }
    return text.toString();
  }
}
