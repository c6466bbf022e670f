package org.ghcdebug.repl.command.verb;

import java.util.List;
import org.ghcdebug.client.debuggee.Debuggee;
import org.ghcdebug.repl.command.Session;
import org.ghcdebug.repl.command.Verb;
import org.ghcdebug.repl.render.Shape;
import org.ghcdebug.repl.render.View;
import picocli.CommandLine.Command;

/** Lets the debuggee go on. */
@Command(
    name = "resume",
    header = "Let the debuggee go on; the view of its heap is given up.",
    footer = {"", "Example:", "  resume"})
final class Resume implements Verb {
  private static final Shape<TargetInfo, Void> SHAPE = TargetInfo.sentence("resume");

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
    debuggee.resume();
    return View.of(SHAPE, List.of(TargetInfo.of(debuggee)));
  }
}
