package org.ghcdebug.repl.command;

import java.io.Serial;

/** A line that cannot be understood, or that makes no sense here; nothing was done. */
public final class UsageException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  /**
   * @param problem what was found, what was expected and what to do next, in one line
   */
  public UsageException(String problem) {
    super(problem);
  }
}
