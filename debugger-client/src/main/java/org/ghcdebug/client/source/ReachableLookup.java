package org.ghcdebug.client.source;

import java.util.List;
import org.ghcdebug.protocol.extension.ExtensionAnswers.ReachableClosure;
import org.ghcdebug.protocol.target.AddressList;

/** A source that can hand out closures with what can be reached from them in one round trip. */
public interface ReachableLookup {
  /** Whether it can; else {@link #reachable} must not be called. No I/O. */
  boolean servesReachable();

  /**
   * The closures asked for, in order, without words where there is none; then what can be reached
   * from them, breadth first, each closure once, until the budget is full.
   *
   * @param closures addresses; tags are ignored
   * @param budgetBytes of the answer
   */
  List<ReachableClosure> reachable(AddressList closures, long budgetBytes);
}
