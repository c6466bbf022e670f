package org.ghcdebug.client.analysis.census;

import java.util.List;
import org.ghcdebug.client.index.HeapTally;

/**
 * A census: rows by bytes, largest first.
 *
 * @param rows one per key
 * @param count closures of all rows
 * @param bytes bytes of all rows
 * @param missing what the heap lacked
 */
public record CensusResult(List<Row> rows, long count, long bytes, HeapTally.Missing missing) {
  public CensusResult {
    rows = List.copyOf(rows);
  }

  /**
   * The closures with one key.
   *
   * @param key see {@link CensusKey}
   * @param count how many
   * @param bytes their sizes added up
   * @param maxBytes the largest one
   * @param samples addresses of some, at most {@link HeapTally#MAX_SAMPLES}
   */
  public record Row(String key, long count, long bytes, long maxBytes, List<Long> samples) {
    public Row {
      samples = List.copyOf(samples);
    }

    /** Mean size, rounded to a whole byte. */
    public long averageBytes() {
      return Math.round((double) bytes / count);
    }
  }
}
