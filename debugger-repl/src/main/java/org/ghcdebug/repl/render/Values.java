package org.ghcdebug.repl.render;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** How single values look to people. */
public final class Values {
  private static final String[] BINARY_UNITS = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};

  private Values() {}

  /** {@code 0x} and 16 digits. */
  public static String address(long address) {
    return "0x%016x".formatted(address);
  }

  /** With thousands separators: {@code 1,234,567}. */
  public static String count(long count) {
    return String.format(Locale.ROOT, "%,d", count);
  }

  /** With thousands separators and one digit of fraction. */
  public static String decimal(double number) {
    return String.format(Locale.ROOT, "%,.1f", number);
  }

  /** In the largest unit that leaves at least 1: {@code 640 B}, {@code 12.5 KiB}. */
  public static String bytes(long bytes) {
    int unit = 0;
    double size = bytes;
    // 1023.95 would be rounded to 1024.0 of the same unit.
    while (Math.abs(size) >= (unit == 0 ? 1024 : 1023.95) && unit < BINARY_UNITS.length - 1) {
      size /= 1024;
      unit++;
    }
    return unit == 0
        ? bytes + " B"
        : String.format(Locale.ROOT, "%.1f %s", size, BINARY_UNITS[unit]);
  }

  /**
   * In the unit that suits it: {@code 850 ns}, {@code 1.5 ms}, {@code 3.2 s}, {@code 4 min 10 s}.
   */
  public static String duration(long nanos) {
    if (nanos < 1_000) {
      return nanos + " ns";
    }
    if (nanos < 1_000_000) {
      return String.format(Locale.ROOT, "%.1f µs", nanos / 1e3);
    }
    if (nanos < 1_000_000_000) {
      return String.format(Locale.ROOT, "%.1f ms", nanos / 1e6);
    }
    long seconds = TimeUnit.NANOSECONDS.toSeconds(nanos);
    return seconds < 60
        ? String.format(Locale.ROOT, "%.1f s", nanos / 1e9)
        : "%d min %d s".formatted(seconds / 60, seconds % 60);
  }

  /** ISO 8601 in UTC, to the millisecond. */
  public static String time(Instant moment) {
    return moment.truncatedTo(ChronoUnit.MILLIS).toString();
  }

  /** One line in which no character can steer a terminal: control characters as {@code \xNN}. */
  public static String printable(String text) {
    if (text.codePoints().noneMatch(Values::isControl)) {
      return text;
    }
    var safe = new StringBuilder();
    text.codePoints()
        .forEach(
            c -> {
              if (isControl(c)) {
                safe.append("\\x%02x".formatted(c));
              } else {
                safe.appendCodePoint(c);
              }
            });
    return safe.toString();
  }

  /** Control characters, and the marks that change the direction of text. */
  private static boolean isControl(int c) {
    int type = Character.getType(c);
    return type == Character.CONTROL
        || type == Character.FORMAT
        || type == Character.LINE_SEPARATOR
        || type == Character.PARAGRAPH_SEPARATOR
        || type == Character.SURROGATE;
  }
}
