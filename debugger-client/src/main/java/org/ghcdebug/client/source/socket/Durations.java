package org.ghcdebug.client.source.socket;

import java.time.Duration;

/** Durations in messages. */
final class Durations {
  private Durations() {}

  /** Seconds, with a fraction only if there is one: {@code 10 s}, {@code 0.25 s}. */
  static String text(Duration duration) {
    long millis = duration.toMillis();
    return millis % 1000 == 0 ? millis / 1000 + " s" : millis / 1000.0 + " s";
  }
}
