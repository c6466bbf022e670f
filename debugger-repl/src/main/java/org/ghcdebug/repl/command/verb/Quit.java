package org.ghcdebug.repl.command.verb;

import org.ghcdebug.repl.command.Session;
import org.ghcdebug.repl.command.Verb;
import org.ghcdebug.repl.render.Shape;
import org.ghcdebug.repl.render.View;
import picocli.CommandLine.Command;

/** Ends the prompt or script. */
@Command(
    name = "quit",
    header = "Leave; the debuggee is resumed. So does Ctrl-D.",
    footer = {"", "Example:", "  quit"})
final class Quit implements Verb {
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
    session.leave();
    return View.nothing(0);
  }
}
