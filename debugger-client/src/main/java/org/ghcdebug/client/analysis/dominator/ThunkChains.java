package org.ghcdebug.client.analysis.dominator;

import java.util.Arrays;
import java.util.function.IntUnaryOperator;
import org.ghcdebug.client.index.HeapGraph;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.protocol.closure.ClosureType;

/**
 * Thunks in chains: each thunk of a chain is alive because of the one before alone. The first is
 * the head; its depth is how many thunks are evaluated, one inside another, when it is asked for.
 */
public final class ThunkChains {
  private final int[] depths; // group -> thunks in its longest chain
  private final int[] heads; // group -> that chain's head, or NONE

  private ThunkChains(int groups) {
    depths = new int[groups];
    heads = new int[groups];
    Arrays.fill(heads, HeapGraph.NONE);
  }

  /**
   * The longest chain of each group of thunks; it belongs to the head's group. O(closures); 8 bytes
   * per closure while it runs.
   *
   * @param groups how many there are
   * @param groupOf a thunk's closure id to its group, or {@link HeapGraph#NONE}: chains with such a
   *     head are left out
   */
  public static ThunkChains of(
      Dominators dominators, int groups, IntUnaryOperator groupOf, Work work) {
    HeapGraph graph = dominators.graph();
    var chains = new ThunkChains(groups);
    int[] depthOf = new int[graph.size()]; // closure id -> thunks from its chain's head to it
    int[] headOf = new int[graph.size()];
    for (int id : dominators.topDown()) {
      if (!isThunk(graph.infoOf(id).type())) {
        continue;
      }
      int above = dominators.dominator(id);
      boolean isHead = above == Dominators.ROOT || depthOf[above] == 0;
      headOf[id] = isHead ? id : headOf[above];
      depthOf[id] = isHead ? 1 : depthOf[above] + 1;
      int group = groupOf.applyAsInt(headOf[id]);
      if (group != HeapGraph.NONE && depthOf[id] > chains.depths[group]) {
        chains.depths[group] = depthOf[id];
        chains.heads[group] = headOf[id];
      }
    }
    work.checkStopped();
    return chains;
  }

  /** Whether closures of that type are computations to be done later. */
  public static boolean isThunk(ClosureType type) {
    return type.isThunk()
        || type == ClosureType.THUNK_SELECTOR
        || type == ClosureType.AP
        || type == ClosureType.AP_STACK;
  }

  /** Thunks in a group's longest chain; 0 when it has none. */
  public int depth(int group) {
    return depths[group];
  }

  /** The head of that chain, or {@link HeapGraph#NONE}. */
  public int head(int group) {
    return heads[group];
  }
}
