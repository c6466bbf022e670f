package org.ghcdebug.repl.command.verb;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.ghcdebug.client.analysis.dominator.ThunkChains;
import org.ghcdebug.client.debuggee.HeapView;
import org.ghcdebug.client.heap.Heap;
import org.ghcdebug.client.index.ClosureSelection;
import org.ghcdebug.client.index.HeapGraph;
import org.ghcdebug.client.index.RootKind;
import org.ghcdebug.client.query.Filter;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.protocol.closure.ClosureType;
import org.ghcdebug.protocol.closure.ConstructorName;
import org.ghcdebug.protocol.closure.Edge;
import org.ghcdebug.protocol.closure.InfoTable;
import org.ghcdebug.protocol.closure.SourceInfo;
import org.ghcdebug.repl.command.Address;
import org.ghcdebug.repl.command.UsageException;
import org.jspecify.annotations.Nullable;

/** The graph of a view, with names for its closures. */
final class GraphReading {
  private final HeapView view;
  private final Heap heap;
  private final HeapGraph graph;
  private final int[] kinds; // info id -> number of its kind

  /**
   * What makes closures one kind.
   *
   * @param name what they are called
   * @param type of what is neither a constructor nor a thunk; else null
   * @param infoId of those whose name says too little; else {@link HeapGraph#NONE}
   */
  private record Kind(String name, @Nullable ClosureType type, int infoId) {}

  GraphReading(HeapView view, Work work) {
    this.view = view;
    this.heap = view.heap();
    this.graph = view.graph(work);
    heap.prefetchNames(IntStream.range(0, graph.infoCount()).mapToObj(graph::info).toList());
    Map<Kind, Integer> numbers = new HashMap<>();
    this.kinds =
        IntStream.range(0, graph.infoCount())
            .mapToObj(this::kindOf)
            .mapToInt(kind -> numbers.computeIfAbsent(kind, _ -> numbers.size()))
            .toArray();
  }

  private Kind kindOf(int infoId) {
    InfoTable info = graph.info(infoId);
    return new Kind(
        heap.displayName(info),
        isConstructorOrThunk(info) ? null : info.type(),
        heap.isNamed(info) ? HeapGraph.NONE : infoId);
  }

  /** Whether closures of that info table are told apart by their names more than by their type. */
  static boolean isConstructorOrThunk(InfoTable info) {
    return info.type().isConstructor() || ThunkChains.isThunk(info.type());
  }

  HeapGraph graph() {
    return graph;
  }

  /**
   * A number for each info id, the same where closures are called the same, provided that their
   * name tells them from others; else each info table is a kind.
   */
  int kind(int infoId) {
    return kinds[infoId];
  }

  /**
   * The closure at an address.
   *
   * @throws UsageException when there is none, or nothing keeps it alive
   */
  int require(Address address) {
    int id = graph.id(address.value());
    if (id == HeapGraph.NONE) {
      throw new UsageException(
          "no closure that is alive is at %s; find lists closures, and addresses are good for one"
                  .formatted(address)
              + " view of the heap");
    }
    return id;
  }

  /** The closures that a filter wants. */
  BitSet select(Filter filter, Work work) {
    ClosureSelection selection = Filters.over(view, filter, work);
    var wanted = new BitSet(graph.size());
    view.copy(work)
        .each(
            selection,
            closure -> {
              wanted.set(graph.id(closure.address()));
              return true;
            },
            work);
    return wanted;
  }

  /** What to call a closure. */
  String name(int id) {
    InfoTable info = graph.infoOf(id);
    return info.type() == ClosureType.TSO
        ? heap.displayName(heap.closure(graph.address(id)))
        : heap.displayName(info);
  }

  /** The closure type's name. */
  String type(int id) {
    return graph.infoOf(id).type().toString();
  }

  /** Where the code that makes the closure is; null when nothing tells. */
  @Nullable String source(int id) {
    return source(graph.infoOf(id));
  }

  /** As {@link #source(int)}. */
  @Nullable String source(InfoTable info) {
    return heap.findSourceInfo(info)
        .map(SourceInfo::position)
        .filter(position -> !position.isEmpty())
        .orElse(null);
  }

  /** The qualified constructor; what is none is called by its closure type. */
  String constructor(InfoTable info) {
    return heap.findConstructorName(info)
        .map(ConstructorName::qualifiedName)
        .orElseGet(() -> "<" + info.type() + ">");
  }

  /** The module of the constructor or code; the closure type where nothing tells. */
  String module(InfoTable info) {
    return heap.findConstructorName(info)
        .map(ConstructorName::module)
        .or(() -> heap.findSourceInfo(info).map(SourceInfo::module))
        .filter(module -> !module.isEmpty())
        .orElseGet(() -> "<" + info.type() + ">");
  }

  /** As what a closure is a root, such as {@code saved}; null when it is none. */
  @Nullable String rootKinds(int id) {
    List<RootKind> kinds = graph.rootKinds(id);
    return kinds.isEmpty()
        ? null
        : kinds.stream().map(RootKind::label).distinct().collect(Collectors.joining(", "));
  }

  /** What refers to a closure: a root by its kind, else the name of one that is no thunk. */
  String holder(int id) {
    String kinds = rootKinds(id);
    if (kinds != null) {
      return kinds;
    }
    int[] parents = graph.predecessorsOf(id);
    int shown = parents[0];
    for (int parent : parents) {
      if (!ThunkChains.isThunk(graph.infoOf(parent).type())) {
        shown = parent;
        break;
      }
    }
    return parents.length == 1
        ? name(shown)
        : "%s and %d more".formatted(name(shown), parents.length - 1);
  }

  /** Which fields of a closure refer to another, several joined by commas. */
  String fields(int from, int to) {
    long target = graph.address(to);
    List<String> fields = new ArrayList<>();
    for (Edge edge : heap.closure(graph.address(from)).edges()) {
      if (edge.kind().isRetaining() && edge.target().address() == target) {
        fields.add(ClosureRow.field(edge));
      }
    }
    boolean isKey = false;
    for (int edge = graph.firstSuccessor(from); edge < graph.firstSuccessor(from + 1); edge++) {
      isKey |= graph.isEphemeron(edge) && graph.successor(edge) == to;
    }
    if (isKey) {
      fields.add("key of a weak pointer");
    } else if (fields.isEmpty()) {
      fields.add("compact region");
    }
    return String.join(", ", fields.stream().distinct().toList());
  }
}
