package org.ghcdebug.client.query;

import java.io.Serial;

/** A filter that cannot be understood, or that asks for what is not known here. */
public final class FilterException extends IllegalArgumentException {
  @Serial private static final long serialVersionUID = 1L;

  private final int column;

  private FilterException(String message, int column) {
    super(message);
    this.column = column;
  }

  /**
   * @param text the filter
   * @param at index in it where something else was expected
   * @param problem what was found and what was expected
   */
  static FilterException at(String text, int at, String problem) {
    return new FilterException(
        "%s; at ^ in: %s^%s".formatted(problem, text.substring(0, at), text.substring(at)), at + 1);
  }

  /** A filter that is understood, but cannot be answered. */
  public static FilterException unanswerable(String problem) {
    return new FilterException(problem, 0);
  }

  /** Where, from 1; 0 when the filter as a whole is meant. */
  public int column() {
    return column;
  }
}
