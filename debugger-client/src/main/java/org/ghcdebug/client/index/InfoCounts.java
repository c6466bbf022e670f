package org.ghcdebug.client.index;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.ghcdebug.protocol.closure.InfoTable;

/** A running count of closures by info id, in flat arrays. */
final class InfoCounts {
  private long[] counts = new long[256];
  private long[] sizesWords = new long[256];
  private long[] maxSizeWords = new long[256];
  private long[] samples = new long[256 * HeapTally.MAX_SAMPLES]; // MAX_SAMPLES addresses per id

  /** Makes room for ids below {@code ids}. */
  void reserve(int ids) {
    if (ids > counts.length) {
      int capacity = Math.max(ids, 2 * counts.length);
      counts = Arrays.copyOf(counts, capacity);
      sizesWords = Arrays.copyOf(sizesWords, capacity);
      maxSizeWords = Arrays.copyOf(maxSizeWords, capacity);
      samples = Arrays.copyOf(samples, capacity * HeapTally.MAX_SAMPLES);
    }
  }

  /** Whether a sample address is still wanted for this id. */
  boolean wantsSample(int id) {
    return counts[id] < HeapTally.MAX_SAMPLES;
  }

  /** Records one; call before {@link #count}. */
  void sample(int id, long closureAddr) {
    samples[id * HeapTally.MAX_SAMPLES + (int) counts[id]] = closureAddr;
  }

  void count(int id, long sizeWords) {
    counts[id]++;
    sizesWords[id] += sizeWords;
    if (sizeWords > maxSizeWords[id]) {
      maxSizeWords[id] = sizeWords;
    }
  }

  /** One entry per info table that was counted. */
  List<HeapTally.Entry> entries(InfoRegistry infos) {
    List<HeapTally.Entry> entries = new ArrayList<>();
    for (int id = 0; id < counts.length; id++) {
      InfoTable table = counts[id] == 0 ? null : infos.table(id);
      if (table != null) {
        int first = id * HeapTally.MAX_SAMPLES;
        int kept = (int) Math.min(counts[id], HeapTally.MAX_SAMPLES);
        entries.add(
            new HeapTally.Entry(
                table,
                counts[id],
                sizesWords[id] * Long.BYTES,
                maxSizeWords[id] * Long.BYTES,
                Arrays.stream(samples, first, first + kept).boxed().toList()));
      }
    }
    return entries;
  }
}
