package org.ghcdebug.protocol.error;

import java.io.Serial;

/** Something valid, but larger than a limit of memory or of this implementation. */
public final class LimitExceededException extends DebuggerException {
  @Serial private static final long serialVersionUID = 1L;

  private final long wanted;
  private final long limit;

  /**
   * @param what the quantity with its unit, for instance {@code "heap blocks, bytes"}
   * @param wanted how much was needed
   * @param limit how much is allowed
   * @param advice what to do next
   */
  public LimitExceededException(String what, long wanted, long limit, String advice) {
    super("%s: %d needed, at most %d allowed; %s".formatted(what, wanted, limit, advice), null);
    this.wanted = wanted;
    this.limit = limit;
  }

  public long wanted() {
    return wanted;
  }

  public long limit() {
    return limit;
  }
}
