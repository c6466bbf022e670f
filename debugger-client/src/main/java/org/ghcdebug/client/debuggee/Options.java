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
 */
public record Options(PauseMode pauseMode, Duration timeout, @Nullable Duration maxPause) {
  public static final Options DEFAULT = new Options(PauseMode.COPY, Duration.ofSeconds(30), null);
}
