package org.ghcdebug.client.analysis.census;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.ghcdebug.client.collections.LongIntMap;
import org.ghcdebug.client.heap.Heap;
import org.ghcdebug.client.index.ClosureCursor;
import org.ghcdebug.client.index.ClosureSelection;
import org.ghcdebug.client.index.HeapCopy;
import org.ghcdebug.client.index.HeapTally;
import org.ghcdebug.client.source.BlockGroup;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.protocol.target.ProfilingMode;
import org.ghcdebug.protocol.target.Target;

/** Groups what is reachable; names are fetched in batches. */
public final class Census {
  /** RTS StgProfHeader: the word behind the info pointer of a profiled program's closures. */
  private static final int CCS_WORD = 1;

  private Census() {}

  /**
   * Counts the closures wanted by any key. O(info tables) where key and selection are told by info
   * tables, else O(closures), with nothing allocated per closure.
   *
   * @throws IllegalArgumentException when the heap does not tell the key; see {@link #requireTold}
   */
  public static CensusResult of(
      CensusKey key, Heap heap, HeapCopy copy, ClosureSelection selection, Work work) {
    requireTold(key, copy);
    return switch (key) {
      case SIZE ->
          scan(
              closure -> closure.sizeWords() * Target.WORD_BYTES,
              Long::toString,
              copy,
              selection,
              work);
      case GENERATION ->
          scan(
              closure -> copy.image().generation(closure.address()),
              generation ->
                  generation == BlockGroup.UNKNOWN_GENERATION
                      ? "<none>"
                      : Long.toString(generation),
              copy,
              selection,
              work);
      case CCS ->
          scan(
              closure -> closure.word(CCS_WORD),
              ccsAddr ->
                  heap.findCostCentreStackName(ccsAddr)
                      .orElseGet(() -> "<0x%016x>".formatted(ccsAddr)),
              copy,
              selection,
              work);
      default -> by(key, heap, copy.tally(selection, work));
    };
  }

  /**
   * @throws IllegalArgumentException saying why, when the heap does not tell the key
   */
  private static void requireTold(CensusKey key, HeapCopy copy) {
    if (key == CensusKey.GENERATION && !copy.image().tellsGenerations()) {
      throw new IllegalArgumentException(
          "the debuggee does not tell in which generation its blocks are; a newer ghc-debuggee"
              + " does");
    }
    if (key == CensusKey.CCS && copy.target().profiling() == ProfilingMode.VANILLA) {
      throw new IllegalArgumentException(
          "the program is not profiled, so its closures do not tell who allocated them; build it"
              + " with -prof");
    }
  }

  private static CensusResult scan(
      ToLongFunction<ClosureCursor> keyOf,
      LongFunction<String> name,
      HeapCopy copy,
      ClosureSelection selection,
      Work work) {
    LongIntMap numbers = new LongIntMap(); // key + 2, as keys are -1 or more -> number
    List<Long> keys = new ArrayList<>(); // number -> key
    KeyedCounts counts = new KeyedCounts();
    copy.each(
        selection,
        closure -> {
          long key = keyOf.applyAsLong(closure);
          int number = numbers.get(key + 2);
          if (number == LongIntMap.MISSING) {
            number = keys.size();
            numbers.put(key + 2, number);
            keys.add(key);
          }
          counts.count(number, closure);
          return true;
        },
        work);
    Map<String, CensusResult.Row> rows = new HashMap<>();
    for (int number = 0; number < keys.size(); number++) {
      CensusResult.Row row = counts.row(number, name.apply(keys.get(number)));
      rows.merge(row.key(), row, Census::add);
    }
    return result(rows, copy.tally().missing());
  }

  /**
   * Counts by a key that info tables tell. O(info tables).
   *
   * @param heap where names come from
   * @param tally the reachable closures of that heap
   * @throws IllegalArgumentException when info tables do not tell the key
   */
  public static CensusResult by(CensusKey key, Heap heap, HeapTally tally) {
    heap.prefetchNames(tally.entries().stream().map(HeapTally.Entry::info).toList());
    Map<String, CensusResult.Row> rows = new HashMap<>();
    for (HeapTally.Entry entry : tally.entries()) {
      String name = key.of(entry.info(), heap);
      rows.merge(
          name,
          new CensusResult.Row(
              name, entry.count(), entry.bytes(), entry.maxBytes(), entry.samples()),
          Census::add);
    }
    return result(rows, tally.missing());
  }

  private static CensusResult result(
      Map<String, CensusResult.Row> rows, HeapTally.Missing missing) {
    List<CensusResult.Row> sorted = new ArrayList<>(rows.values());
    sorted.sort(
        Comparator.comparingLong(CensusResult.Row::bytes)
            .reversed()
            .thenComparing(CensusResult.Row::key));
    return new CensusResult(
        sorted,
        sorted.stream().mapToLong(CensusResult.Row::count).sum(),
        sorted.stream().mapToLong(CensusResult.Row::bytes).sum(),
        missing);
  }

  private static CensusResult.Row add(CensusResult.Row a, CensusResult.Row b) {
    return new CensusResult.Row(
        a.key(),
        a.count() + b.count(),
        a.bytes() + b.bytes(),
        Math.max(a.maxBytes(), b.maxBytes()),
        Stream.concat(a.samples().stream(), b.samples().stream())
            .limit(HeapTally.MAX_SAMPLES)
            .toList());
  }
}
