package org.ghcdebug.client.analysis.dominator;

import java.util.Arrays;
import java.util.function.IntUnaryOperator;
import org.ghcdebug.client.collections.IntList;
import org.ghcdebug.client.index.HeapGraph;

/**
 * Retained sizes of groups of closures, such as all of one module.
 *
 * <p>A group retains what its closures retain, each closure that a member dominates counted once,
 * however many members are above it. What only several members together keep alive is not in it.
 */
public final class DominatorGroups {
  private final long[] counts; // group -> closures
  private final long[] shallowBytes;
  private final long[] retainedBytes;

  private DominatorGroups(int groups) {
    counts = new long[groups];
    shallowBytes = new long[groups];
    retainedBytes = new long[groups];
  }

  /**
   * Adds up. O(closures); 8 bytes per closure while it runs.
   *
   * @param groups how many there are
   * @param groupOf closure id to its group, or {@link HeapGraph#NONE}
   */
  public static DominatorGroups of(Dominators dominators, int groups, IntUnaryOperator groupOf) {
    var result = new DominatorGroups(groups);
    result.add(dominators, groupOf);
    return result;
  }

  private void add(Dominators dominators, IntUnaryOperator groupOf) {
    HeapGraph graph = dominators.graph();
    // The children of each closure, and last those of the root, as lists.
    int[] firstChild = new int[graph.size() + 1];
    int[] nextSibling = new int[graph.size()];
    Arrays.fill(firstChild, HeapGraph.NONE);
    for (int id = 0; id < graph.size(); id++) {
      int above = dominators.dominator(id);
      int parent = above == Dominators.ROOT ? graph.size() : above;
      nextSibling[id] = firstChild[parent];
      firstChild[parent] = id;
    }
    int[] above = new int[counts.length]; // group -> its members on the way from the root
    var path = new IntList();
    int id = firstChild[graph.size()];
    while (id != HeapGraph.NONE || !path.isEmpty()) {
      if (id == HeapGraph.NONE) {
        int done = path.pop();
        int group = groupOf.applyAsInt(done);
        if (group != HeapGraph.NONE) {
          above[group]--;
        }
        id = nextSibling[done];
      } else {
        int group = groupOf.applyAsInt(id);
        if (group != HeapGraph.NONE) {
          counts[group]++;
          shallowBytes[group] += graph.sizeBytes(id);
          if (above[group]++ == 0) {
            retainedBytes[group] += dominators.retainedBytes(id);
          }
        }
        path.add(id);
        id = firstChild[id];
      }
    }
  }

  /** Closures of a group. */
  public long count(int group) {
    return counts[group];
  }

  /** Their sizes added up. */
  public long shallowBytes(int group) {
    return shallowBytes[group];
  }

  /** What they retain. */
  public long retainedBytes(int group) {
    return retainedBytes[group];
  }
}
