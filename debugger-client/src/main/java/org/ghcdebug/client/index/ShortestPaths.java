package org.ghcdebug.client.index;

import java.util.Arrays;
import java.util.BitSet;
import org.ghcdebug.client.work.Work;

/**
 * Shortest ways along the edges of a graph, weak pointers' edges excluded, found by one
 * breadth-first search.
 *
 * <p>The closures reached have positions, nearest first. What is known of them is kept by position,
 * because there the closures after one closure are neighbours, wherever they lie in the heap.
 *
 * <p>Memory: 12 bytes per closure. Immutable and safe to share.
 */
public final class ShortestPaths {
  /** What {@link #previous} answers for a closure where paths begin. */
  public static final int START = -1;

  private static final int UNREACHED = -1;

  /**
   * So many closures are looked at together, and so many edges: as in marking, a loop that does
   * nothing but read waits for many words at once.
   */
  private static final int BATCH = 64;

  private static final int BATCH_EDGES = 4 * BATCH;
  private static final int INTERVAL = 1 << 10; // batches

  private final int[] positions; // closure id -> position
  private final int[] closures; // position -> closure id
  private final int[] previous; // position -> position of the one before it on its path
  private int size;

  private ShortestPaths(int closureCount) {
    positions = new int[closureCount];
    Arrays.fill(positions, UNREACHED);
    closures = new int[closureCount];
    previous = new int[closureCount];
  }

  /** Paths from the roots; of several roots as near, from the first. O(closures and edges). */
  public static ShortestPaths fromRoots(HeapGraph graph, Search search, Work work) {
    return from(
        graph, graph.roots().stream().mapToInt(HeapGraph.Root::closureId).toArray(), search, work);
  }

  /** Paths from closures. O(closures and edges). */
  public static ShortestPaths from(HeapGraph graph, int[] starts, Search search, Work work) {
    ShortestPaths paths = new ShortestPaths(graph.size());
    paths.new Searching(graph, search, work).run(starts);
    return paths;
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

  private final class Searching {
    private final HeapGraph graph;
    private final Search search;
    private final Work work;
    private final boolean avoids;
    private final int[] edges = new int[BATCH]; // where those of each closure of a batch begin
    private final int[] ends = new int[BATCH];
    private final int[] next = new int[BATCH_EDGES]; // edges, then what they lead to
    private final int[] from = new int[BATCH_EDGES]; // the positions where they begin
    private int edgeCount;
    private int left; // targets not yet reached

    Searching(HeapGraph graph, Search search, Work work) {
      this.graph = graph;
      this.search = search;
      this.work = work;
      this.avoids = !search.notThrough().isEmpty();
      this.left = search.targets().cardinality();
    }

    void run(int[] starts) {
      for (int start : starts) {
        reach(start, START);
      }
      int batches = 0;
      for (int first = 0; first < size && left > 0; ) {
        if ((batches++ & (INTERVAL - 1)) == 0) {
          work.progress("searching paths (closures)", first, graph.size());
          work.checkStopped();
        }
        int count = Math.min(BATCH, size - first);
        for (int i = 0; i < count; i++) {
          int id = closures[first + i];
          edges[i] = graph.firstSuccessor(id);
          ends[i] = graph.firstSuccessor(id + 1);
        }
        for (int i = 0; i < count; i++) {
          if (!avoids || !search.notThrough().get(closures[first + i])) {
            follow(first + i, edges[i], ends[i]);
          }
        }
        followNoted();
        first += count;
      }
    }

    private void follow(int position, int firstEdge, int end) {
      for (int edge = firstEdge; edge < end; edge++) {
        if (edgeCount == BATCH_EDGES) {
          followNoted();
        }
        next[edgeCount] = edge;
        from[edgeCount++] = position;
      }
    }

    private void followNoted() {
      int strong = 0;
      for (int i = 0; i < edgeCount; i++) {
        int edge = next[i];
        next[strong] = graph.successor(edge);
        from[strong] = from[i];
        strong += graph.isEphemeron(edge) ? 0 : 1;
      }
      edgeCount = 0;
      for (int i = 0; i < strong; i++) {
        reach(next[i], from[i]);
      }
    }

    private void reach(int id, int before) {
      if (positions[id] == UNREACHED) {
        positions[id] = size;
        closures[size] = id;
        previous[size++] = before;
        left -= search.targets().get(id) ? 1 : 0;
      }
    }
  }

  /** Whether a path to the closure was found. */
  public boolean isReached(int id) {
    return positions[id] != UNREACHED;
  }

  /** The closure before this one on its path, or {@link #START}; only for one that is reached. */
  public int previous(int id) {
    int before = previous[positions[id]];
    return before == START ? START : closures[before];
  }

  /** How many closures were reached; more than the targets. */
  public int size() {
    return size;
  }

  /** The closure at a position, from 0 up to {@link #size}, nearest first. */
  public int closure(int position) {
    return closures[position];
  }

  /** The position of the closure before the one at this position, or {@link #START}. */
  public int previousPosition(int position) {
    return previous[position];
  }

  /** The closures from a start to this one, both included; only for one that is reached. */
  public int[] pathTo(int id) {
    int steps = 0;
    for (int at = positions[id]; at != START; at = previous[at]) {
      steps++;
    }
    int[] path = new int[steps];
    for (int at = positions[id]; at != START; at = previous[at]) {
      path[--steps] = closures[at];
    }
    return path;
  }
}
