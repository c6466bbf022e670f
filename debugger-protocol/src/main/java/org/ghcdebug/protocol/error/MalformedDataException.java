package org.ghcdebug.protocol.error;

import java.io.Serial;

/** Bytes that do not parse. Nothing is assumed about whatever follows them. */
public final class MalformedDataException extends DebuggerException {
  @Serial private static final long serialVersionUID = 1L;

  private final String where;
  private final long offsetBytes;

  /**
   * @param where the file, stream or pointer that was read
   * @param offsetBytes offset of the offending bytes from the start of {@code where}
   * @param problem what was found and what was expected there
   */
  public MalformedDataException(String where, long offsetBytes, String problem) {
    super(where + ", byte " + offsetBytes + ": " + problem, null);
    this.where = where;
    this.offsetBytes = offsetBytes;
  }

  public String where() {
    return where;
  }

  public long offsetBytes() {
    return offsetBytes;
  }
}
