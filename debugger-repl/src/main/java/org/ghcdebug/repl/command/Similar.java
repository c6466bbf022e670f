package org.ghcdebug.repl.command;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Guesses what a mistyped word was to be. */
final class Similar {
  private Similar() {}

  /** The name most like {@code word}, when one is like it at all. */
  static Optional<String> find(String word, Collection<String> names) {
    return names.stream()
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
