package org.ghcdebug.client.analysis.dominator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.ghcdebug.client.analysis.dominator.Suspects.Limits;
import org.ghcdebug.client.analysis.dominator.Suspects.Suspect;
import org.ghcdebug.client.index.HeapGraph;
import org.ghcdebug.client.testing.RandomGraphs;
import org.ghcdebug.client.work.Work;

class SuspectsProperties {
  @Provide
  Arbitrary<HeapGraph> graphs() {
    return RandomGraphs.small();
  }

  @Provide
  Arbitrary<Limits> limits() {
    return Combinators.combine(
            Arbitraries.integers().between(2, 100),
            Arbitraries.longs().between(16, 4096),
            Arbitraries.integers().between(2, 12))
        .as(Limits::new);
  }

  @Property(tries = 2000)
  void areTheTopmostClosuresBelowWhichMuchIsSpreadOverMany(
      @ForAll("graphs") HeapGraph graph, @ForAll("limits") Limits limits) {
    var naive = new Naive(graph, limits);

    List<Suspect> found =
        Suspects.of(
            Dominators.of(graph, Work.UNATTENDED),
            SuspectsProperties::kind,
            limits,
            Work.UNATTENDED);

    assertEquals(naive.structures(), single(found));
    assertEquals(naive.groups(), grouped(graph, found));
    for (Suspect suspect : found) {
      if (suspect.heads() > 1) {
        assertTrue(naive.isLargestOfItsGroup(suspect.closureId()));
      }
    }
    for (int i = 1; i < found.size(); i++) {
      assertTrue(found.get(i - 1).retainedBytes() >= found.get(i).retainedBytes());
    }
  }

  private static Set<Suspect> single(List<Suspect> found) {
    var single = new HashSet<>(found);
    single.removeIf(suspect -> suspect.heads() > 1);
    return single;
  }

  private static Map<Integer, List<Long>> grouped(HeapGraph graph, List<Suspect> found) {
    var groups = new HashMap<Integer, List<Long>>();
    for (Suspect suspect : found) {
      if (suspect.heads() > 1) {
        assertEquals(suspect.heads(), suspect.elements());
        groups.put(
            kind(graph.infoId(suspect.closureId())),
            List.of(suspect.heads(), suspect.retainedBytes()));
      }
    }
    return groups;
  }

  /** Some info tables are of one kind. */
  private static int kind(int infoId) {
    return infoId / 3;
  }

  /** From sets of what goes with each closure, found by walking the heap without it. */
  private static final class Naive {
    private final HeapGraph graph;
    private final Limits limits;
    private final long threshold;
    private final BitSet[] retained;
    private final long[] bytes;

    Naive(HeapGraph graph, Limits limits) {
      this.graph = graph;
      this.limits = limits;
      this.retained = new BitSet[graph.size()];
      this.bytes = new long[graph.size()];
      long total = 0;
      for (int id = 0; id < graph.size(); id++) {
        retained[id] = retainedBy(id);
        bytes[id] = retained[id].stream().mapToLong(graph::sizeBytes).sum();
        total += graph.sizeBytes(id);
      }
      this.threshold = Math.max(limits.leastBytes(), total / limits.share());
    }

    private BitSet retainedBy(int left) {
      var lost = new BitSet();
      lost.set(0, graph.size());
      var pending = new ArrayDeque<Integer>();
      graph.roots().forEach(root -> pending.add(root.closureId()));
      while (!pending.isEmpty()) {
        int id = pending.pop();
        if (id != left && lost.get(id)) {
          lost.clear(id);
          for (int edge = graph.firstSuccessor(id); edge < graph.firstSuccessor(id + 1); edge++) {
            pending.add(graph.successor(edge));
          }
        }
      }
      return lost;
    }

    private boolean isAbove(int id, int other) {
      return id != other && retained[id].get(other);
    }

    private boolean isRightAbove(int id, int other) {
      return isAbove(id, other)
          && ids().noneMatch(between -> isAbove(id, between) && isAbove(between, other));
    }

    private IntStream ids() {
      return IntStream.range(0, retained.length);
    }

    private long elements(int id) {
      return graph.infoOf(id).type().name().contains("MUT_ARR_PTRS")
          ? ids().filter(other -> isRightAbove(id, other)).count()
          : retained[id].stream()
              .filter(other -> kind(graph.infoId(other)) == kind(graph.infoId(id)))
              .count();
    }

    private boolean accumulates(int id) {
      return bytes[id] >= threshold
          && (elements(id) >= limits.leastElements() || graph.sizeBytes(id) >= threshold);
    }

    Set<Suspect> structures() {
      int[] accumulations = ids().filter(this::accumulates).toArray();
      return Arrays.stream(accumulations)
          .filter(id -> Arrays.stream(accumulations).noneMatch(above -> isAbove(above, id)))
          .mapToObj(id -> new Suspect(id, 1, elements(id), bytes[id]))
          .collect(Collectors.toSet());
    }

    private Map<Integer, List<Integer>> smallAtTheTop() {
      return ids()
          .filter(id -> bytes[id] < threshold && ids().noneMatch(above -> isAbove(above, id)))
          .boxed()
          .collect(Collectors.groupingBy(id -> kind(graph.infoId(id))));
    }

    /** Kind to count and bytes. */
    Map<Integer, List<Long>> groups() {
      var groups = new HashMap<Integer, List<Long>>();
      smallAtTheTop()
          .forEach(
              (kind, ids) -> {
                long together = ids.stream().mapToLong(id -> bytes[id]).sum();
                if (ids.size() >= limits.leastElements() && together >= threshold) {
                  groups.put(kind, List.of((long) ids.size(), together));
                }
              });
      return groups;
    }

    boolean isLargestOfItsGroup(int id) {
      List<Integer> group = smallAtTheTop().get(kind(graph.infoId(id)));
      return group.contains(id) && group.stream().allMatch(other -> bytes[other] <= bytes[id]);
    }
  }
}
