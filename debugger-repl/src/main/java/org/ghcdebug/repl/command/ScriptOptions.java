package org.ghcdebug.repl.command;

import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Option;

/** Options of verbs that run lines. */
public final class ScriptOptions {
  @Option(
      names = "-e",
      paramLabel = "CMD",
      description = "Run this line; may be given several times.")
  List<String> commands = List.of();

  @Option(names = "-f", paramLabel = "FILE", description = "Run the lines of FILE.")
  List<Path> files = List.of();

  @Option(
      names = "--keep-going",
      description = "Go on behind a line that fails; otherwise the first failure ends the run.")
  boolean keepGoing;

  /** Whether any lines were given. */
  public boolean isEmpty() {
    return commands.isEmpty() && files.isEmpty();
  }

  public boolean keepGoing() {
    return keepGoing;
  }
}
