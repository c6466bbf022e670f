package org.ghcdebug.repl.command;

import java.time.Duration;
import org.ghcdebug.client.debuggee.Options;
import org.ghcdebug.client.debuggee.PauseMode;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
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

  @Option(
      names = "--pause-mode",
      paramLabel = "copy|hold",
      converter = ModeConverter.class,
      description = {
        "copy (unless given): copy the heap under a short pause and look at the copy;",
        "hold: stay paused and read only what is asked for."
      })
  private @Nullable PauseMode mode;

  /** These options where they are given, and those of {@code base} where not. */
  Options over(Options base) {
    return new Options(
        mode == null ? base.pauseMode() : mode,
        timeout == null ? base.timeout() : timeout,
        maxPause == null ? base.maxPause() : maxPause);
  }

  static final class ModeConverter implements ITypeConverter<PauseMode> {
    @Override
    public PauseMode convert(String text) {
      return switch (text) {
        case "copy" -> PauseMode.COPY;
        case "hold" -> PauseMode.HOLD;
        case "fork" ->
            throw new TypeConversionException(
                "fork is not supported yet; use copy, which holds the debuggee only while its heap"
                    + " is copied, or hold");
        default ->
            throw new TypeConversionException(
                "\"%s\" is not a pause mode; expected copy or hold".formatted(text));
      };
    }
  }
}
