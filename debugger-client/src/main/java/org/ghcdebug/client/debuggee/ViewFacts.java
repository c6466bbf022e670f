package org.ghcdebug.client.debuggee;

import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.ghcdebug.client.index.ClosureCursor;
import org.ghcdebug.client.index.HeapCopy;
import org.ghcdebug.client.index.HeapGraph;
import org.ghcdebug.client.index.RetainedSizes;
import org.ghcdebug.client.index.RootKind;
import org.ghcdebug.client.query.ClosureFacts;
import org.ghcdebug.client.query.Field;
import org.ghcdebug.client.work.Work;
import org.jspecify.annotations.Nullable;

/** What a view can tell of closures, as far as a filter needs it: nothing more is computed. */
final class ViewFacts implements ClosureFacts {
  private final HeapCopy copy;
  private final @Nullable HeapGraph graph;
  private final @Nullable RetainedSizes sizes;
  private final Map<Integer, Set<RootKind>> roots = new HashMap<>(); // closure id -> its kinds

  private ViewFacts(HeapCopy copy, @Nullable HeapGraph graph, @Nullable RetainedSizes sizes) {
    this.copy = copy;
    this.graph = graph;
    this.sizes = sizes;
    if (graph != null) {
      for (HeapGraph.Root root : graph.roots()) {
        roots
            .computeIfAbsent(root.closureId(), _ -> EnumSet.noneOf(RootKind.class))
            .add(root.kind());
      }
    }
  }

  /** What is needed to compare these fields. */
  static ClosureFacts of(HeapView view, Set<Field> fields, Work work) {
    boolean needsSizes = fields.contains(Field.RETAINED);
    boolean needsGraph = needsSizes || fields.contains(Field.ROOT);
    return needsGraph || fields.contains(Field.GENERATION) || fields.contains(Field.TEXT)
        ? new ViewFacts(
            view.copy(work),
            needsGraph ? view.graph(work) : null,
            needsSizes ? view.retainedSizes(work) : null)
        : NONE;
  }

  @Override
  public @Nullable HeapCopy copy() {
    return copy;
  }

  @Override
  public boolean knows(Field field) {
    return switch (field) {
      case RETAINED -> sizes != null;
      case ROOT -> graph != null;
      case GENERATION -> copy.image().tellsGenerations();
      default -> true;
    };
  }

  @Override
  public long retainedBytes(ClosureCursor closure) {
    int id = Objects.requireNonNull(graph).id(closure.address());
    return id == HeapGraph.NONE ? 0 : Objects.requireNonNull(sizes).retainedBytes(id);
  }

  @Override
  public Set<RootKind> rootKinds(ClosureCursor closure) {
    return roots.getOrDefault(Objects.requireNonNull(graph).id(closure.address()), Set.of());
  }

  @Override
  public int generation(ClosureCursor closure) {
    return copy.image().generation(closure.address());
  }
}
