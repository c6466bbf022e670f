package org.ghcdebug.repl.command.verb;

import java.util.List;
import java.util.Map;
import org.ghcdebug.repl.command.Session;
import org.ghcdebug.repl.command.UsageException;
import org.ghcdebug.repl.command.Verb;
import org.ghcdebug.repl.render.Column;
import org.ghcdebug.repl.render.Shape;
import org.ghcdebug.repl.render.View;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Makes a word stand for the beginning of a line. */
@Command(
    name = "alias",
    header = "Make a word stand for the beginning of a line, or list such words.",
    customSynopsis = {"alias", "alias NAME = LINE"},
    footer = {
      "",
      "Examples:",
      "  alias top = census --by constructor --top 10",
      "  alias first = 'print $1'"
    })
final class Alias implements Verb {
  private static final Shape<Map.Entry<String, String>, Void> SHAPE =
      Shape.table(
          "alias",
          List.<Column<Map.Entry<String, String>>>of(
              new Column.Text<>("name", Map.Entry::getKey),
              new Column.Text<>("line", Map.Entry::getValue)));

  @Parameters(
      arity = "0..*",
      paramLabel = "NAME = LINE",
      description = {
        "A word, =, and what it stands for. A line in single quotes is taken as it is: its",
        "variables and pipes mean something only when the alias is used."
      })
  private List<String> words = List.of();

  @Override
  public Shape<?, ?> shape() {
    return SHAPE;
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
    if (words.isEmpty()) {
      return View.of(SHAPE, List.copyOf(session.aliases().entrySet()));
    }
    if (words.size() < 3 || !words.get(1).equals("=")) {
      throw new UsageException("alias: expected NAME = LINE; \"help alias\" has examples");
    }
    session.defineAlias(words.getFirst(), words.subList(2, words.size()));
    return View.nothing(0);
  }
}
