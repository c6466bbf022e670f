package org.ghcdebug.client.eventlog;

import java.util.Arrays;

/** Exact quantiles of durations; 8 bytes for each. */
final class Quantiles {
  private long[] values = new long[64];
  private int count;
  private boolean sorted = true;

  void add(long value) {
    if (count == values.length) {
      values = Arrays.copyOf(values, 2 * count);
    }
    values[count++] = value;
    sorted = false;
  }

  /** The smallest value that at least {@code share} of all are not above; 0 without values. */
  long at(double share) {
    if (count == 0) {
      return 0;
    }
    if (!sorted) {
      Arrays.sort(values, 0, count);
      sorted = true;
    }
    return values[Math.clamp((long) Math.ceil(share * count) - 1, 0, count - 1)];
  }
}
