package org.ghcdebug.repl.command.verb;

import java.util.function.Supplier;
import org.ghcdebug.repl.command.UsageException;

/** Failures of the library that are the user's to mend. */
final class Answers {
  private Answers() {}

  /**
   * What is asked for; a question that the heap cannot answer is a matter of usage.
   *
   * @param what the question, for the message
   * @throws UsageException instead of an {@link IllegalArgumentException}
   */
  static <T> T orUsage(String what, Supplier<T> question) {
    try {
      return question.get();
    } catch (IllegalArgumentException e) {
      throw new UsageException(what + ": " + e.getMessage());
    }
  }
}
