package org.ghcdebug.repl.command;

import picocli.CommandLine.Option;

/** Options of every verb. */
final class CommonOptions {
  /** When something that is for terminals is done. */
  enum When {
    AUTO,
    ALWAYS,
    NEVER
  }

  /** How progress is told. */
  enum ProgressMode {
    AUTO,
    NEVER,
    JSON
  }

  @Option(
      names = {"-q", "--quiet"},
      description = "No warnings and no progress on standard error.")
  boolean quiet;

  @Option(
      names = {"-v", "--verbose"},
      description = "Say more on standard error; -vv also prints stack traces.")
  boolean[] verbose = {};

  @Option(
      names = "--color",
      paramLabel = "auto|always|never",
      description = "Colors in text; auto: on a terminal, unless NO_COLOR is set.")
  When color = When.AUTO;

  @Option(names = "--no-pager", description = "Do not page long text on a terminal.")
  boolean noPager;

  @Option(
      names = "--progress",
      paramLabel = "auto|never|json",
      description = "Progress on standard error; auto: where that is a terminal.")
  ProgressMode progress = ProgressMode.AUTO;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Print this help.")
  boolean help;

  /** How many times {@code -v} was given. */
  int verbosity() {
    return verbose.length;
  }
}
