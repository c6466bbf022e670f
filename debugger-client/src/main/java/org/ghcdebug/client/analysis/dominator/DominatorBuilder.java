package org.ghcdebug.client.analysis.dominator;

import java.util.Arrays;
import org.ghcdebug.client.collections.IntList;
import org.ghcdebug.client.index.HeapGraph;
import org.ghcdebug.client.work.Work;

/**
 * The semi-NCA algorithm on preorder numbers of a depth-first search; number 0 is the virtual root.
 *
 * <p>A closure's semidominator is the lowest number from which a path leads to it all of whose
 * inner numbers are higher than its own. Numbers are worked on from the highest down; those done
 * are linked to their parents in a forest, whose paths are compressed as they are asked for the
 * lowest semidominator on them. The nearest dominator is then the nearest ancestor in the tree that
 * is made so far whose number is not higher than the semidominator.
 */
final class DominatorBuilder {
  private static final int INTERVAL = 1 << 16;

  private final HeapGraph graph;
  private final Work work;
  private final int size;
  private final int[] numbers; // closure id -> preorder number
  private final int[] vertices; // preorder number -> closure id
  private final int[] tree; // preorder number -> parent in the search, later nearest dominator
  private final int[] ancestors; // preorder number -> ancestor in the forest
  private final int[] labels; // preorder number -> lowest semidominator on its path in the forest
  private final int[] semidominators;
  private final IntList path = new IntList();
  private int last; // highest number given so far

  DominatorBuilder(HeapGraph graph, Work work) {
    this.graph = graph;
    this.work = work;
    this.size = graph.size();
    this.numbers = new int[size];
    this.vertices = new int[size + 1];
    this.tree = new int[size + 1];
    search();
    this.ancestors = tree.clone();
    this.labels = new int[size + 1];
    this.semidominators = new int[size + 1];
    findSemidominators();
    for (int number = 1; number <= size; number++) {
      int candidate = tree[number];
      while (candidate > semidominators[number]) {
        candidate = tree[candidate];
      }
      tree[number] = candidate;
    }
  }

  private void search() {
    var ids = new IntList(); // the path from a root
    var edges = new IntList(); // and the edge to go on with from each
    for (HeapGraph.Root root : graph.roots()) {
      visit(root.closureId(), 0, ids, edges);
      while (!ids.isEmpty()) {
        int id = ids.last();
        int edge = edges.pop();
        if (edge == graph.firstSuccessor(id + 1)) {
          ids.pop();
        } else {
          edges.add(edge + 1);
          visit(graph.successor(edge), numbers[id], ids, edges);
        }
      }
    }
    if (last != size) {
      throw new AssertionError(size - last + " closures are not reached from the roots");
    }
  }

  private void visit(int id, int parent, IntList ids, IntList edges) {
    if (numbers[id] == 0) {
      numbers[id] = ++last;
      vertices[last] = id;
      tree[last] = parent;
      ids.add(id);
      edges.add(graph.firstSuccessor(id));
      report(last, 0);
    }
  }

  private void report(int done, int offset) {
    if ((done & (INTERVAL - 1)) == 0) {
      work.progress("finding dominators (closures)", ((long) done + offset) / 2, size);
      work.checkStopped();
    }
  }

  private void findSemidominators() {
    for (int number = 0; number <= size; number++) {
      labels[number] = number;
    }
    for (HeapGraph.Root root : graph.roots()) {
      labels[numbers[root.closureId()]] = 0;
    }
    for (int number = size; number > 0; number--) {
      report(size - number, size);
      int id = vertices[number];
      int lowest = Math.min(tree[number], labels[number]);
      for (int edge = graph.firstPredecessor(id); edge < graph.firstPredecessor(id + 1); edge++) {
        lowest = Math.min(lowest, lowestOnPath(numbers[graph.predecessor(edge)], number));
      }
      semidominators[number] = lowest;
      labels[number] = lowest;
    }
  }

  /**
   * The lowest semidominator from a number up to the top of its tree in the forest; the number
   * itself while it is not linked.
   *
   * @param unlinked the highest number that is not linked
   */
  private int lowestOnPath(int number, int unlinked) {
    if (number <= unlinked) {
      return number;
    }
    int top = number;
    while (ancestors[top] > unlinked) {
      path.add(top);
      top = ancestors[top];
    }
    int label = labels[top];
    while (!path.isEmpty()) {
      int below = path.pop();
      label = Math.min(label, labels[below]);
      labels[below] = label;
      ancestors[below] = ancestors[top];
    }
    return label;
  }

  /** Closure id -> nearest dominator. */
  int[] dominators() {
    var dominators = new int[size];
    for (int number = 1; number <= size; number++) {
      dominators[vertices[number]] = tree[number] == 0 ? Dominators.ROOT : vertices[tree[number]];
    }
    return dominators;
  }

  /** All closure ids, dominators first. */
  int[] order() {
    return Arrays.copyOfRange(vertices, 1, size + 1);
  }
}
