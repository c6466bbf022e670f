package org.ghcdebug.repl.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.ghcdebug.protocol.error.IoReason;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The token of a debuggee that listens by TCP. */
public final class TokenOption {
  private static final String VARIABLE = "GHC_DEBUG_TOKEN";

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description = "Holds the token of a debuggee that listens by TCP (or set GHC_DEBUG_TOKEN).")
  private @Nullable Path file;

  /**
   * The token in the file; if none is given, {@code otherwise}, or that of the environment.
   *
   * @throws UsageException when the file cannot be read
   */
  public @Nullable String over(@Nullable String otherwise) {
    if (file == null) {
      return otherwise == null ? ofEnvironment() : otherwise;
    }
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      throw new UsageException(
          "--token-file: %s cannot be read (%s)".formatted(file, IoReason.of(e)));
    }
  }

  /** What {@code GHC_DEBUG_TOKEN} is set to. */
  public static @Nullable String ofEnvironment() {
    return System.getenv(VARIABLE);
  }
}
