package org.ghcdebug.repl.command.verb;

import java.util.ArrayList;
import java.util.List;
import org.ghcdebug.repl.command.Form;
import org.ghcdebug.repl.command.Registration;
import org.ghcdebug.repl.command.Section;
import org.ghcdebug.repl.command.Session;
import org.ghcdebug.repl.command.UsageException;
import org.ghcdebug.repl.command.Verb;
import org.ghcdebug.repl.command.VerbModel;
import org.ghcdebug.repl.render.Shape;
import org.ghcdebug.repl.render.View;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Usage of one verb, or the list of all. */
@Command(
    name = "help",
    header = "List the verbs, or print the usage of one.",
    footer = {"", "Example:", "  help census"})
final class Help implements Verb {
  private static final Shape<String, Void> SHAPE = Shape.text("help");

  @Parameters(arity = "0..*", paramLabel = "VERB", description = "The verb to explain.")
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
  public View<?, ?> run(Session session) {
    return View.of(SHAPE, words.isEmpty() ? overview(session) : usage(session));
  }

  private List<String> usage(Session session) {
    String name = String.join(" ", words);
    List<Registration> verbs =
        session.registry().verbs().stream()
            .filter(verb -> verb.name().equals(name) || verb.name().startsWith(name + " "))
            .toList();
    if (verbs.isEmpty()) {
      throw new UsageException("no verb \"%s\"; \"help\" lists the verbs".formatted(name));
    }
    var lines = new ArrayList<String>();
    for (Registration verb : verbs) {
      if (!lines.isEmpty()) {
        lines.add("");
      }
      Form form = verb.onlyInLines() ? Form.LINE : Form.SUBCOMMAND;
      VerbModel.of(verb, form, true).usage().lines().forEach(lines::add);
    }
    return lines;
  }

  private static List<String> overview(Session session) {
    var lines = new ArrayList<String>();
    lines.add("ghc-debug VERB [TARGET] [ARGUMENTS] [OPTIONS]");
    lines.add("");
    lines.add("TARGET is a socket, tcp://HOST:PORT, pid:N, a program, a snapshot file, or demo.");
    lines.add("At the prompt and in scripts it is the one attached to, and is left out.");
    int width =
        session.registry().verbs().stream().mapToInt(v -> v.name().length()).max().orElse(0);
    for (Section section : Section.values()) {
      lines.add("");
      lines.add(section.title() + ":");
      for (Registration verb : session.registry().verbs()) {
        if (verb.section() == section) {
          String name = verb.name() + " ".repeat(width - verb.name().length());
          lines.add("  " + name + "  " + VerbModel.of(verb, Form.LINE, false).summary());
        }
      }
    }
    lines.add("");
    lines.add("\"help VERB\" and \"VERB --help\" tell more.");
    return lines;
  }
}
