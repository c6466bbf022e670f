package org.ghcdebug.repl.command.verb;

import java.nio.file.Path;
import org.ghcdebug.repl.command.ScriptOptions;
import org.ghcdebug.repl.command.Session;
import org.ghcdebug.repl.command.UsageException;
import org.ghcdebug.repl.command.Verb;
import org.ghcdebug.repl.render.Shape;
import org.ghcdebug.repl.render.View;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Runs a script. */
@Command(
    name = "run",
    header = "Run the lines of a script.",
    description = {
      "",
      "The first line that fails ends the run, which ends with that line's exit code.",
      "A line beginning with # is a comment, and so is #! in the first line."
    },
    footer = {
      "",
      "Examples:",
      "  ghc-debug run app.sock leak.gdb",
      "  ghc-debug run demo -e 'census --top 5' -e count"
    })
final class Run implements Verb {
  @Parameters(
      arity = "0..1",
      paramLabel = "SCRIPT",
      description = "A file of lines, or - for standard input.")
  private @Nullable Path script;

  @Mixin private ScriptOptions options = new ScriptOptions();

  @Override
  public Shape<?, ?> shape() {
    return Shape.NOTHING;
  }

  @Override
  public boolean needsTarget() {
    return true;
  }

  @Override
  public View<?, ?> run(Session session) {
    if (script == null) {
      if (options.isEmpty()) {
        throw new UsageException("run: a SCRIPT is expected, or lines by -e or -f");
      }
      return View.nothing(session.interpreter().runScripts(options));
    }
    if (!options.isEmpty()) {
      throw new UsageException("run: SCRIPT and lines by -e or -f exclude each other");
    }
    return View.nothing(session.interpreter().runFile(script, options.keepGoing()));
  }
}
