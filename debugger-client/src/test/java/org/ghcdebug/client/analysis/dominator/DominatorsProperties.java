package org.ghcdebug.client.analysis.dominator;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.ghcdebug.client.index.HeapGraph;
import org.ghcdebug.client.testing.RandomGraphs;
import org.ghcdebug.client.work.Work;

class DominatorsProperties {
  @Provide
  Arbitrary<HeapGraph> graphs() {
    return RandomGraphs.small();
  }

  @Property(tries = 2000)
  void aClosureRetainsWhatIsOutOfReachWithoutIt(@ForAll("graphs") HeapGraph graph) {
    Dominators dominators = Dominators.of(graph, Work.UNATTENDED);

    for (int id = 0; id < graph.size(); id++) {
      BitSet lost = reachableWithout(graph, id);
      lost.flip(0, graph.size());
      assertEquals(lost, dominators.retainedSet(id));
      assertEquals(lost.stream().mapToLong(graph::sizeBytes).sum(), dominators.retainedBytes(id));
    }
  }

  @Property(tries = 100)
  void dominatingIsBeingAboveInTheTree(@ForAll("graphs") HeapGraph graph) {
    Dominators dominators = Dominators.of(graph, Work.UNATTENDED);

    for (int id = 0; id < graph.size(); id++) {
      BitSet below = new BitSet();
      for (int other = 0; other < graph.size(); other++) {
        below.set(other, dominators.dominates(id, other));
      }
      assertEquals(dominators.retainedSet(id), below);
    }
  }

  @Property(tries = 500)
  void theTreesRootRetainsTheWholeHeap(@ForAll("graphs") HeapGraph graph) {
    Dominators dominators = Dominators.of(graph, Work.UNATTENDED);

    long atTheTop =
        IntStream.of(dominators.dominatedBy(Dominators.ROOT))
            .mapToLong(dominators::retainedBytes)
            .sum();
    assertEquals(graph.totalBytes(), atTheTop);
    assertEquals(graph.totalBytes(), dominators.retainedBytes(Dominators.ROOT));
  }

  @Property(tries = 200)
  void childrenAreTheClosuresOneStepBelow(@ForAll("graphs") HeapGraph graph) {
    Dominators dominators = Dominators.of(graph, Work.UNATTENDED);

    int[] all = IntStream.range(0, graph.size()).toArray();
    int[] counts = IntStream.of(all).map(id -> dominators.dominatedBy(id).length).toArray();
    assertArrayEquals(counts, dominators.countDominatedBy(all));
    for (int id : all) {
      for (int child : dominators.dominatedBy(id)) {
        assertEquals(id, dominators.dominator(child));
      }
    }
  }

  @Property(tries = 500)
  void aGroupRetainsTheUnionOfWhatItsMembersDominate(@ForAll("graphs") HeapGraph graph) {
    Dominators dominators = Dominators.of(graph, Work.UNATTENDED);

    var groups = DominatorGroups.of(dominators, 3, id -> groupOf(graph, id));

    for (int group = 0; group < 3; group++) {
      int wanted = group;
      int[] members =
          IntStream.range(0, graph.size()).filter(id -> groupOf(graph, id) == wanted).toArray();
      var union = new BitSet();
      IntStream.of(members).forEach(id -> union.or(dominators.retainedSet(id)));
      assertEquals(members.length, groups.count(group));
      assertEquals(
          IntStream.of(members).mapToLong(graph::sizeBytes).sum(), groups.shallowBytes(group));
      assertEquals(union.stream().mapToLong(graph::sizeBytes).sum(), groups.retainedBytes(group));
    }
  }

  @Property(tries = 500)
  void aChainIsARunOfThunksDownTheTree(@ForAll("graphs") HeapGraph graph) {
    Dominators dominators = Dominators.of(graph, Work.UNATTENDED);

    var chains = ThunkChains.of(dominators, 3, id -> groupOf(graph, id), Work.UNATTENDED);

    int[] depths = new int[3];
    for (int id = 0; id < graph.size(); id++) {
      int depth = 0;
      int head = Dominators.ROOT;
      for (int above = id;
          above != Dominators.ROOT && ThunkChains.isThunk(graph.infoOf(above).type());
          above = dominators.dominator(above)) {
        depth++;
        head = above;
      }
      if (depth > 0 && groupOf(graph, head) != HeapGraph.NONE) {
        int group = groupOf(graph, head);
        depths[group] = Math.max(depths[group], depth);
      }
    }
    for (int group = 0; group < 3; group++) {
      assertEquals(depths[group], chains.depth(group));
      assertEquals(depths[group] == 0, chains.head(group) == HeapGraph.NONE);
    }
  }

  /** By kind; every seventh closure is in none. */
  private static int groupOf(HeapGraph graph, int id) {
    return id % 7 == 6 ? HeapGraph.NONE : graph.infoId(id) % 3;
  }

  private static BitSet reachableWithout(HeapGraph graph, int left) {
    var reached = new BitSet();
    Deque<Integer> pending = new ArrayDeque<>();
    graph.roots().forEach(root -> pending.add(root.closureId()));
    while (!pending.isEmpty()) {
      int id = pending.remove();
      if (id != left && !reached.get(id)) {
        reached.set(id);
        for (int successor : graph.successorsOf(id)) {
          pending.add(successor);
        }
      }
    }
    return reached;
  }
}
