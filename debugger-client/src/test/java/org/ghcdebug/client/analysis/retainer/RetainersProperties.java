package org.ghcdebug.client.analysis.retainer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.ghcdebug.client.index.HeapGraph;
import org.ghcdebug.client.index.ShortestPaths;
import org.ghcdebug.client.testing.RandomGraphs;
import org.ghcdebug.client.work.Work;

class RetainersProperties {
  @Provide
  Arbitrary<HeapGraph> graphs() {
    return RandomGraphs.small();
  }

  @Provide
  Arbitrary<HeapGraph> deepGraphs() {
    return RandomGraphs.deep();
  }

  @Property(tries = 1000)
  void pathsAreAsShortAsCanBe(@ForAll("graphs") HeapGraph graph, @ForAll long seed) {
    var random = new Random(seed);
    BitSet targets = some(graph, random, 3);
    BitSet notThrough = some(graph, random, 6);
    int[] starts =
        random.nextBoolean()
            ? graph.roots().stream().mapToInt(HeapGraph.Root::closureId).toArray()
            : some(graph, random, 5).stream().toArray();
    int[] distances = distances(graph, starts, notThrough);

    var paths =
        ShortestPaths.from(
            graph, starts, new ShortestPaths.Search(targets, notThrough), Work.UNATTENDED);

    for (int id = targets.nextSetBit(0); id >= 0; id = targets.nextSetBit(id + 1)) {
      assertEquals(distances[id] >= 0, paths.isReached(id));
      if (paths.isReached(id)) {
        int[] path = paths.pathTo(id);
        assertEquals(distances[id] + 1, path.length);
        assertTrue(Arrays.stream(starts).anyMatch(start -> start == path[0]));
        assertEquals(id, path[path.length - 1]);
        for (int i = 0; i + 1 < path.length; i++) {
          assertTrue(strongSuccessors(graph, path[i]).contains(path[i + 1]));
          assertTrue(!notThrough.get(path[i]));
        }
      }
    }
  }

  @Property(tries = 1000)
  void everyClosureAskedForIsInOneRow(@ForAll("graphs") HeapGraph graph, @ForAll long seed) {
    assertRowsAreClusters(graph, seed);
  }

  @Property(tries = 2000)
  void whatComesRoundAgainOnLongWaysIsOneStep(
      @ForAll("deepGraphs") HeapGraph graph, @ForAll long seed) {
    assertRowsAreClusters(graph, seed);
  }

  private static void assertRowsAreClusters(HeapGraph graph, long seed) {
    BitSet targets = some(graph, new Random(seed), 2);
    var paths = ShortestPaths.fromRoots(graph, ShortestPaths.Search.to(targets), Work.UNATTENDED);

    RetainerPaths found =
        Retainers.of(graph, RetainersProperties::kind, paths, targets, Work.UNATTENDED);

    Map<List<Integer>, long[]> expected = new HashMap<>();
    long[] unheld = {0, 0};
    for (int id = targets.nextSetBit(0); id >= 0; id = targets.nextSetBit(id + 1)) {
      long[] sums =
          paths.isReached(id)
              ? expected.computeIfAbsent(signature(graph, paths.pathTo(id)), _ -> new long[2])
              : unheld;
      sums[0]++;
      sums[1] += graph.sizeBytes(id);
    }
    assertEquals(unheld[0], found.unheldCount());
    assertEquals(unheld[1], found.unheldBytes());
    assertEquals(expected.size(), found.paths().size());
    for (RetainerPaths.Path path : found.paths()) {
      List<Integer> kinds =
          path.steps().reversed().stream()
              .map(step -> kind(graph.infoId(step.closureId())))
              .toList();
      long[] sums = expected.get(signature(kinds));
      assertEquals(sums[0], path.count());
      assertEquals(sums[1], path.bytes());
      int target = path.steps().getFirst().closureId();
      assertTrue(targets.get(target));
      assertEquals(
          paths.pathTo(target).length,
          path.steps().stream().mapToInt(RetainerPaths.Step::times).sum());
    }
  }

  /** Some info tables are of one kind. */
  private static int kind(int infoId) {
    return infoId / 3;
  }

  private static List<Integer> signature(HeapGraph graph, int[] path) {
    return signature(Arrays.stream(path).mapToObj(id -> kind(graph.infoId(id))).toList());
  }

  /**
   * Runs of a kind are one step. Once there are more than 24, a step back to a kind that was at
   * most four steps before takes away what has come since.
   */
  private static List<Integer> signature(List<Integer> way) {
    List<Integer> steps = new ArrayList<>();
    for (int kind : way) {
      int tail = steps.size() > 24 ? 4 : 1;
      int before = steps.subList(Math.max(0, steps.size() - tail), steps.size()).lastIndexOf(kind);
      if (before < 0) {
        steps.add(kind);
      } else {
        steps = new ArrayList<>(steps.subList(0, Math.max(0, steps.size() - tail) + before + 1));
      }
    }
    return steps;
  }

  private static BitSet some(HeapGraph graph, Random random, int oneIn) {
    var set = new BitSet();
    IntStream.range(0, graph.size()).filter(_ -> random.nextInt(oneIn) == 0).forEach(set::set);
    return set;
  }

  private static Set<Integer> strongSuccessors(HeapGraph graph, int id) {
    var successors = new HashSet<Integer>();
    for (int edge = graph.firstSuccessor(id); edge < graph.firstSuccessor(id + 1); edge++) {
      if (!graph.isEphemeron(edge)) {
        successors.add(graph.successor(edge));
      }
    }
    return successors;
  }

  /** The slow way: over all closures again and again, until no distance gets smaller. */
  private static int[] distances(HeapGraph graph, int[] starts, BitSet notThrough) {
    var distances = new int[graph.size()];
    Arrays.fill(distances, -1);
    Arrays.stream(starts).forEach(start -> distances[start] = 0);
    boolean changed = true;
    while (changed) {
      changed = false;
      for (int id = 0; id < distances.length; id++) {
        if (distances[id] >= 0 && !notThrough.get(id)) {
          for (int successor : strongSuccessors(graph, id)) {
            if (distances[successor] < 0 || distances[successor] > distances[id] + 1) {
              distances[successor] = distances[id] + 1;
              changed = true;
            }
          }
        }
      }
    }
    return distances;
  }
}
