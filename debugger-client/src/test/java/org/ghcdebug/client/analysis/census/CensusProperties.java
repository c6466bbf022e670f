package org.ghcdebug.client.analysis.census;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.ghcdebug.client.index.ClosureSelection;
import org.ghcdebug.client.query.ClosureFacts;
import org.ghcdebug.client.query.Filter;
import org.ghcdebug.client.testing.NaiveHeap;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.protocol.closure.Closure;
import org.ghcdebug.protocol.closure.ClosureType;
import org.ghcdebug.protocol.closure.ConstructorName;
import org.ghcdebug.protocol.closure.Edge;
import org.ghcdebug.protocol.closure.EdgeKind;
import org.ghcdebug.protocol.closure.SourceInfo;
import org.ghcdebug.protocol.target.GhcVersion;
import org.ghcdebug.protocol.target.ProfilingMode;
import org.ghcdebug.protocol.target.Target;

class CensusProperties {
  @Provide
  Arbitrary<Target> targets() {
    return Combinators.combine(
            Arbitraries.of(904, 906, 910, 914), Arbitraries.of(ProfilingMode.class))
        .as((series, profiling) -> new Target(new GhcVersion(series, 3), profiling));
  }

  private record Total(long count, long bytes, long maxBytes) {
    Total plus(Total other) {
      return new Total(
          count + other.count, bytes + other.bytes, Math.max(maxBytes, other.maxBytes));
    }
  }

  private static Map<String, Total> totals(CensusResult census) {
    return census.rows().stream()
        .collect(
            Collectors.toMap(
                CensusResult.Row::key,
                row -> new Total(row.count(), row.bytes(), row.maxBytes()),
                (a, b) -> {
                  throw new AssertionError("a key twice");
                },
                TreeMap::new));
  }

  private static Map<String, Total> naive(NaiveHeap heap, Function<Closure, String> key) {
    Map<String, Total> totals = new TreeMap<>();
    for (Closure closure : heap.closures()) {
      long bytes = 8 * closure.sizeWords();
      totals.merge(key.apply(closure), new Total(1, bytes, bytes), Total::plus);
    }
    return totals;
  }

  @Property(tries = 500)
  void groupsAsOneByOneCountingDoes(
      @ForAll("targets") Target target,
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 100) int closures) {
    try (NaiveHeap heap = NaiveHeap.random(target, seed, closures)) {
      for (CensusKey key : CensusKey.values()) {
        if (key == CensusKey.GENERATION
            || key == CensusKey.CCS && target.profiling() == ProfilingMode.VANILLA) {
          continue;
        }
        CensusResult census =
            Census.of(key, heap.heap(), heap.copy(), ClosureSelection.ALL, Work.UNATTENDED);

        assertEquals(heap.copy().tally().totalCount(), census.count(), key::toString);
        assertEquals(heap.copy().tally().totalBytes(), census.bytes(), key::toString);
        assertEquals(
            naive(heap, closure -> naiveKey(key, heap, closure)), totals(census), key::toString);
        census.rows().forEach(row -> assertTrue(!row.samples().isEmpty()));
      }
    }
  }

  private static String naiveKey(CensusKey key, NaiveHeap heap, Closure closure) {
    String type = closure.info().type().name();
    ConstructorName name = heap.heap().findConstructorName(closure.info()).orElse(null);
    SourceInfo source = heap.heap().findSourceInfo(closure.info()).orElse(null);
    String found =
        switch (key) {
          case TYPE -> type;
          case CONSTRUCTOR -> name == null ? "" : name.qualifiedName();
          case CLOSURE ->
              (name == null ? "<" + type + ">" : name.qualifiedName())
                  + (source == null
                      ? ""
                      : (name == null ? " " + source.label() : "")
                          + " ("
                          + source.position()
                          + ")");
          case MODULE -> name != null ? name.module() : source == null ? "" : source.module();
          case PACKAGE -> name == null ? "" : name.unit();
          case SOURCE -> source == null ? "" : source.position();
          case SIZE -> Long.toString(8 * closure.sizeWords());
          case CCS ->
              heap.heap()
                  .findCostCentreStackName(closure.profiling().ccs().address())
                  .orElse("<0x%016x>".formatted(closure.profiling().ccs().address()));
          case GENERATION -> "";
        };
    return found.isEmpty() ? "<" + type + ">" : found;
  }

  @Property(tries = 300)
  void twoLevelsAreThoseOfTheClosureAndItsFields(
      @ForAll("targets") Target target,
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 100) int closures) {
    try (NaiveHeap heap = NaiveHeap.random(target, seed, closures)) {
      CensusResult census =
          TwoLevelCensus.of(
              CensusKey.CONSTRUCTOR,
              heap.heap(),
              heap.copy(),
              ClosureSelection.ALL,
              Work.UNATTENDED);

      assertEquals(heap.copy().tally().totalBytes(), census.bytes());
      Map<String, Total> expected = naive(heap, closure -> naiveShape(heap, closure));
      Map<String, Total> found = totals(census);
      assertEquals(takeCut(expected), takeCut(found));
      assertEquals(inOrder(expected), inOrder(found));
    }
  }

  /** Removes the arrays of so many kinds that not all are told, and counts them. */
  private static long takeCut(Map<String, Total> totals) {
    long count =
        totals.entrySet().stream()
            .filter(entry -> entry.getKey().endsWith("…}"))
            .mapToLong(entry -> entry.getValue().count())
            .sum();
    totals.keySet().removeIf(key -> key.endsWith("…}"));
    return count;
  }

  /** The kinds of arrays in the order of their names. */
  private static Map<String, Total> inOrder(Map<String, Total> totals) {
    Map<String, Total> ordered = new TreeMap<>();
    totals.forEach(
        (key, total) -> {
          int brace = key.indexOf('{');
          String[] kinds = key.substring(brace + 1, key.length() - 1).split(", ");
          Arrays.sort(kinds);
          ordered.put(brace < 0 ? key : key.substring(0, brace) + Arrays.toString(kinds), total);
        });
    return ordered;
  }

  private static String naiveShape(NaiveHeap heap, Closure closure) {
    String name = naiveKey(CensusKey.CONSTRUCTOR, heap, closure);
    boolean isArray = closure.info().type().name().contains("MUT_ARR_PTRS");
    var fields =
        closure.edges().stream()
            .filter(edge -> isField(closure, edge))
            .map(edge -> fieldName(heap, edge))
            .toList();
    if (isArray) {
      var kinds = fields.stream().distinct().sorted().toList();
      return name
          + "{"
          + String.join(", ", kinds.stream().limit(12).toList())
          + (kinds.size() > 12 ? ", …}" : "}");
    }
    return fields.isEmpty() ? name : name + "[" + String.join(", ", fields) + "]";
  }

  private static boolean isField(Closure closure, Edge edge) {
    ClosureType type = closure.info().type();
    boolean standsAlone =
        switch (type) {
          case PAP, AP, AP_STACK, BCO, WEAK, TSO, STACK, TREC_CHUNK, CONTINUATION -> true;
          default -> false;
        };
    return !standsAlone && edge.kind() != EdgeKind.SRT && edge.kind() != EdgeKind.COMPACT_REGION;
  }

  private static String fieldName(NaiveHeap heap, Edge edge) {
    Closure target = heap.heap().closure(edge.pointer());
    return naiveKey(CensusKey.CONSTRUCTOR, heap, target);
  }

  @Property(tries = 200)
  void partsOfACensusAddUp(@ForAll("targets") Target target, @ForAll long seed) {
    try (NaiveHeap heap = NaiveHeap.random(target, seed, 80)) {
      var small = Filter.parse("size < 64").on(heap.heap(), ClosureFacts.NONE);
      var large = Filter.parse("not size < 64").on(heap.heap(), ClosureFacts.NONE);
      for (CensusKey key : new CensusKey[] {CensusKey.TYPE, CensusKey.SIZE}) {
        Map<String, Total> sum =
            totals(Census.of(key, heap.heap(), heap.copy(), small, Work.UNATTENDED));
        totals(Census.of(key, heap.heap(), heap.copy(), large, Work.UNATTENDED))
            .forEach((name, total) -> sum.merge(name, total, Total::plus));

        assertEquals(
            totals(Census.of(key, heap.heap(), heap.copy(), ClosureSelection.ALL, Work.UNATTENDED)),
            sum);
      }
    }
  }
}
