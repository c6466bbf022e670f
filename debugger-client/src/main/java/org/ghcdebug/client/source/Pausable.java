package org.ghcdebug.client.source;

/** A source whose program runs, and can be held still. Not thread-safe, like its source. */
public interface Pausable {
  /**
   * Stops all Haskell execution; returns when it has stopped. Does nothing when it is already
   * paused, be it by this client or by the program itself.
   *
   * @throws org.ghcdebug.protocol.error.TimeLimitException when the program does not stop in time,
   *     for instance because of a loop that does not allocate; the request is then withdrawn
   */
  void pause();

  /**
   * Lets the program go on; returns when it does. Does nothing when it runs.
   *
   * @throws org.ghcdebug.protocol.error.DebuggeeRefusedException when the debuggee refuses
   */
  void resume();

  /** Whether the program is held still, as far as this client knows. No I/O. */
  boolean isPaused();

  /**
   * Whether it is paused and was so before {@link #pause} was called: by the program itself, or by
   * a client that left. No I/O.
   */
  boolean wasFoundPaused();
}
