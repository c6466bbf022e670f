package org.ghcdebug.repl.command;

import java.util.List;
import java.util.Optional;
import org.ghcdebug.repl.render.Shape;
import org.ghcdebug.repl.render.View;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * A verb with its arguments, understood but not yet run.
 *
 * @param target what was given as TARGET
 */
record Invocation(VerbModel model, Optional<String> target) {
  /**
   * Understands arguments.
   *
   * @param targetIsKnown whether TARGET may be left out of a sub-command
   * @throws UsageException when they are not understood
   */
  static Invocation parse(
      Registry registry, Form form, List<String> arguments, boolean targetIsKnown) {
    Registration verb = verb(registry, form, arguments);
    List<String> rest = arguments.subList(verb.name().indexOf(' ') < 0 ? 1 : 2, arguments.size());
    boolean takesTarget = form == Form.SUBCOMMAND;
    String mistaken =
        rest.isEmpty()
            ? ""
            : Similar.find(rest.getFirst(), registry.secondWords(verb.name(), form))
                .map(second -> "; perhaps \"%s %s\" is meant".formatted(verb.name(), second))
                .orElse("");
    if (takesTarget && targetIsKnown) {
      try {
        return parse(VerbModel.of(verb, form, false), rest);
      } catch (UnmatchedArgumentException e) {
        if (e.isUnknownOption()) {
          throw usage(mistaken, verb, e);
        }
        // One more than the verb takes: the first is TARGET.
      } catch (ParameterException e) {
        throw usage(mistaken, verb, e);
      }
    }
    try {
      return parse(VerbModel.of(verb, form, takesTarget), rest);
    } catch (ParameterException e) {
      throw usage(mistaken, verb, e);
    }
  }

  private static Registration verb(Registry registry, Form form, List<String> arguments) {
    Optional<Registration> found = registry.findFirst(arguments);
    if (found.isPresent() && (form == Form.LINE || !found.get().onlyInLines())) {
      return found.get();
    }
    String word = arguments.getFirst();
    String help = form == Form.LINE ? "\"help\"" : "\"ghc-debug help\"";
    if (found.isPresent()) {
      throw new UsageException(
          "%s is for the prompt and scripts; %s lists the sub-commands".formatted(word, help));
    }
    if (word.startsWith("-")) {
      throw new UsageException(
          "a verb is expected, found %s; options follow the verb; %s lists the verbs"
              .formatted(word, help));
    }
    List<String> seconds = registry.secondWords(word, form);
    boolean hasSecond = arguments.size() > 1 && !arguments.get(1).startsWith("-");
    if (!seconds.isEmpty() && !hasSecond) {
      throw new UsageException(
          "\"%s\" is the first word of verbs; expected one of %s behind it; %s lists them"
              .formatted(word, String.join(", ", seconds), help));
    }
    String name = seconds.isEmpty() ? word : word + " " + arguments.get(1);
    throw new UsageException(
        "no verb \"%s\"%s; %s"
            .formatted(
                name,
                perhaps(Similar.find(name, registry.names(form))),
                seconds.isEmpty()
                    ? help + " lists them"
                    : "expected one of %s behind %s".formatted(String.join(", ", seconds), word)));
  }

  private static String perhaps(Optional<String> guess) {
    return guess.map(name -> ", perhaps \"" + name + "\"").orElse("");
  }

  private static Invocation parse(VerbModel model, List<String> arguments) {
    model.commandLine().parseArgs(arguments.toArray(String[]::new));
    return new Invocation(model, model.findTarget());
  }

  private static UsageException usage(
      String mistaken, Registration verb, ParameterException problem) {
    return new UsageException(
        "%s: %s%s; see \"help %s\"".formatted(verb.name(), text(problem), mistaken, verb.name()));
  }

  private static String text(ParameterException problem) {
    List<String> unknown =
        problem instanceof UnmatchedArgumentException unmatched
            ? unmatched.getUnmatched().stream().filter(word -> word.matches("-.*[^-].*")).toList()
            : List.of();
    if (unknown.isEmpty()) {
      return problem.getMessage().lines().findFirst().orElse("");
    }
    // What stands behind an unknown option may be its value, and then all that follows is shifted.
    var known = problem.getCommandLine().getCommandSpec().optionsMap().keySet();
    String option = unknown.getFirst().replaceFirst("=.*", "");
    return "Unknown option: '%s'%s".formatted(option, perhaps(Similar.find(option, known)));
  }

  /** The verb, or what prints its help where that was asked for. */
  Verb verb() {
    return model.common().help ? new Usage(model.usage()) : model.verb();
  }

  private record Usage(String text) implements Verb {
    @Override
    public Shape<?, ?> shape() {
      return Shape.text("help");
    }

    @Override
    public boolean needsTarget() {
      return false;
    }

    @Override
    public View<?, ?> run(Session session) {
      return View.of(Shape.text("help"), text.lines().toList());
    }
  }
}
