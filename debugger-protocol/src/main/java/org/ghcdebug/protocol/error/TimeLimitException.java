package org.ghcdebug.protocol.error;

import java.io.Serial;
import java.time.Duration;

/** A time-out passed, or the budget for holding the debuggee still was spent. */
public final class TimeLimitException extends DebuggerException {
  @Serial private static final long serialVersionUID = 1L;

  private final Duration limit;

  /**
   * @param limit the limit that passed
   * @param problem what was still going on and what to do next
   */
  public TimeLimitException(Duration limit, String problem) {
    super(problem, null);
    this.limit = limit;
  }

  public Duration limit() {
    return limit;
  }
}
