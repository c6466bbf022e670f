package org.ghcdebug.client.index;

import java.util.Arrays;
import java.util.BitSet;
import org.ghcdebug.client.collections.IntList;
import org.ghcdebug.client.work.Work;

/**
 * Shortest ways along the edges of a graph, weak pointers' edges excluded, found by one
 * breadth-first search.
 *
 * <p>Memory: 8 bytes per closure. Immutable and safe to share.
 */
public final class ShortestPaths {
  /** What {@link #previous} answers for a closure where paths begin. */
  public static final int START = -1;

  private static final int UNREACHED = -2;
  private static final int INTERVAL = 1 << 16;

  private final int[] previous; // closure id -> the one before it on its path
  private final int[] order;

  private ShortestPaths(int[] previous, int[] order) {
    this.previous = previous;
    this.order = order;
  }

  /** Paths from the roots; of several roots as near, from the first. O(closures and edges). */
  public static ShortestPaths fromRoots(HeapGraph graph, Search search, Work work) {
    return from(
        graph, graph.roots().stream().mapToInt(HeapGraph.Root::closureId).toArray(), search, work);
  }

  /** Paths from closures. O(closures and edges). */
  public static ShortestPaths from(HeapGraph graph, int[] starts, Search search, Work work) {
    int size = graph.size();
    int[] previous = new int[size];
    Arrays.fill(previous, UNREACHED);
    int[] queue = new int[size];
    int last = 0;
    int left = search.targets().cardinality();
    for (int start : starts) {
      if (previous[start] == UNREACHED) {
        previous[start] = START;
        queue[last++] = start;
        left -= search.targets().get(start) ? 1 : 0;
      }
    }
    boolean avoids = !search.notThrough().isEmpty();
    for (int first = 0; first < last && left > 0; first++) {
      if ((first & (INTERVAL - 1)) == 0) {
        work.progress("searching paths (closures)", first, size);
        work.checkStopped();
      }
      int id = queue[first];
      if (avoids && search.notThrough().get(id)) {
        continue;
      }
      int end = graph.firstSuccessor(id + 1);
      for (int edge = graph.firstSuccessor(id); edge < end; edge++) {
        int next = graph.successor(edge);
        if (previous[next] == UNREACHED && !graph.isEphemeron(edge)) {
          previous[next] = id;
          queue[last++] = next;
          left -= search.targets().get(next) ? 1 : 0;
        }
      }
    }
    return new ShortestPaths(previous, Arrays.copyOf(queue, last));
  }

  /**
   * What to look for.
   *
   * @param targets closure ids; when all are reached the search ends
   * @param notThrough closure ids at which paths may end, and go no further
   */
  public record Search(BitSet targets, BitSet notThrough) {
    /** Ways to these closures, through any. */
    public static Search to(BitSet targets) {
      return new Search(targets, new BitSet());
    }
  }

  /** Whether a path to the closure was found. */
  public boolean isReached(int id) {
    return previous[id] != UNREACHED;
  }

  /** The closure before this one on its path, or {@link #START}; only for one that is reached. */
  public int previous(int id) {
    return previous[id];
  }

  /** All closures reached, nearest first; more than the targets. */
  public int[] nearestFirst() {
    return order.clone();
  }

  /** The closures from a start to this one, both included; only for one that is reached. */
  public int[] pathTo(int id) {
    IntList path = new IntList();
    for (int at = id; at != START; at = previous[at]) {
      path.add(at);
    }
    int[] forward = path.toArray();
    for (int i = 0, j = forward.length - 1; i < j; i++, j--) {
      int swapped = forward[i];
      forward[i] = forward[j];
      forward[j] = swapped;
    }
    return forward;
  }
}
