package org.ghcdebug.repl.shell;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.ghcdebug.client.query.Field;
import org.ghcdebug.repl.command.Address;
import org.ghcdebug.repl.command.Form;
import org.ghcdebug.repl.command.Registration;
import org.ghcdebug.repl.command.Session;
import org.ghcdebug.repl.command.VerbModel;
import org.jline.builtins.Completers.FileNameCompleter;
import org.jline.reader.Candidate;
import org.jline.reader.Completer;
import org.jline.reader.LineReader;
import org.jline.reader.ParsedLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * Completes verbs, options and their values, files and sockets, variables, addresses that were
 * shown and names of closures that were seen.
 */
final class LineCompleter implements Completer {
  private final Session session;
  private final Completer files = new FileNameCompleter();

  LineCompleter(Session session) {
    this.session = session;
  }

  @Override
  public void complete(LineReader reader, ParsedLine line, List<Candidate> candidates) {
    List<String> before = line.words().subList(0, line.wordIndex());
    Optional<Registration> verb = findVerb(before);
    if (verb.isEmpty()) {
      verbs(before).forEach(word -> candidates.add(new Candidate(word)));
      return;
    }
    CommandSpec spec = VerbModel.of(verb.get(), Form.LINE, false).commandLine().getCommandSpec();
    List<String> arguments = before.subList(words(verb.get()).size(), before.size());
    String word = line.word().substring(0, Math.min(line.wordCursor(), line.word().length()));
    OptionSpec option = arguments.isEmpty() ? null : spec.findOption(arguments.getLast());
    if (option != null && option.arity().max() > 0) {
      values(option, reader, line, candidates);
    } else if (word.startsWith("-")) {
      spec.options().stream()
          .filter(o -> !o.hidden())
          .flatMap(o -> Stream.of(o.names()))
          .forEach(name -> candidates.add(new Candidate(name)));
    } else if (word.startsWith("$")) {
      session.variables().names().forEach(name -> candidates.add(new Candidate("$" + name)));
    } else if (!spec.positionalParameters().isEmpty()) {
      values(positional(spec, arguments), reader, line, candidates);
    }
  }

  private Optional<Registration> findVerb(List<String> words) {
    return session.registry().verbs().stream()
        .filter(verb -> words.size() >= words(verb).size())
        .filter(verb -> words.subList(0, words(verb).size()).equals(words(verb)))
        .findFirst();
  }

  private static List<String> words(Registration verb) {
    return List.of(verb.name().split(" "));
  }

  /** The next word of the verbs that begin so, and aliases. */
  private Stream<String> verbs(List<String> before) {
    Stream<String> next =
        session.registry().verbs().stream()
            .map(LineCompleter::words)
            .filter(words -> words.size() > before.size())
            .filter(words -> words.subList(0, before.size()).equals(before))
            .map(words -> words.get(before.size()));
    return Stream.concat(next, before.isEmpty() ? session.aliases().keySet().stream() : Stream.of())
        .distinct();
  }

  private static PositionalParamSpec positional(CommandSpec spec, List<String> arguments) {
    var parameters = spec.positionalParameters();
    long given = arguments.stream().filter(argument -> !argument.startsWith("-")).count();
    return parameters.get((int) Math.min(given, parameters.size() - 1));
  }

  private void values(
      ArgSpec argument, LineReader reader, ParsedLine line, List<Candidate> candidates) {
    Class<?> type = argument.auxiliaryTypes()[0];
    var texts = new ArrayList<String>();
    if (type == Path.class || argument.paramLabel().equals("TARGET")) {
      files.complete(reader, line, candidates);
    } else if (type == Address.class) {
      texts.addAll(session.variables().shownAddresses().reversed());
    } else if (type.isEnum()) {
      texts.addAll(VerbModel.words(type));
    } else if (argument.paramLabel().equals("VERB")) {
      texts.addAll(session.registry().names(Form.LINE));
    } else if (argument.paramLabel().equals("EXPR")) {
      Stream.of(Field.values()).map(Field::toString).forEach(texts::add);
      texts.addAll(session.knownNames());
    } else {
      texts.addAll(session.variables().shownNames());
    }
    texts.forEach(text -> candidates.add(new Candidate(text)));
  }
}
