package org.ghcdebug.client.analysis.retainer;

import java.util.function.IntUnaryOperator;
import org.ghcdebug.client.collections.IntList;
import org.ghcdebug.client.collections.LongIntMap;
import org.ghcdebug.client.index.HeapGraph;
import org.ghcdebug.client.index.ShortestPaths;
import org.ghcdebug.client.work.Work;

/**
 * A number for every closure reached, the same for those that are reached in the same way: a tree
 * of kinds of closures that is grown along the paths.
 */
final class Signatures {
  /** Ways longer than this are searched for parts that come round again. */
  private static final int LONGEST_UNFOLDED = 24;

  /** So many steps can come round again: a mutable list has three to a cell. */
  private static final int LONGEST_ROUND = 4;

  private static final int INTERVAL = 1 << 16;
  private static final int NONE = -1;

  private final int[] signatures; // position in the search -> signature
  private final LongIntMap children = new LongIntMap(); // signature and kind, both + 1, -> child
  private final IntList parents = new IntList(); // signature -> the one a step nearer to the root
  private final IntList kinds = new IntList(); // signature -> kind of its last step
  private final IntList depths = new IntList(); // signature -> steps

  Signatures(HeapGraph graph, IntUnaryOperator kindOfInfo, ShortestPaths paths, Work work) {
    signatures = new int[paths.size()];
    for (int position = 0; position < signatures.length; position++) {
      // In a loop of its own, which a processor can run ahead of memory.
      signatures[position] = graph.infoId(paths.closure(position));
    }
    for (int position = 0; position < signatures.length; position++) {
      if ((position & (INTERVAL - 1)) == 0) {
        work.checkStopped();
      }
      int previous = paths.previousPosition(position);
      int parent = previous == ShortestPaths.START ? NONE : signatures[previous];
      signatures[position] = step(parent, kindOfInfo.applyAsInt(signatures[position]));
    }
  }

  private int step(int parent, int kind) {
    if (parent != NONE && kinds.get(parent) == kind) {
      return parent;
    }
    int depth = parent == NONE ? 0 : depths.get(parent);
    if (depth > LONGEST_UNFOLDED) {
      int above = parents.get(parent);
      for (int i = 1; i < LONGEST_ROUND; i++) {
        if (kinds.get(above) == kind) {
          return above;
        }
        above = parents.get(above);
      }
    }
    long key = (parent + 1L) << 32 | (kind + 1);
    int child = children.get(key);
    if (child == LongIntMap.MISSING) {
      child = parents.size();
      children.put(key, child);
      parents.add(parent);
      kinds.add(kind);
      depths.add(depth + 1);
    }
    return child;
  }

  /** Signatures are less than this. */
  int size() {
    return parents.size();
  }

  /** Of the closure at a position of the search. */
  int of(int position) {
    return signatures[position];
  }
}
