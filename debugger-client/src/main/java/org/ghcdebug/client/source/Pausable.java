package org.ghcdebug.client.source;

import java.time.Duration;
import java.util.Optional;

/** A source whose program runs, and can be held still. Not thread-safe, like its source. */
public interface Pausable {
  /**
   * Stops all Haskell execution; returns when it has stopped. Does nothing when it is already
   * paused, be it by this client or by the program itself.
   *
   * @throws org.ghcdebug.protocol.error.TimeLimitException when the program does not stop in time,
   *     for instance because of a loop that does not allocate; the request is then withdrawn
   */
  default void pause() {
    pause(Duration.ZERO);
  }

  /**
   * Likewise.
   *
   * @param budget after it the debuggee lets the program go on by itself, if it knows how to; zero
   *     for none
   */
  void pause(Duration budget);

  /**
   * Forks a copy of the program, which goes on at once; the copy is read from now on, until {@link
   * #resume}. To others it is as if the program were paused.
   *
   * @param budget as for {@link #pause(Duration)}
   * @return a warning of the debuggee, if it has one: that memory may become short
   * @throws org.ghcdebug.protocol.error.DebuggeeRefusedException when that is impossible, with the
   *     reason; the program goes on
   * @throws org.ghcdebug.protocol.error.TimeLimitException as {@link #pause()}
   */
  Optional<String> fork(Duration budget);

  /**
   * Lets the program go on; returns when it does. Does nothing when it runs. Ends a copy.
   *
   * @throws org.ghcdebug.protocol.error.DebuggeeRefusedException when the debuggee refuses
   */
  void resume();

  /** Whether the program, or a copy of it, is held still, as far as this client knows. No I/O. */
  boolean isPaused();

  /**
   * Whether it is paused and was so before {@link #pause} was called: by the program itself, or by
   * a client that left. No I/O.
   */
  boolean wasFoundPaused();
}
