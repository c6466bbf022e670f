package org.ghcdebug.repl.command.verb;

import java.util.List;
import org.ghcdebug.repl.command.Session;
import org.ghcdebug.repl.command.UsageException;
import org.ghcdebug.repl.command.Verb;
import org.ghcdebug.repl.render.Shape;
import org.ghcdebug.repl.render.View;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Names a value. */
@Command(
    name = "set",
    header = "Give a value a name, to be used as $NAME.",
    customSynopsis = "set NAME = VALUE",
    footer = {"", "Example:", "  set root = $1", "  tree $root --depth 4"})
final class SetVariable implements Verb {
  @Parameters(
      arity = "3..*",
      paramLabel = "NAME = VALUE",
      description = "A name, =, and what it is to stand for.")
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
  public boolean quotesLine() {
    return true;
  }

  @Override
  public View<?, ?> run(Session session) {
    if (!words.get(1).equals("=")) {
      throw new UsageException(
          "set: expected NAME = VALUE, found \"%s\" instead of =".formatted(words.get(1)));
    }
    session.variables().set(words.get(0), String.join(" ", words.subList(2, words.size())));
    return View.nothing(0);
  }
}
