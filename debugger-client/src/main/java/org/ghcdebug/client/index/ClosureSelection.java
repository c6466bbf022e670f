package org.ghcdebug.client.index;

import org.ghcdebug.protocol.closure.InfoTable;

/**
 * Which closures are wanted, in two steps: asked once for each info table, it answers {@link
 * ClosureTest#ALWAYS} or {@link ClosureTest#NEVER} where that decides, and else what to ask each
 * closure.
 */
@FunctionalInterface
public interface ClosureSelection {
  /** Everything. */
  ClosureSelection ALL = info -> ClosureTest.ALWAYS;

  ClosureTest of(InfoTable info);
}
