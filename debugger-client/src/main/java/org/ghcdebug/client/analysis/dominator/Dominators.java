package org.ghcdebug.client.analysis.dominator;

import java.util.Arrays;
import java.util.BitSet;
import org.ghcdebug.client.collections.IntList;
import org.ghcdebug.client.index.HeapGraph;
import org.ghcdebug.client.index.RetainedSizes;
import org.ghcdebug.client.index.SavedIndex;
import org.ghcdebug.client.work.Work;

/**
 * The dominator tree of a heap, with retained sizes.
 *
 * <p>Edges of weak pointers count: what only a key keeps alive is retained by the key. CAFs count
 * as roots, so that what a top-level value holds is its own and not that of the code which mentions
 * it.
 *
 * <p>Memory: 16 bytes per closure, and 24 while it is computed. Immutable and safe to share.
 */
public final class Dominators implements RetainedSizes {
  private static final int INTERVAL = 1 << 16;

  /** The dominator of what no single closure keeps alive. */
  public static final int ROOT = -1;

  private final HeapGraph graph;
  private final int[] dominators; // closure id -> nearest dominator's id, or ROOT
  private final long[] retainedBytes; // closure id -> sizes of what it dominates, itself included
  private final int[] order; // all closure ids, dominators before what they dominate

  private Dominators(HeapGraph graph, int[] dominators, long[] retainedBytes, int[] order) {
    this.graph = graph;
    this.dominators = dominators;
    this.retainedBytes = retainedBytes;
    this.order = order;
  }

  /**
   * Computes the tree. O(edges × log closures), in practice linear.
   *
   * @throws org.ghcdebug.protocol.error.CanceledException when {@code work} says so
   */
  public static Dominators of(HeapGraph graph, Work work) {
    var builder = new DominatorBuilder(graph, work);
    return of(graph, builder.dominators(), builder.order(), work);
  }

  /**
   * The tree that was computed before. O(closures).
   *
   * @param tree of the same graph
   */
  public static Dominators of(HeapGraph graph, SavedIndex.Tree tree, Work work) {
    return of(graph, tree.dominators(), tree.order(), work);
  }

  /** What can be kept in a file. */
  public SavedIndex.Tree tree() {
    return new SavedIndex.Tree(dominators, order);
  }

  private static Dominators of(HeapGraph graph, int[] dominators, int[] order, Work work) {
    var retained = new long[graph.size()];
    for (int i = order.length - 1; i >= 0; i--) {
      if ((i & (INTERVAL - 1)) == 0) {
        work.checkStopped();
      }
      int id = order[i];
      retained[id] += graph.sizeBytes(id);
      if (dominators[id] != ROOT) {
        retained[dominators[id]] += retained[id];
      }
    }
    return new Dominators(graph, dominators, retained, order);
  }

  /** The graph that this is the tree of. */
  public HeapGraph graph() {
    return graph;
  }

  /**
   * The closure nearest to this one without which it would not be alive, or {@link #ROOT}. O(1).
   */
  public int dominator(int id) {
    return dominators[id];
  }

  @Override
  public long retainedBytes(int id) {
    return id == ROOT ? graph.totalBytes() : retainedBytes[id];
  }

  /** All closures, each after its dominators. */
  public int[] topDown() {
    return order.clone();
  }

  /** Those whose nearest dominator is this closure (or {@link #ROOT}), in no order. O(closures). */
  public int[] dominatedBy(int id) {
    var found = new IntList();
    for (int other = 0; other < dominators.length; other++) {
      if (dominators[other] == id) {
        found.add(other);
      }
    }
    return found.toArray();
  }

  /** How many closures have each of these as their nearest dominator. O(closures). */
  public int[] countDominatedBy(int[] ids) {
    var counts = new int[graph.size()];
    for (int dominator : dominators) {
      if (dominator != ROOT) {
        counts[dominator]++;
      }
    }
    return Arrays.stream(ids).map(id -> counts[id]).toArray();
  }

  /** All closures that go when this one goes, itself included. O(closures). */
  public BitSet retainedSet(int id) {
    var set = new BitSet(graph.size());
    set.set(id);
    for (int other : order) {
      if (dominators[other] != ROOT && set.get(dominators[other])) {
        set.set(other);
      }
    }
    return set;
  }

  /** Whether the first is the second, or dominates it. O(depth of the tree). */
  public boolean dominates(int id, int other) {
    int above = other;
    while (above != ROOT && above != id) {
      above = dominators[above];
    }
    return above == id;
  }
}
