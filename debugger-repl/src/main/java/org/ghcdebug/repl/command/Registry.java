package org.ghcdebug.repl.command;

import java.util.Comparator;
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

  /** The name most like {@code word}, when one is like it at all. */
  Optional<String> findSimilar(String word, Form form) {
    return names(form).stream()
        .filter(name -> distance(word, name) <= Math.max(1, word.length() / 3))
        .min(Comparator.comparingInt(name -> distance(word, name)));
  }

  /** Levenshtein's distance. */
  private static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int above = row[j];
        int change = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        row[j] = Math.min(change, Math.min(above, row[j - 1]) + 1);
        diagonal = above;
      }
    }
    return row[b.length()];
  }
}
