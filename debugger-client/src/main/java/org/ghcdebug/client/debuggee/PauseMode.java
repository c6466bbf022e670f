package org.ghcdebug.client.debuggee;

/** How a live debuggee is held still for a view of its heap. */
public enum PauseMode {
  /** Pause, copy the heap and what marking it needs, resume; read the copy. */
  COPY,
  /** Pause and stay paused; read lazily, only what is asked for. */
  HOLD,
  /**
   * Fork the program, which goes on at once; read the copy lazily. Where that is impossible, as
   * {@link #COPY}, with a warning that says why.
   */
  FORK
}
