package org.ghcdebug.protocol.error;

import java.io.Serial;

/** The user, or the caller, asked for the work to stop. The debuggee has been resumed. */
public final class CanceledException extends DebuggerException {
  @Serial private static final long serialVersionUID = 1L;

  /**
   * @param work what was canceled
   */
  public CanceledException(String work) {
    super(work + " was canceled", null);
  }
}
