package org.ghcdebug.repl.command;

import java.time.Duration;
import org.ghcdebug.client.debuggee.Options;
import org.ghcdebug.client.debuggee.PauseMode;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Options of verbs that need a target. */
final class ConnectOptions {
  @Option(
      names = "--timeout",
      paramLabel = "DURATION",
      converter = Durations.class,
      description = "Give up when the debuggee does not answer for so long (10s, 2m).")
  @Nullable Duration timeout;

  @Option(
      names = "--max-pause",
      paramLabel = "DURATION",
      converter = Durations.class,
      description = "Resume the debuggee when it has been held still for so long, come what may.")
  private @Nullable Duration maxPause;

  @Mixin private TokenOption token = new TokenOption();

  @Option(
      names = "--pause-mode",
      paramLabel = "copy|hold|fork",
      converter = ModeConverter.class,
      description = {
        "copy (unless given): copy the heap under a short pause and look at the copy;",
        "hold: stay paused and read only what is asked for;",
        "fork: let the debuggee fork and go on, and read the copy."
      })
  private @Nullable PauseMode mode;

  /** These options where they are given, and those of {@code base} where not. */
  Options over(Options base) {
    return new Options(
        mode == null ? base.pauseMode() : mode,
        timeout == null ? base.timeout() : timeout,
        maxPause == null ? base.maxPause() : maxPause,
        token.over(base.token()));
  }

  static final class ModeConverter implements ITypeConverter<PauseMode> {
    @Override
    public PauseMode convert(String text) {
      return switch (text) {
        case "copy" -> PauseMode.COPY;
        case "hold" -> PauseMode.HOLD;
        case "fork" -> PauseMode.FORK;
        default ->
            throw new TypeConversionException(
                "\"%s\" is not a pause mode; expected copy, hold or fork".formatted(text));
      };
    }
  }
}
