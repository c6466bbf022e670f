package org.ghcdebug.client.debuggee;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How to treat a debuggee.
 *
 * @param pauseMode how views are taken
 * @param timeout how long one answer may take
 * @param maxPause how long the debuggee may be held still, {@code null} for no limit; when it is
 *     spent the debuggee is resumed whatever the state of the work
 * @param token what a debuggee that listens by TCP wants to see first, {@code null} for none
 */
public record Options(
    PauseMode pauseMode, Duration timeout, @Nullable Duration maxPause, @Nullable String token) {
  public static final Options DEFAULT =
      new Options(PauseMode.COPY, Duration.ofSeconds(30), null, null);

  /** Keeps the token out of messages. */
  @Override
  public String toString() {
    return "Options[%s, %s, %s]".formatted(pauseMode, timeout, maxPause);
  }
}
