package org.ghcdebug.repl.command.verb;

import java.util.List;
import org.ghcdebug.repl.command.Session;
import org.ghcdebug.repl.command.Verb;
import org.ghcdebug.repl.render.Shape;
import org.ghcdebug.repl.render.View;
import picocli.CommandLine.Command;

/** What is attached to. */
@Command(
    name = "info",
    header = "Show what is known about a target, and its state.",
    footer = {"", "Example:", "  ghc-debug info app.sock"})
final class Info implements Verb {
  private static final Shape<TargetInfo, Void> SHAPE = TargetInfo.facts("info");

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
    return View.of(SHAPE, List.of(TargetInfo.of(session.debuggee())));
  }
}
