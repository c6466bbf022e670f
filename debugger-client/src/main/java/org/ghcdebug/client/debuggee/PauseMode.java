package org.ghcdebug.client.debuggee;

/** How a live debuggee is held still for a view of its heap. */
public enum PauseMode {
  /** Pause, copy the heap and what marking it needs, resume; read the copy. */
  COPY,
  /** Pause and stay paused; read lazily, only what is asked for. */
  HOLD
}
