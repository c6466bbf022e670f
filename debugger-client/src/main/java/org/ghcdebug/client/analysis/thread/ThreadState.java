package org.ghcdebug.client.analysis.thread;

/** What a thread does. */
public enum ThreadState {
  /** It runs, or would if a capability were free. */
  RUNNABLE("runnable"),
  /** It waits for something in the program: see what it is blocked on. */
  BLOCKED("blocked"),
  /** It is in a foreign call. */
  FOREIGN_CALL("in a foreign call"),
  /** It waits for a file descriptor or a moment; only without the threaded RTS. */
  WAITING("waiting for the system"),
  FINISHED("finished"),
  KILLED("killed by an exception"),
  /** The RTS says something that is not known here. */
  UNKNOWN("unknown");

  private final String label;

  ThreadState(String label) {
    this.label = label;
  }

  /** For display. */
  public String label() {
    return label;
  }
}
