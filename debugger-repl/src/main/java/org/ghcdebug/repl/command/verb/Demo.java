package org.ghcdebug.repl.command.verb;

import java.util.List;
import org.ghcdebug.repl.command.OpensPrompt;
import org.ghcdebug.repl.command.ScriptOptions;
import org.ghcdebug.repl.command.Session;
import org.ghcdebug.repl.render.Shape;
import org.ghcdebug.repl.render.View;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Attaches to the debuggee that needs no Haskell. */
@Command(
    name = "demo",
    header = "Open the prompt on the recorded heap of a Haskell program that leaks.",
    description = {
      "",
      "The heap is served over a real Unix socket by this process; nothing else is needed. The"
          + " same",
      "target is called demo wherever TARGET is taken: ghc-debug census demo."
    },
    footer = {"", "Example:", "  ghc-debug demo"})
final class Demo implements OpensPrompt {
  private static final Shape<String, Void> SHAPE = Shape.text("demo");

  private static final List<String> SUGGESTIONS =
      List.of(
          "This is the heap of a small web service that leaks. Find out what it holds, and why:",
          "  census --by closure --top 8   # what there is most of, and where it comes from",
          "  saved                         # what the program shows us: its state",
          "  tree $1 --depth 4             # what holds the leak: a chain of thunks, and a cache",
          "\"help\" lists the verbs, Ctrl-D leaves.");

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
    session.attach("demo");
    return View.of(SHAPE, SUGGESTIONS);
  }
}
