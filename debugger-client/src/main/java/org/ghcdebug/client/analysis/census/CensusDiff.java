package org.ghcdebug.client.analysis.census;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What changed from one census to another by the same key.
 *
 * @param rows those that changed, the largest change in bytes first; none between a census and
 *     itself
 */
public record CensusDiff(List<Row> rows) {
  public CensusDiff {
    rows = List.copyOf(rows);
  }

  /** A key's closures before and after; 0 where there were none. */
  public record Row(
      String key, long countBefore, long countAfter, long bytesBefore, long bytesAfter) {
    public long countDelta() {
      return countAfter - countBefore;
    }

    public long bytesDelta() {
      return bytesAfter - bytesBefore;
    }
  }

  /** Compares. O(rows). */
  public static CensusDiff of(List<CensusResult.Row> before, List<CensusResult.Row> after) {
    Map<String, Row> rows = new LinkedHashMap<>();
    before.forEach(row -> rows.put(row.key(), new Row(row.key(), row.count(), 0, row.bytes(), 0)));
    for (CensusResult.Row row : after) {
      Row former = rows.getOrDefault(row.key(), new Row(row.key(), 0, 0, 0, 0));
      rows.put(
          row.key(),
          new Row(row.key(), former.countBefore(), row.count(), former.bytesBefore(), row.bytes()));
    }
    return new CensusDiff(
        rows.values().stream()
            .filter(row -> row.countDelta() != 0 || row.bytesDelta() != 0)
            .sorted(
                Comparator.comparingLong((Row row) -> -Math.abs(row.bytesDelta()))
                    .thenComparingLong(row -> -Math.abs(row.countDelta()))
                    .thenComparing(Row::key))
            .toList());
  }
}
