package org.ghcdebug.repl.command;

import java.util.function.Supplier;

/**
 * One verb in the list of verbs.
 *
 * @param name one word, or two where a family of verbs shares the first ({@code eventlog show})
 * @param onlyInLines whether it makes no sense as a sub-command
 * @param create makes the verb; its class is not loaded before
 */
public record Registration(
    String name, Section section, boolean onlyInLines, Supplier<? extends Verb> create) {
  /** A verb in all three forms. */
  public static Registration of(String name, Section section, Supplier<? extends Verb> create) {
    return new Registration(name, section, false, create);
  }

  /** A verb of the prompt and of scripts. */
  public static Registration onlyInLines(
      String name, Section section, Supplier<? extends Verb> create) {
    return new Registration(name, section, true, create);
  }
}
