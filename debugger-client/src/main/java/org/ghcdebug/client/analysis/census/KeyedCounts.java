package org.ghcdebug.client.analysis.census;

import java.util.Arrays;
import java.util.List;
import org.ghcdebug.client.index.ClosureCursor;
import org.ghcdebug.client.index.HeapTally;
import org.ghcdebug.protocol.target.Target;

/** A running count of closures by the dense number of a key, in flat arrays. */
final class KeyedCounts {
  private long[] counts = new long[64];
  private long[] bytes = new long[64];
  private long[] maxBytes = new long[64];
  private long[] samples = new long[64 * HeapTally.MAX_SAMPLES]; // MAX_SAMPLES addresses per key

  void count(int key, ClosureCursor closure) {
    if (key >= counts.length) {
      int capacity = Math.max(key + 1, 2 * counts.length);
      counts = Arrays.copyOf(counts, capacity);
      bytes = Arrays.copyOf(bytes, capacity);
      maxBytes = Arrays.copyOf(maxBytes, capacity);
      samples = Arrays.copyOf(samples, capacity * HeapTally.MAX_SAMPLES);
    }
    if (counts[key] < HeapTally.MAX_SAMPLES) {
      samples[key * HeapTally.MAX_SAMPLES + (int) counts[key]] = closure.address();
    }
    long size = closure.sizeWords() * Target.WORD_BYTES;
    counts[key]++;
    bytes[key] += size;
    maxBytes[key] = Math.max(maxBytes[key], size);
  }

  /** What was counted under a key. */
  CensusResult.Row row(int key, String name) {
    int first = key * HeapTally.MAX_SAMPLES;
    int kept = (int) Math.min(counts[key], HeapTally.MAX_SAMPLES);
    List<Long> addresses = Arrays.stream(samples, first, first + kept).boxed().toList();
    return new CensusResult.Row(name, counts[key], bytes[key], maxBytes[key], addresses);
  }
}
