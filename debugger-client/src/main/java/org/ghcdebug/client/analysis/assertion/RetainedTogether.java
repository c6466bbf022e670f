package org.ghcdebug.client.analysis.assertion;

import java.util.BitSet;
import org.ghcdebug.client.collections.IntList;
import org.ghcdebug.client.index.HeapGraph;
import org.ghcdebug.client.work.Work;

/** What would be free if several closures were gone at once. */
final class RetainedTogether {
  private static final int INTERVAL = 1 << 16;

  private RetainedTogether() {}

  /** Bytes that no root reaches without passing one of the closures. O(edges). */
  static long bytes(HeapGraph graph, BitSet closures, Work work) {
    BitSet reached = new BitSet(graph.size());
    IntList pending = new IntList();
    for (HeapGraph.Root root : graph.roots()) {
      visit(root.closureId(), closures, reached, pending);
    }
    long reachedBytes = 0;
    for (long visited = 0; !pending.isEmpty(); visited++) {
      if (visited % INTERVAL == 0) {
        work.progress("searching (closures)", visited, graph.size());
        work.checkStopped();
      }
      int id = pending.pop();
      reachedBytes += graph.sizeBytes(id);
      for (int edge = graph.firstSuccessor(id); edge < graph.firstSuccessor(id + 1); edge++) {
        visit(graph.successor(edge), closures, reached, pending);
      }
    }
    return graph.totalBytes() - reachedBytes;
  }

  private static void visit(int id, BitSet closures, BitSet reached, IntList pending) {
    if (!closures.get(id) && !reached.get(id)) {
      reached.set(id);
      pending.add(id);
    }
  }
}
