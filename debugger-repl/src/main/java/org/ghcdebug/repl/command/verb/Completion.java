package org.ghcdebug.repl.command.verb;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.ghcdebug.repl.command.Form;
import org.ghcdebug.repl.command.Registration;
import org.ghcdebug.repl.command.Session;
import org.ghcdebug.repl.command.Verb;
import org.ghcdebug.repl.command.VerbModel;
import org.ghcdebug.repl.render.Shape;
import org.ghcdebug.repl.render.View;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Parameters;

/** Completion of sub-commands and options, for shells. */
@Command(
    name = "completion",
    header = "Print a script that makes a shell complete ghc-debug's arguments.",
    footer = {
      "",
      "Examples:",
      "  source <(ghc-debug completion bash)",
      "  ghc-debug completion fish > ~/.config/fish/completions/ghc-debug.fish"
    })
final class Completion implements Verb {
  /** Shells that a script can be made for. */
  enum ShellName {
    BASH,
    ZSH,
    FISH
  }

  private static final Shape<String, Void> SHAPE = Shape.text("completion");

  /** Files complete wherever a word is no verb and no option: sockets, snapshots and scripts. */
  private static final String BASH =
      """
      _ghc_debug() {
        local word=${COMP_WORDS[COMP_CWORD]} verb=${COMP_WORDS[1]} words=
        case "$verb ${COMP_WORDS[COMP_CWORD-1]}" in
      %s
        esac
        if [ "$COMP_CWORD" -eq 1 ]; then
          words='%s'
        elif [ "$words" ]; then
          :
        elif [[ $word == -* ]]; then
          case "$verb" in
      %s
          esac
        else
          if [ "$COMP_CWORD" -eq 2 ]; then
            case "$verb" in
      %s
            esac
          fi
          COMPREPLY=($(compgen -f -W "demo $words" -- "$word"))
          return
        fi
        COMPREPLY=($(compgen -W "$words" -- "$word"))
      }
      complete -o filenames -F _ghc_debug ghc-debug
      """;

  @Parameters(paramLabel = "bash|zsh|fish", description = "The shell.")
  private ShellName shell = ShellName.BASH;

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
    List<Registration> verbs =
        session.registry().verbs().stream().filter(verb -> !verb.onlyInLines()).toList();
    return View.of(
        SHAPE,
        switch (shell) {
          case BASH -> bash(verbs);
          case ZSH -> zsh(verbs);
          case FISH -> fish(verbs);
        });
  }

  private static List<String> bash(List<Registration> verbs) {
    String names =
        verbs.stream().map(Completion::firstWord).distinct().collect(Collectors.joining(" "));
    String cases =
        verbs.stream().collect(Collectors.groupingBy(Completion::firstWord)).entrySet().stream()
            .map(
                family ->
                    "      %s) words='%s' ;;"
                        .formatted(family.getKey(), optionNames(family.getValue())))
            .sorted()
            .collect(Collectors.joining("\n"));
    String seconds =
        verbs.stream()
            .filter(Completion::hasSecondWord)
            .collect(Collectors.groupingBy(Completion::firstWord))
            .entrySet()
            .stream()
            .map(
                family ->
                    "        %s) words='%s' ;;"
                        .formatted(
                            family.getKey(),
                            family.getValue().stream()
                                .map(Completion::secondWord)
                                .collect(Collectors.joining(" "))))
            .sorted()
            .collect(Collectors.joining("\n"));
    return BASH.formatted(values(verbs), names, cases, seconds).lines().toList();
  }

  /** The words that options take, by the verb and the option before them. */
  private static String values(List<Registration> verbs) {
    var places = new LinkedHashMap<String, Set<String>>();
    for (Registration verb : verbs) {
      for (OptionSpec option : options(verb)) {
        for (String name : option.names()) {
          if (option.type().isEnum()) {
            places
                .computeIfAbsent(words(option), _ -> new LinkedHashSet<>())
                .add("'%s %s'".formatted(firstWord(verb), name));
          }
        }
      }
    }
    return places.entrySet().stream()
        .map(
            entry ->
                "    %s) words='%s' ;;"
                    .formatted(String.join("|", entry.getValue()), entry.getKey()))
        .collect(Collectors.joining("\n"));
  }

  private static String words(OptionSpec option) {
    return String.join(" ", VerbModel.words(option.type()));
  }

  private static String firstWord(Registration verb) {
    return verb.name().split(" ")[0];
  }

  private static boolean hasSecondWord(Registration verb) {
    return verb.name().contains(" ");
  }

  private static String secondWord(Registration verb) {
    return verb.name().split(" ")[1];
  }

  private static String optionNames(List<Registration> verbs) {
    return verbs.stream()
        .flatMap(verb -> options(verb).stream())
        .flatMap(option -> Arrays.stream(option.names()))
        .distinct()
        .collect(Collectors.joining(" "));
  }

  private static List<OptionSpec> options(Registration verb) {
    return VerbModel.of(verb, Form.SUBCOMMAND, true).commandLine().getCommandSpec().options();
  }

  private static List<String> zsh(List<Registration> verbs) {
    var lines =
        new ArrayList<>(
            List.of("#compdef ghc-debug", "autoload -U +X bashcompinit", "bashcompinit"));
    lines.addAll(bash(verbs));
    return lines;
  }

  private static List<String> fish(List<Registration> verbs) {
    var lines = new ArrayList<String>();
    verbs.stream()
        .map(Completion::firstWord)
        .distinct()
        .filter(word -> verbs.stream().noneMatch(verb -> verb.name().equals(word)))
        .forEach(word -> lines.add("complete -c ghc-debug -f -n __fish_use_subcommand -a " + word));
    for (Registration verb : verbs) {
      String condition =
          hasSecondWord(verb)
              ? "'__fish_seen_subcommand_from %s'".formatted(firstWord(verb))
              : "__fish_use_subcommand";
      lines.add(
          "complete -c ghc-debug -f -n %s -a %s -d %s"
              .formatted(
                  condition,
                  hasSecondWord(verb) ? secondWord(verb) : firstWord(verb),
                  quote(VerbModel.of(verb, Form.SUBCOMMAND, true).summary())));
      for (OptionSpec option : options(verb)) {
        String names =
            Arrays.stream(option.names())
                .map(
                    name ->
                        name.startsWith("--")
                            ? "-l " + name.substring(2)
                            : "-s " + name.substring(1))
                .collect(Collectors.joining(" "));
        String values = option.type().isEnum() ? " -x -a " + quote(words(option)) : "";
        lines.add(
            "complete -c ghc-debug -n '__fish_seen_subcommand_from %s' %s%s -d %s"
                .formatted(
                    firstWord(verb), names, values, quote(String.join(" ", option.description()))));
      }
    }
    return lines;
  }

  private static String quote(String text) {
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
  }
}
