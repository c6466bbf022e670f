package org.ghcdebug.repl.command;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Durations as options take them: {@code 250ms}, {@code 10s}, {@code 1.5m}, {@code 2h}. */
public final class Durations implements ITypeConverter<Duration> {
  private static final Pattern FORM = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,9})?)(ms|s|m|h)");

  @Override
  public Duration convert(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      throw new TypeConversionException(
          "\"%s\" is not a duration; expected for instance 250ms, 10s, 5m or 1h".formatted(text));
    }
    double unitNanos =
        switch (matcher.group(2)) {
          case "ms" -> 1e6;
          case "s" -> 1e9;
          case "m" -> 60e9;
          default -> 3600e9;
        };
    var duration = Duration.ofNanos((long) (Double.parseDouble(matcher.group(1)) * unitNanos));
    if (duration.isZero()) {
      throw new TypeConversionException("\"%s\": expected more than nothing".formatted(text));
    }
    return duration;
  }
}
