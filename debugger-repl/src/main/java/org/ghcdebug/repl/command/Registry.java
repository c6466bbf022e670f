package org.ghcdebug.repl.command;

import java.util.List;
import java.util.Optional;

/** All verbs. Immutable. */
public record Registry(List<Registration> verbs) {
  public Registry {
    verbs = List.copyOf(verbs);
  }

  /** The verb of that name, of one word or two. */
  public Optional<Registration> find(String name) {
    return verbs.stream().filter(verb -> verb.name().equals(name)).findFirst();
  }

  /** The verb that the arguments begin with; two words are tried before one. */
  Optional<Registration> findFirst(List<String> arguments) {
    if (arguments.isEmpty()) {
      return Optional.empty();
    }
    var two =
        arguments.size() > 1
            ? find(arguments.get(0) + " " + arguments.get(1))
            : Optional.<Registration>empty();
    return two.or(() -> find(arguments.get(0)));
  }

  /** The names of all verbs that can be used in this form. */
  public List<String> names(Form form) {
    return verbs.stream()
        .filter(verb -> form == Form.LINE || !verb.onlyInLines())
        .map(Registration::name)
        .toList();
  }

  /** The second words of the verbs whose first word that is. */
  List<String> secondWords(String first, Form form) {
    return names(form).stream()
        .filter(name -> name.startsWith(first + " "))
        .map(name -> name.substring(first.length() + 1))
        .toList();
  }
}
