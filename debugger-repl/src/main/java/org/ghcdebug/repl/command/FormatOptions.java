package org.ghcdebug.repl.command;

import org.ghcdebug.repl.render.Format;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of verbs that answer something. */
final class FormatOptions {
  @Option(
      names = "--format",
      paramLabel = "text|json|ndjson|csv|tsv|md",
      description = "The format of the answer; text unless given.")
  private @Nullable Format format;

  @Option(names = "--json", description = "Short for --format json.")
  private boolean json;

  /**
   * @throws UsageException when two formats are asked for
   */
  Format format() {
    if (json && format != null && format != Format.JSON) {
      throw new UsageException("--json and --format ask for two formats; give one of them");
    }
    return json ? Format.JSON : format == null ? Format.TEXT : format;
  }
}
