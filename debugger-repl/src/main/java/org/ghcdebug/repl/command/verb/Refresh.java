package org.ghcdebug.repl.command.verb;

import java.util.List;
import org.ghcdebug.client.debuggee.Debuggee;
import org.ghcdebug.repl.command.Session;
import org.ghcdebug.repl.command.Verb;
import org.ghcdebug.repl.render.Shape;
import org.ghcdebug.repl.render.View;
import picocli.CommandLine.Command;

/** Takes a new view. */
@Command(
    name = "refresh",
    header = "Take a new view of the heap.",
    description = {"", "Addresses shown before may no longer mean anything."},
    footer = {"", "Example:", "  refresh"})
final class Refresh implements Verb {
  private static final Shape<TargetInfo, Void> SHAPE = TargetInfo.sentence("refresh");

  @Override
  public Shape<?, ?> shape() {
    return SHAPE;
  }

  @Override
  public boolean needsTarget() {
    return true;
  }

  @Override
  public View<?, ?> run(Session session) {
    Debuggee debuggee = session.debuggee();
    debuggee.refresh(session.work());
    return View.of(SHAPE, List.of(TargetInfo.of(debuggee)));
  }
}
