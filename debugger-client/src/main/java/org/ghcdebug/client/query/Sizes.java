package org.ghcdebug.client.query;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Sizes as users write them: {@code 100}, {@code 4KiB}, {@code 1.5 MiB}. */
public final class Sizes {
  static final List<String> UNITS = List.of("B", "KiB", "MiB", "GiB", "TiB");

  private static final Pattern FORM = Pattern.compile("([0-9]+)(\\.[0-9]+)?\\s*([A-Za-z]*)");
  private static final int BITS_PER_UNIT = 10;

  private Sizes() {}

  /**
   * Reads a size, or a plain number.
   *
   * @return bytes
   * @throws IllegalArgumentException when it is none
   */
  public static long parse(String text) {
    Matcher matcher = FORM.matcher(text);
    int unit =
        !matcher.matches() || matcher.group(3).isEmpty() ? 0 : UNITS.indexOf(matcher.group(3));
    if (!matcher.matches() || unit < 0) {
      throw new IllegalArgumentException(
          "found \"%s\", expected a size such as 100, 4KiB, 1.5MiB or 2GiB".formatted(text));
    }
    String amount = matcher.group(1);
    String fraction = matcher.group(2);
    double bytes =
        Math.scalb(
            Double.parseDouble(fraction == null ? amount : amount + fraction),
            BITS_PER_UNIT * unit);
    if (bytes > Long.MAX_VALUE / 2) {
      throw new IllegalArgumentException("\"%s\" is more than any heap".formatted(text));
    }
    return fraction == null ? Long.parseLong(amount) << BITS_PER_UNIT * unit : Math.round(bytes);
  }
}
