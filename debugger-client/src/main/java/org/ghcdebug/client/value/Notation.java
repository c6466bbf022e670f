package org.ghcdebug.client.value;

import org.ghcdebug.protocol.closure.Closure;

/**
 * How to write a constructor of a certain shape.
 *
 * @param pointers how many it has
 * @param nonPointers how many other words it has at least
 */
record Notation(int pointers, int nonPointers, Body body) {
  /** Writes a constructor of the right shape. */
  @FunctionalInterface
  interface Body {
    void write(ValueWriter out, Closure.Constr constr, int precedence);
  }

  boolean fits(Closure.Constr constr) {
    return constr.pointers().size() == pointers && constr.nonPointers().size() >= nonPointers;
  }
}
