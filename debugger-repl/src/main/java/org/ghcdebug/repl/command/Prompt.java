package org.ghcdebug.repl.command;

/** A prompt at which lines are typed, as those see it who have something to say meanwhile. */
public interface Prompt {
  /** Whether a line is being typed: else a verb runs, whose answer is not to be disturbed. */
  boolean isReading();

  /** Shows text above the line being typed, which stays as it is. Any thread may call it. */
  void printAbove(String text);
}
