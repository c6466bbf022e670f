package org.ghcdebug.protocol.decode;

import org.ghcdebug.protocol.closure.EdgeKind;

/** Receives the references of a closure. */
public interface EdgeSink {
  /**
   * A reference.
   *
   * @param index which of its kind, see {@link EdgeKind}
   * @param pointer as stored, maybe tagged; whether anything is there has not been checked
   */
  void edge(EdgeKind kind, int index, long pointer);

  /** Not all references could be found. Can be told several times for one closure. */
  void unresolved(Unresolved what);
}
