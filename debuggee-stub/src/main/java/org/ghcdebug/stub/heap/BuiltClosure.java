package org.ghcdebug.stub.heap;

import java.util.List;
import org.ghcdebug.protocol.closure.Edge;
import org.ghcdebug.protocol.target.ClosurePtr;

/**
 * What is known of a closure because it was built, not decoded.
 *
 * @param sizeWords as the RTS computes it, header included
 * @param edges every reference it holds, those named by its code and its frames' code included; in
 *     no particular order
 */
public record BuiltClosure(ClosurePtr address, Code code, int sizeWords, List<Edge> edges) {
  public BuiltClosure {
    edges = List.copyOf(edges);
  }

  /** A constructor's name, or else the closure type's. */
  public String name() {
    return code.type().isConstructor() ? code.description() : code.type().name();
  }

  /** The size in bytes. */
  public long sizeBytes() {
    return 8L * sizeWords;
  }
}
