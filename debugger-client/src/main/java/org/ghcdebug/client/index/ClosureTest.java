package org.ghcdebug.client.index;

/** Whether a closure is wanted. Asked for each closure of a heap, so it must not allocate. */
@FunctionalInterface
public interface ClosureTest {
  /** Wants every closure. */
  ClosureTest ALWAYS = closure -> true;

  /** Wants none. */
  ClosureTest NEVER = closure -> false;

  boolean test(ClosureCursor closure);
}
