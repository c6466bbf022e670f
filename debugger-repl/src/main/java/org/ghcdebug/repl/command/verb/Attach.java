package org.ghcdebug.repl.command.verb;

import java.util.List;
import org.ghcdebug.repl.command.OpensPrompt;
import org.ghcdebug.repl.command.ScriptOptions;
import org.ghcdebug.repl.command.Session;
import org.ghcdebug.repl.command.UsageException;
import org.ghcdebug.repl.render.Shape;
import org.ghcdebug.repl.render.View;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Attaches to a target. */
@Command(
    name = "attach",
    header = "Attach to a target, and open the prompt.",
    description = {
      "",
      "The program goes on running; the first verb that needs its heap pauses it for as long as",
      "--pause-mode says. Leaving resumes it in any case."
    },
    footer = {"", "Example:", "  ghc-debug attach /tmp/app.sock -e 'census --top 10'"})
final class Attach implements OpensPrompt {
  private static final Shape<TargetInfo, Void> SHAPE = TargetInfo.sentence("attach");

  @Parameters(
      arity = "0..1",
      paramLabel = "TARGET",
      description = {
        "A socket, tcp://HOST:PORT, pid:N, a program, a snapshot file, or demo; GHC_DEBUG_SOCKET",
        "where that is set."
      })
  private @Nullable String target;

  @Mixin private ScriptOptions script = new ScriptOptions();

  @Override
  public Shape<?, ?> shape() {
    return SHAPE;
  }

  @Override
  public boolean needsTarget() {
    return false;
  }

  @Override
  public ScriptOptions script() {
    return script;
  }

  @Override
  public View<?, ?> run(Session session) {
    String text =
        target != null
            ? target
            : session
                .findDefaultTarget()
                .orElseThrow(
                    () ->
                        new UsageException(
                            "attach: TARGET is expected, or GHC_DEBUG_SOCKET in the environment;"
                                + " \"ghc-debug ps\" lists debuggees"));
    return View.of(SHAPE, List.of(TargetInfo.of(session.attach(text))));
  }
}
