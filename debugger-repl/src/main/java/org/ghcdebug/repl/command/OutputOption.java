package org.ghcdebug.repl.command;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where an answer goes; left out for verbs that give {@code -o} a meaning of their own. */
final class OutputOption {
  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "Write the answer to FILE.")
  @Nullable Path output;
}
