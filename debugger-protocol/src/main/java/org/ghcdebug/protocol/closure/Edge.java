package org.ghcdebug.protocol.closure;

import org.ghcdebug.protocol.target.ClosurePtr;
import org.ghcdebug.protocol.target.Target;

/**
 * A reference from one closure to another.
 *
 * @param kind what it is for
 * @param index which of its kind, see {@link EdgeKind}
 * @param pointer as stored, maybe tagged
 */
public record Edge(EdgeKind kind, int index, long pointer) {
  /** Where it leads to. */
  public ClosurePtr target() {
    return new ClosurePtr(Target.untag(pointer));
  }
}
