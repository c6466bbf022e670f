package org.ghcdebug.client.work;

/**
 * Progress and cancellation of one piece of long work.
 *
 * <p>Workers call both methods from their own thread, often (each few thousand closures or few
 * megabytes); implementations must be cheap. {@link #waiting} is for what waits for a program.
 */
public interface Work {
  /** Nobody listens and nobody cancels. */
  Work UNATTENDED =
      new Work() {
        @Override
        public void progress(String phase, long done, long total) {}

        @Override
        public void checkStopped() {}
      };

  /**
   * Tells how far the work is.
   *
   * @param phase what is going on, for instance {@code "copying blocks (bytes)"}
   * @param done how much is done, in the phase's unit
   * @param total how much there is, or -1 when that is not known
   */
  void progress(String phase, long done, long total);

  /**
   * Returns when the work may go on.
   *
   * @throws org.ghcdebug.protocol.error.CanceledException when it was canceled
   * @throws org.ghcdebug.protocol.error.TimeLimitException when its time is spent
   */
  void checkStopped();

  /**
   * Does something that may wait long and that an interrupt of the thread ends by an exception.
   * Whoever cancels the work meanwhile interrupts it; here nobody does.
   */
  default void waiting(Runnable wait) {
    wait.run();
  }
}
