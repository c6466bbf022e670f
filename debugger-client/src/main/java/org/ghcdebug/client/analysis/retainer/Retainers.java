package org.ghcdebug.client.analysis.retainer;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntUnaryOperator;
import org.ghcdebug.client.index.HeapGraph;
import org.ghcdebug.client.index.ShortestPaths;
import org.ghcdebug.client.work.Work;

/** Finds what keeps closures alive. */
public final class Retainers {
  private Retainers() {}

  /**
   * The shortest ways to closures, those that are alike together. O(closures and edges); 4 bytes
   * per closure while it runs.
   *
   * @param kindOfInfo a number for each info id, the same for closures that make ways alike
   * @param paths that were searched to the targets
   * @param targets ids of the closures asked for
   */
  public static RetainerPaths of(
      HeapGraph graph,
      IntUnaryOperator kindOfInfo,
      ShortestPaths paths,
      BitSet targets,
      Work work) {
    Signatures signatures = new Signatures(graph, kindOfInfo, paths, work);
    Cluster[] clusters = new Cluster[signatures.size()];
    List<Cluster> found = new ArrayList<>();
    long unheldCount = 0;
    long unheldBytes = 0;
    for (int position = 0; position < paths.size(); position++) {
      int id = paths.closure(position);
      if (targets.get(id)) {
        int signature = signatures.of(position);
        Cluster cluster = clusters[signature];
        if (cluster == null) {
          cluster = new Cluster(id);
          clusters[signature] = cluster;
          found.add(cluster);
        }
        cluster.count++;
        cluster.bytes += graph.sizeBytes(id);
      }
    }
    for (int id = targets.nextSetBit(0); id >= 0; id = targets.nextSetBit(id + 1)) {
      if (!paths.isReached(id)) {
        unheldCount++;
        unheldBytes += graph.sizeBytes(id);
      }
    }
    List<RetainerPaths.Path> rows =
        found.stream()
            .sorted(Comparator.comparingLong((Cluster cluster) -> cluster.bytes).reversed())
            .map(
                it ->
                    new RetainerPaths.Path(
                        steps(graph, kindOfInfo, paths, it.example), it.count, it.bytes))
            .toList();
    return new RetainerPaths(rows, unheldCount, unheldBytes);
  }

  /** The way to one closure, from it to the root. */
  private static List<RetainerPaths.Step> steps(
      HeapGraph graph, IntUnaryOperator kindOfInfo, ShortestPaths paths, int target) {
    List<RetainerPaths.Step> steps = new ArrayList<>();
    int nearest = target;
    int times = 0;
    for (int id = target; id != ShortestPaths.START; id = paths.previous(id)) {
      if (kindOfInfo.applyAsInt(graph.infoId(id)) != kindOfInfo.applyAsInt(graph.infoId(nearest))) {
        steps.add(new RetainerPaths.Step(nearest, times));
        nearest = id;
        times = 0;
      }
      times++;
    }
    steps.add(new RetainerPaths.Step(nearest, times));
    return steps;
  }

  private static final class Cluster {
    private final int example;
    private long count;
    private long bytes;

    Cluster(int example) {
      this.example = example;
    }
  }
}
