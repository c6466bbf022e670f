package org.ghcdebug.client.analysis.census;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.ghcdebug.client.heap.Heap;
import org.ghcdebug.client.index.HeapTally;

/** Groups what is reachable. O(info tables), and names are fetched in batches. */
public final class Census {
  private Census() {}

  /**
   * Counts by a key.
   *
   * @param heap where names come from
   * @param tally the reachable closures of that heap
   */
  public static CensusResult by(CensusKey key, Heap heap, HeapTally tally) {
    heap.prefetchNames(tally.entries().stream().map(HeapTally.Entry::info).toList());
    Map<String, CensusResult.Row> rows = new HashMap<>();
    for (HeapTally.Entry entry : tally.entries()) {
      String name =
          key.of(
              entry.info(),
              heap.findConstructorName(entry.info()).orElse(null),
              heap.findSourceInfo(entry.info()).orElse(null));
      rows.merge(
          name,
          new CensusResult.Row(
              name, entry.count(), entry.bytes(), entry.maxBytes(), entry.samples()),
          Census::add);
    }
    List<CensusResult.Row> sorted = new ArrayList<>(rows.values());
    sorted.sort(
        Comparator.comparingLong(CensusResult.Row::bytes)
            .reversed()
            .thenComparing(CensusResult.Row::key));
    return new CensusResult(sorted, tally.totalCount(), tally.totalBytes(), tally.missing());
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
