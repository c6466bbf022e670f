package org.ghcdebug.protocol.error;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** A connection, file or permission that is not there, or was lost. */
public final class SourceUnavailableException extends DebuggerException {
  @Serial private static final long serialVersionUID = 1L;

  private final String source;

  /**
   * @param source the socket, file or process
   * @param problem what failed and what to do next
   */
  public SourceUnavailableException(String source, String problem) {
    this(source, problem, null);
  }

  public SourceUnavailableException(String source, String problem, @Nullable Throwable cause) {
    super(source + ": " + problem, cause);
    this.source = source;
  }

  public String source() {
    return source;
  }
}
