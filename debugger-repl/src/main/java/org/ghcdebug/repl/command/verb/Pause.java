package org.ghcdebug.repl.command.verb;

import java.util.List;
import org.ghcdebug.client.debuggee.Debuggee;
import org.ghcdebug.repl.command.Session;
import org.ghcdebug.repl.command.Verb;
import org.ghcdebug.repl.render.Shape;
import org.ghcdebug.repl.render.View;
import picocli.CommandLine.Command;

/** Holds the debuggee still. */
@Command(
    name = "pause",
    header = "Hold the debuggee still, and read its heap as it stands.",
    description = {
      "",
      "It stays so until resume, until it is left, or until --max-pause is spent. As a sub-command",
      "this only tries whether it can be done: no debuggee is left paused."
    },
    footer = {"", "Example:", "  pause"})
final class Pause implements Verb {
  private static final Shape<TargetInfo, Void> SHAPE = TargetInfo.sentence("pause");

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
    session.work().waiting(debuggee::pause);
    return View.of(SHAPE, List.of(TargetInfo.of(debuggee)));
  }
}
