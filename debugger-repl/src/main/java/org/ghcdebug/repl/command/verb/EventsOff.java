package org.ghcdebug.repl.command.verb;

import org.ghcdebug.repl.command.ExitCode;
import org.ghcdebug.repl.command.Session;
import org.ghcdebug.repl.command.UsageException;
import org.ghcdebug.repl.command.Verb;
import org.ghcdebug.repl.render.Shape;
import org.ghcdebug.repl.render.View;
import picocli.CommandLine.Command;

/** No more events above the prompt. */
@Command(
    name = "events off",
    header = "Show no more events above the prompt.",
    footer = {"", "Example:", "  events off"})
final class EventsOff implements Verb {
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
    if (!session.endWatch()) {
      throw new UsageException("no events are shown; show some by: events on SOURCE");
    }
    return View.nothing(ExitCode.OK);
  }
}
