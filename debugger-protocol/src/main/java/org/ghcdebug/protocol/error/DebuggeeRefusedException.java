package org.ghcdebug.protocol.error;

import java.io.Serial;

/** The debuggee answered a request with an error status; the connection stays usable. */
public final class DebuggeeRefusedException extends DebuggerException {
  @Serial private static final long serialVersionUID = 1L;

  private final String command;
  private final int statusCode;

  /**
   * @param command name of the refused command, for instance {@code ROOTS}
   * @param statusCode the response frame's status
   * @param meaning what the status means and what to do next
   */
  public DebuggeeRefusedException(String command, int statusCode, String meaning) {
    super(
        "%s refused by the debuggee (status 0x%04x): %s".formatted(command, statusCode, meaning),
        null);
    this.command = command;
    this.statusCode = statusCode;
  }

  public String command() {
    return command;
  }

  public int statusCode() {
    return statusCode;
  }
}
