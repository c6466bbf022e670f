package org.ghcdebug.repl.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.ghcdebug.client.debuggee.Options;
import org.ghcdebug.client.debuggee.PauseMode;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Options of verbs that need a target. */
final class ConnectOptions {
  private static final String TOKEN_VARIABLE = "GHC_DEBUG_TOKEN";

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
      names = "--token-file",
      paramLabel = "FILE",
      description = "Holds the token of a debuggee that listens by TCP (or set GHC_DEBUG_TOKEN).")
  private @Nullable Path tokenFile;

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
        token(base));
  }

  private @Nullable String token(Options base) {
    if (tokenFile == null) {
      return base.token() == null ? System.getenv(TOKEN_VARIABLE) : base.token();
    }
    try {
      return Files.readString(tokenFile).strip();
    } catch (IOException e) {
      throw new UsageException(
          "--token-file: %s cannot be read (%s)".formatted(tokenFile, IoReason.of(e)));
    }
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
