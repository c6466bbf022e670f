package org.ghcdebug.client.index;

/** Why a closure is alive although nothing needs to refer to it. */
public enum RootKind {
  /** A thread of the program, finished or not. */
  THREAD("thread"),
  /** What a stable pointer or stable name stands for. */
  STABLE_POINTER("stable pointer"),
  /** What the program registered for the debugger. */
  SAVED("saved"),
  /**
   * A constant applicative form: a top-level value. It is alive because code that may still run
   * mentions it, which is no owner that anyone would look for, so it counts as one itself.
   */
  CAF("CAF"),
  /** A weak pointer that the RTS knows of; nothing else may refer to it. */
  WEAK("weak pointer");

  private final String label;

  RootKind(String label) {
    this.label = label;
  }

  /** For display. */
  public String label() {
    return label;
  }
}
