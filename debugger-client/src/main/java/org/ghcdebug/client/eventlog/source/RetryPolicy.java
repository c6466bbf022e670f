package org.ghcdebug.client.eventlog.source;

import java.time.Duration;

/**
 * How to go on trying to open a source.
 *
 * @param first wait after the first failure
 * @param factor each further wait is longer by this, 1 or more
 * @param longest no wait is longer than this
 * @param total how long to try altogether; zero = once
 */
public record RetryPolicy(Duration first, double factor, Duration longest, Duration total) {
  /** Try once. */
  public static final RetryPolicy NONE =
      new RetryPolicy(Duration.ZERO, 1, Duration.ZERO, Duration.ZERO);

  /** Try every so often, for good. */
  public static RetryPolicy every(Duration wait) {
    return new RetryPolicy(wait, 1, wait, Duration.ofDays(36_500));
  }

  public RetryPolicy {
    if (factor < 1 || first.isNegative() || longest.compareTo(first) < 0) {
      throw new IllegalArgumentException(
          "first " + first + ", factor " + factor + ", longest " + longest);
    }
  }

  /** The wait after that many failures, 1 or more. */
  Duration waitAfter(int failures) {
    double nanos = first.toNanos() * Math.pow(factor, failures - 1);
    return nanos >= longest.toNanos() ? longest : Duration.ofNanos((long) nanos);
  }
}
