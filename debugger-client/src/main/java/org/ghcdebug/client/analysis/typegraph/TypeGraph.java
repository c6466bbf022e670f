package org.ghcdebug.client.analysis.typegraph;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.IntPredicate;
import org.ghcdebug.client.collections.LongIntMap;
import org.ghcdebug.client.index.HeapGraph;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.protocol.closure.InfoTable;

/**
 * The references of a heap, by what they lead from and to.
 *
 * @param edges the most references first
 * @param references of all edges
 */
public record TypeGraph(List<Edge> edges, long references) {
  private static final int INTERVAL = 1 << 16;

  public TypeGraph {
    edges = List.copyOf(edges);
  }

  /**
   * The references between two types.
   *
   * @param references how many there are
   * @param bytes sizes of the closures that are referred to, added up over all references
   */
  public record Edge(String from, String to, long references, long bytes) {}

  /**
   * Folds a graph. O(edges), with nothing allocated per edge.
   *
   * @param name what to call closures with an info table
   * @param isWanted closure id to whether references from it count
   */
  public static TypeGraph of(
      HeapGraph graph, Function<InfoTable, String> name, IntPredicate isWanted, Work work) {
    Map<String, Integer> numbers = new HashMap<>();
    List<String> names = new ArrayList<>();
    int[] numberOfInfo = new int[graph.infoCount()];
    for (int info = 0; info < numberOfInfo.length; info++) {
      numberOfInfo[info] =
          numbers.computeIfAbsent(
              name.apply(graph.info(info)),
              key -> {
                names.add(key);
                return names.size() - 1;
              });
    }
    LongIntMap pairs = new LongIntMap(); // from << 32 | to, + 1 -> number of the pair
    List<long[]> keys = new ArrayList<>(); // number -> from, to
    long[] references = new long[64];
    long[] bytes = new long[64];
    for (int id = 0; id < graph.size(); id++) {
      if (id % INTERVAL == 0) {
        work.progress("folding (closures)", id, graph.size());
        work.checkStopped();
      }
      if (!isWanted.test(id)) {
        continue;
      }
      int from = numberOfInfo[graph.infoId(id)];
      for (int edge = graph.firstSuccessor(id); edge < graph.firstSuccessor(id + 1); edge++) {
        int target = graph.successor(edge);
        int to = numberOfInfo[graph.infoId(target)];
        long key = ((long) from << 32 | to) + 1;
        int pair = pairs.get(key);
        if (pair == LongIntMap.MISSING) {
          pair = keys.size();
          pairs.put(key, pair);
          keys.add(new long[] {from, to});
          if (pair == references.length) {
            references = Arrays.copyOf(references, 2 * pair);
            bytes = Arrays.copyOf(bytes, 2 * pair);
          }
        }
        references[pair]++;
        bytes[pair] += graph.sizeBytes(target);
      }
    }
    List<Edge> edges = new ArrayList<>();
    for (int pair = 0; pair < keys.size(); pair++) {
      edges.add(
          new Edge(
              names.get((int) keys.get(pair)[0]),
              names.get((int) keys.get(pair)[1]),
              references[pair],
              bytes[pair]));
    }
    edges.sort(
        Comparator.comparingLong(Edge::references)
            .reversed()
            .thenComparing(Edge::from)
            .thenComparing(Edge::to));
    return new TypeGraph(edges, Arrays.stream(references).sum());
  }
}
