package org.ghcdebug.protocol.extension;

/** How PAUSE2 holds the heap still. */
public enum PauseWay {
  /** The program stands still. */
  HOLD(0),
  /** The program goes on at once, and a forked copy of it serves the connection. */
  FORK(1),
  /** {@link #FORK}, or where that is impossible {@link #HOLD}. */
  FORK_OR_HOLD(2);

  private final int number;

  PauseWay(int number) {
    this.number = number;
  }

  int number() {
    return number;
  }
}
