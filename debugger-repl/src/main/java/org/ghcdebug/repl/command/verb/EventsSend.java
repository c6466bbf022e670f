package org.ghcdebug.repl.command.verb;

import java.util.List;
import org.ghcdebug.repl.command.ExitCode;
import org.ghcdebug.repl.command.Session;
import org.ghcdebug.repl.command.UsageException;
import org.ghcdebug.repl.command.Verb;
import org.ghcdebug.repl.render.Shape;
import org.ghcdebug.repl.render.View;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Commands to the program whose events are shown above the prompt. */
@Command(
    name = "events send",
    header = "Send commands to the program whose events are shown.",
    description = {
      "",
      "There are no replies: what the program does shows in its events. Programs whose",
      "eventlog-socket does not know a command ignore it."
    },
    footer = {"", "Example:", "  events send census user=off"})
final class EventsSend implements Verb {
  @Parameters(
      paramLabel = "COMMAND",
      arity = "1..*",
      description = "Any of: " + EventLogControl.WORDS + ".")
  private List<String> words = List.of();

  @Override
  public Shape<?, ?> shape() {
    return Shape.NOTHING;
  }

  @Override
  public boolean needsTarget() {
    return false;
  }

  @Override
  public View<?, ?> run(Session session) {
    if (!(session.findWatch().orElse(null) instanceof EventWatch watch)) {
      throw new UsageException("no events are shown; show some by: events on SOURCE");
    }
    watch.send(EventLogControl.parse(words));
    return View.nothing(ExitCode.OK);
  }
}
