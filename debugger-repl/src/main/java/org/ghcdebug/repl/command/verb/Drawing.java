package org.ghcdebug.repl.command.verb;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.ghcdebug.client.analysis.dominator.Dominators;
import org.ghcdebug.client.analysis.typegraph.TypeGraph;
import org.ghcdebug.client.collections.IntList;
import org.ghcdebug.client.export.PropertyGraph;
import org.ghcdebug.client.index.HeapGraph;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.repl.render.Values;
import org.jspecify.annotations.Nullable;

/** Chooses a part of the heap that is small enough to be looked at, and gives it labels. */
final class Drawing {
  private static final Pattern MODULE = Pattern.compile("(\\p{Lu}[\\w']*\\.)+(?=.)");
  private static final int UNSEEN = -1;

  private final GraphReading reading;
  private final HeapGraph graph;
  private final int depth;
  private final int limit;
  private long leftOut;

  Drawing(GraphReading reading, int depth, int limit) {
    this.reading = reading;
    this.graph = reading.graph();
    this.depth = depth;
    this.limit = limit;
  }

  /** What the limit left out, of all that is within the depth. */
  long leftOut() {
    return leftOut;
  }

  /**
   * Closures and the references between them.
   *
   * @param starts null for the roots
   */
  PropertyGraph references(@Nullable BitSet starts, Work work) {
    Map<Integer, Integer> numbers = new LinkedHashMap<>(); // closure id -> number of its node
    int[] level =
        starts == null
            ? graph.roots().stream().mapToInt(HeapGraph.Root::closureId).distinct().toArray()
            : starts.stream().toArray();
    var met = new BitSet();
    IntStream.of(level).forEach(met::set);
    for (int step = 0; step <= depth && level.length > 0; step++) {
      work.checkStopped();
      List<Integer> next = new ArrayList<>();
      for (int id : level) {
        if (numbers.size() == limit) {
          leftOut++;
          continue;
        }
        numbers.put(id, numbers.size());
        for (int successor : graph.successorsOf(id)) {
          if (!met.get(successor)) {
            met.set(successor);
            next.add(successor);
          }
        }
      }
      level = next.stream().mapToInt(Integer::intValue).toArray();
    }
    List<PropertyGraph.Node> nodes = new ArrayList<>();
    List<PropertyGraph.Edge> edges = new ArrayList<>();
    numbers.forEach(
        (id, number) -> {
          long hidden = 0;
          for (int successor : graph.successorsOf(id)) {
            Integer to = numbers.get(successor);
            if (to == null) {
              hidden++;
            } else {
              edges.add(
                  new PropertyGraph.Edge(number, to, reading.fields(id, successor), Map.of()));
            }
          }
          nodes.add(node(id, null, hidden));
        });
    return new PropertyGraph(nodes, edges);
  }

  /**
   * The top of the dominator tree, or what is below some closures in it; of these the closures that
   * retain most. As what a closure retains is less than what its dominator does, they are a tree.
   */
  PropertyGraph dominators(Dominators dominators, @Nullable BitSet starts) {
    int[] depths = new int[graph.size()]; // closure id -> its depth in what is drawn
    var within = new IntList();
    for (int id : dominators.topDown()) {
      int above = dominators.dominator(id);
      depths[id] =
          starts != null && starts.get(id) || starts == null && above == Dominators.ROOT
              ? 0
              : above == Dominators.ROOT || depths[above] == UNSEEN ? UNSEEN : depths[above] + 1;
      if (depths[id] > depth) {
        depths[id] = UNSEEN;
      }
      if (depths[id] != UNSEEN) {
        within.add(id);
      }
    }
    int[] shown = Largest.of(within.toArray(), dominators::retainedBytes, limit);
    leftOut = within.size() - shown.length;
    Map<Integer, Integer> numbers = new LinkedHashMap<>();
    IntStream.of(shown).forEach(id -> numbers.put(id, numbers.size()));
    int[] children = dominators.countDominatedBy(shown);
    List<PropertyGraph.Edge> edges = new ArrayList<>();
    for (int id : shown) {
      Integer above = numbers.get(dominators.dominator(id));
      if (above != null) {
        children[above]--;
        edges.add(new PropertyGraph.Edge(above, numbers.get(id), "", Map.of()));
      }
    }
    List<PropertyGraph.Node> nodes = new ArrayList<>();
    for (int i = 0; i < shown.length; i++) {
      nodes.add(node(shown[i], dominators.retainedBytes(shown[i]), children[i]));
    }
    return new PropertyGraph(nodes, edges);
  }

  /** Constructors and the references between them. */
  PropertyGraph types(@Nullable BitSet starts, Work work) {
    TypeGraph types =
        TypeGraph.of(graph, reading::constructor, id -> starts == null || starts.get(id), work);
    Map<String, Integer> numbers = new LinkedHashMap<>(); // name -> number of its node
    List<PropertyGraph.Edge> edges = new ArrayList<>();
    for (TypeGraph.Edge edge : types.edges().subList(0, Math.min(limit, types.edges().size()))) {
      Map<String, Long> figures = new LinkedHashMap<>();
      figures.put("references", edge.references());
      figures.put("bytes", edge.bytes());
      edges.add(
          new PropertyGraph.Edge(
              numbers.computeIfAbsent(edge.from(), _ -> numbers.size()),
              numbers.computeIfAbsent(edge.to(), _ -> numbers.size()),
              Values.count(edge.references()),
              figures));
    }
    leftOut = types.edges().size() - edges.size();
    return new PropertyGraph(
        numbers.keySet().stream()
            .map(
                name ->
                    new PropertyGraph.Node(
                        shortName(name), false, Map.of("closure", name), Map.of()))
            .toList(),
        edges);
  }

  private PropertyGraph.Node node(int id, @Nullable Long retainedBytes, long hidden) {
    String name = reading.name(id);
    String root = reading.rootKinds(id);
    Map<String, String> texts = new LinkedHashMap<>();
    texts.put("closure", name);
    texts.put("type", reading.type(id));
    texts.put("address", Values.address(graph.address(id)));
    if (root != null) {
      texts.put("rootKind", root);
    }
    Map<String, Long> numbers = new LinkedHashMap<>();
    numbers.put("shallowBytes", graph.sizeBytes(id));
    String size = Values.bytes(graph.sizeBytes(id));
    if (retainedBytes != null) {
      numbers.put("retainedBytes", retainedBytes);
      size = "retains " + Values.bytes(retainedBytes);
    }
    numbers.put("hidden", hidden);
    return new PropertyGraph.Node(
        (root == null ? "" : root + ": ") + shortName(name) + "\n" + size,
        root != null,
        texts,
        numbers);
  }

  /** Without modules. */
  static String shortName(String name) {
    return MODULE.matcher(name).replaceFirst("");
  }
}
