package org.ghcdebug.client.analysis.typegraph;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.ghcdebug.client.index.HeapGraph;
import org.ghcdebug.client.testing.NaiveHeap;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.protocol.target.GhcVersion;
import org.ghcdebug.protocol.target.ProfilingMode;
import org.ghcdebug.protocol.target.Target;

class TypeGraphProperties {
  private static final Target TARGET = new Target(new GhcVersion(906, 6), ProfilingMode.VANILLA);

  @Property(tries = 300)
  void foldsTheReferencesThatGoTheOtherWay(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 100) int closures) {
    try (NaiveHeap heap = NaiveHeap.random(TARGET, seed, closures)) {
      HeapGraph graph = heap.copy().graph(Work.UNATTENDED);
      TypeGraph folded =
          TypeGraph.of(graph, info -> info.type().name(), from -> from % 7 < 6, Work.UNATTENDED);

      long references = 0;
      Map<List<Object>, long[]> expected = new TreeMap<>(Comparator.comparing(List::toString));
      for (int to = 0; to < graph.size(); to++) {
        for (int edge = graph.firstPredecessor(to); edge < graph.firstPredecessor(to + 1); edge++) {
          int from = graph.predecessor(edge);
          if (from % 7 == 6) {
            continue;
          }
          references++;
          long[] sums =
              expected.computeIfAbsent(
                  List.of(graph.infoOf(from).type().name(), graph.infoOf(to).type().name()),
                  _ -> new long[2]);
          sums[0]++;
          sums[1] += heap.heap().closure(graph.address(to)).sizeWords() * 8;
        }
      }
      assertEquals(references, folded.references());
      assertEquals(
          expected.entrySet().stream()
              .map(
                  entry -> entry.getKey() + " " + List.of(entry.getValue()[0], entry.getValue()[1]))
              .sorted()
              .toList(),
          folded.edges().stream()
              .map(
                  edge ->
                      List.of(edge.from(), edge.to())
                          + " "
                          + List.of(edge.references(), edge.bytes()))
              .sorted()
              .collect(Collectors.toList()));
    }
  }
}
