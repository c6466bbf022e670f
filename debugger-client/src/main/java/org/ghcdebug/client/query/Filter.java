package org.ghcdebug.client.query;

import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.ghcdebug.client.heap.Heap;
import org.ghcdebug.client.index.ClosureSelection;
import org.ghcdebug.protocol.target.ProfilingMode;

/** Which closures are wanted, as a user says it; see the package's description. Immutable. */
public final class Filter {
  private final String text;
  private final Condition condition;

  private Filter(String text, Condition condition) {
    this.text = text;
    this.condition = condition;
  }

  /**
   * Reads a filter.
   *
   * @throws FilterException saying what was found, what was expected, and where
   */
  public static Filter parse(String text) {
    return new Filter(text, new FilterParser(text).parse());
  }

  /** The fields that it compares. */
  public Set<Field> fields() {
    return condition
        .comparisons()
        .map(Condition.Comparison::field)
        .collect(Collectors.toCollection(() -> EnumSet.noneOf(Field.class)));
  }

  /**
   * The filter, bound to a heap. It asks the heap for names, so they should be {@linkplain
   * Heap#prefetchNames prefetched}; and for closures where {@link Field#TEXT} is compared. Good as
   * long as the heap is; not thread-safe.
   *
   * @param facts what is known besides
   * @throws FilterException when it compares what is not known
   */
  public ClosureSelection on(Heap heap, ClosureFacts facts) {
    condition.comparisons().forEach(comparison -> requireKnown(comparison, heap, facts));
    return new BoundFilter(condition, heap, facts);
  }

  private static void requireKnown(Condition.Comparison comparison, Heap heap, ClosureFacts facts) {
    Field field = comparison.field();
    ProfilingMode profiling = heap.target().profiling();
    switch (field) {
      case TYPE, CONSTRUCTOR, NAME, MODULE, PACKAGE, SOURCE, SIZE, ADDRESS, INFO, TEXT -> {}
      case ERA -> {
        if (profiling != ProfilingMode.ERA) {
          throw FilterException.unanswerable(
              "era: only a profiled program that runs with +RTS -he notes it (GHC 9.10 and newer)");
        }
      }
      case CCS -> {
        if (profiling == ProfilingMode.VANILLA) {
          throw FilterException.unanswerable(
              "ccs: the program is not profiled, so its closures do not tell; build it with -prof");
        }
      }
      case RETAINED, ROOT, GENERATION -> {
        if (!facts.knows(field)) {
          throw FilterException.unanswerable(
              field == Field.GENERATION
                  ? "generation: the debuggee does not tell in which generation its blocks are"
                  : "%s is not available here".formatted(field));
        }
      }
    }
  }

  /** The text that it was read from. */
  @Override
  public String toString() {
    return text;
  }
}
