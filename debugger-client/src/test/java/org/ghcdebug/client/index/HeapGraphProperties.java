package org.ghcdebug.client.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.ghcdebug.client.testing.StubHeapSource;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.protocol.closure.ClosureType;
import org.ghcdebug.protocol.closure.Edge;
import org.ghcdebug.protocol.closure.EdgeKind;
import org.ghcdebug.protocol.target.GhcVersion;
import org.ghcdebug.protocol.target.ProfilingMode;
import org.ghcdebug.protocol.target.Target;
import org.ghcdebug.stub.heap.BlockGroup;
import org.ghcdebug.stub.heap.BuiltClosure;
import org.ghcdebug.stub.heap.BuiltHeap;
import org.ghcdebug.stub.heap.RandomHeap;

class HeapGraphProperties {
  @Provide
  Arbitrary<Target> targets() {
    return Combinators.combine(
            Arbitraries.of(902, 904, 906, 908, 910, 912, 914), Arbitraries.of(ProfilingMode.class))
        .as((series, profiling) -> new Target(new GhcVersion(series, 3), profiling));
  }

  @Property(tries = 500)
  void hasTheEdgesThatTheBuilderMade(
      @ForAll("targets") Target target,
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 120) int closures) {
    BuiltHeap heap = RandomHeap.of(target, seed, closures);

    try (HeapCopy copy = HeapCopy.take(new StubHeapSource(heap), Work.UNATTENDED)) {
      HeapGraph graph = copy.graph(Work.UNATTENDED);

      assertEquals(copy.tally().totalCount(), graph.size());
      List<Link> links = new ArrayList<>();
      List<Link> backwards = new ArrayList<>();
      long bytes = 0;
      for (int id = 0; id < graph.size(); id++) {
        long addr = graph.address(id);
        BuiltClosure built = heap.built(addr);
        assertEquals(id, graph.id(addr));
        assertEquals(id, graph.id(addr | 5));
        assertEquals(built.sizeBytes(), graph.sizeBytes(id));
        assertEquals(built.code().infoAddr(), graph.infoOf(id).address().address());
        assertEquals(heap.block(addr) == null, graph.isOutsideBlocks(id));
        bytes += graph.sizeBytes(id);
        for (int edge = graph.firstSuccessor(id); edge < graph.firstSuccessor(id + 1); edge++) {
          links.add(new Link(addr, graph.address(graph.successor(edge)), graph.isEphemeron(edge)));
        }
        for (int edge = graph.firstPredecessor(id); edge < graph.firstPredecessor(id + 1); edge++) {
          backwards.add(
              new Link(graph.address(graph.predecessor(edge)), addr, graph.isFromEphemeron(edge)));
        }
      }
      assertEquals(copy.tally().totalBytes(), bytes);
      assertEquals(bytes, graph.totalBytes());
      assertEquals(sorted(expectedLinks(heap, graph)), sorted(links));
      assertEquals(sorted(links), sorted(backwards));
    }
  }

  @Property(tries = 300)
  void everythingIsReachedFromTheRoots(@ForAll("targets") Target target, @ForAll long seed) {
    BuiltHeap heap = RandomHeap.of(target, seed, 100);

    try (HeapCopy copy = HeapCopy.take(new StubHeapSource(heap), Work.UNATTENDED)) {
      HeapGraph graph = copy.graph(Work.UNATTENDED);

      Set<Integer> reached = new HashSet<>();
      Deque<Integer> pending = new ArrayDeque<>();
      for (HeapGraph.Root root : graph.roots()) {
        pending.add(root.closureId());
        assertTrue(graph.rootKinds(root.closureId()).contains(root.kind()));
      }
      while (!pending.isEmpty()) {
        int id = pending.remove();
        if (reached.add(id)) {
          for (int successor : graph.successorsOf(id)) {
            pending.add(successor);
          }
        }
      }
      assertEquals(graph.size(), reached.size());
    }
  }

  @Property(tries = 300)
  void rootsAreThoseOfTheHeapAndItsCafs(@ForAll("targets") Target target, @ForAll long seed) {
    BuiltHeap heap = RandomHeap.of(target, seed, 60);
    Set<String> expected = new HashSet<>();
    for (long root : heap.roots().toArray()) {
      boolean isThread = heap.built(Target.untag(root)).code().type() == ClosureType.TSO;
      expected.add(
          (isThread ? RootKind.THREAD : RootKind.STABLE_POINTER) + " " + Target.untag(root));
    }
    for (long saved : heap.savedObjects().toArray()) {
      expected.add(RootKind.SAVED + " " + saved);
    }

    try (HeapCopy copy = HeapCopy.take(new StubHeapSource(heap), Work.UNATTENDED)) {
      HeapGraph graph = copy.graph(Work.UNATTENDED);
      for (BuiltClosure closure : heap.allClosures()) {
        ClosureType type = closure.code().type();
        boolean isCaf = type == ClosureType.IND_STATIC || type == ClosureType.THUNK_STATIC;
        if (isCaf && graph.id(closure.address().address()) != HeapGraph.NONE) {
          expected.add(RootKind.CAF + " " + closure.address().address());
        }
      }

      Set<String> actual = new HashSet<>();
      graph
          .roots()
          .forEach(root -> actual.add(root.kind() + " " + graph.address(root.closureId())));
      assertEquals(expected, actual);
    }
  }

  private record Link(long from, long to, boolean ephemeron) {}

  private static List<Link> sorted(List<Link> links) {
    return links.stream()
        .sorted(
            Comparator.comparingLong(Link::from)
                .thenComparingLong(Link::to)
                .thenComparing(Link::ephemeron))
        .toList();
  }

  /** From what the builder knows of each closure, and of weak pointers whose key is alive. */
  private static List<Link> expectedLinks(BuiltHeap heap, HeapGraph graph) {
    Map<Long, BuiltClosure> reached = new TreeMap<>();
    for (int id = 0; id < graph.size(); id++) {
      BuiltClosure closure = heap.built(graph.address(id));
      reached.put(closure.address().address(), closure);
    }
    List<Link> links = new ArrayList<>();
    for (BuiltClosure closure : reached.values()) {
      long from = closure.address().address();
      for (Edge edge : closure.edges()) {
        if (edge.kind().isRetaining()) {
          links.add(new Link(from, edge.target().address(), false));
        }
      }
      BlockGroup group = heap.block(from);
      if (group != null && (group.flags() & BlockGroup.COMPACT) != 0) {
        links.add(new Link(from, group.contents().getLong(Long.BYTES), false));
      }
      if (closure.code().type() == ClosureType.WEAK) {
        long key = target(closure, EdgeKind.WEAK_KEY);
        if (reached.containsKey(key) || heap.block(key) == null) {
          long holder = heap.block(key) == null ? from : key;
          links.add(new Link(holder, target(closure, EdgeKind.WEAK_VALUE), true));
          links.add(new Link(holder, target(closure, EdgeKind.WEAK_FINALIZER), true));
        }
      }
    }
    return links;
  }

  private static long target(BuiltClosure closure, EdgeKind kind) {
    return closure.edges().stream()
        .filter(edge -> edge.kind() == kind)
        .mapToLong(edge -> edge.target().address())
        .findFirst()
        .orElseThrow();
  }
}
