package org.ghcdebug.client.analysis.census;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How the rows of censuses by the same key went, one census after another.
 *
 * @param rows those that changed: first those that never shrank, by growth, then the others
 */
public record CensusTrend(List<Row> rows) {
  public CensusTrend {
    rows = List.copyOf(rows);
  }

  /** A key's closures in one census. */
  public record Point(long count, long bytes) {}

  /**
   * A key's closures in each census.
   *
   * @param points as many as there are censuses; 0 where there were none
   */
  public record Row(String key, List<Point> points) {
    public Row {
      points = List.copyOf(points);
    }

    /** From the first census to the last. */
    public long countDelta() {
      return points.getLast().count() - points.getFirst().count();
    }

    /** From the first census to the last. */
    public long bytesDelta() {
      return points.getLast().bytes() - points.getFirst().bytes();
    }

    /** Whether it grew, and its bytes were never less than in the census before. */
    public boolean isGrowing() {
      for (int i = 1; i < points.size(); i++) {
        if (points.get(i).bytes() < points.get(i - 1).bytes()) {
          return false;
        }
      }
      return bytesDelta() > 0;
    }
  }

  /**
   * Compares. O(rows).
   *
   * @param censuses the oldest first
   */
  public static CensusTrend of(List<List<CensusResult.Row>> censuses) {
    Map<String, List<Point>> points = new LinkedHashMap<>();
    for (int census = 0; census < censuses.size(); census++) {
      for (CensusResult.Row row : censuses.get(census)) {
        List<Point> ofKey = points.computeIfAbsent(row.key(), _ -> new ArrayList<>());
        fill(ofKey, census);
        ofKey.add(new Point(row.count(), row.bytes()));
      }
    }
    List<Row> rows = new ArrayList<>();
    points.forEach(
        (key, ofKey) -> {
          fill(ofKey, censuses.size());
          if (ofKey.stream().distinct().count() > 1) {
            rows.add(new Row(key, ofKey));
          }
        });
    rows.sort(
        Comparator.comparing((Row row) -> !row.isGrowing())
            .thenComparingLong(row -> -Math.abs(row.bytesDelta()))
            .thenComparing(Row::key));
    return new CensusTrend(rows);
  }

  private static void fill(List<Point> points, int size) {
    while (points.size() < size) {
      points.add(new Point(0, 0));
    }
  }
}
