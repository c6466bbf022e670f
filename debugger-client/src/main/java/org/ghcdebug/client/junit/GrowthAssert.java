package org.ghcdebug.client.junit;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.ghcdebug.client.analysis.census.CensusKey;
import org.ghcdebug.client.analysis.census.CensusResult;
import org.opentest4j.AssertionFailedError;

/**
 * Assertions over the censuses of two heaps of one program; each throws an {@link
 * AssertionFailedError} that lists what grew by more, or returns this. Immutable.
 */
public final class GrowthAssert {
  private final ProgramHeap before;
  private final ProgramHeap after;
  private final boolean acceptsGaps;
  private final CensusKey key;

  GrowthAssert(ProgramHeap before, ProgramHeap after, boolean acceptsGaps) {
    this(before, after, acceptsGaps, CensusKey.CLOSURE);
  }

  private GrowthAssert(ProgramHeap before, ProgramHeap after, boolean acceptsGaps, CensusKey key) {
    this.before = before;
    this.after = after;
    this.acceptsGaps = acceptsGaps;
    this.key = key;
  }

  /** Groups otherwise; by {@link CensusKey#CLOSURE} unless told. */
  public GrowthAssert by(CensusKey otherKey) {
    return new GrowthAssert(before, after, acceptsGaps, otherKey);
  }

  private record Change(
      String name, long countBefore, long countAfter, long bytesBefore, long bytesAfter) {
    long count() {
      return countAfter - countBefore;
    }

    long bytes() {
      return bytesAfter - bytesBefore;
    }
  }

  /** No group has so many closures more than before. */
  public GrowthAssert grewByAtMost(long limit) {
    return check(
        "no %s to grow by more than %s".formatted(key, Tables.closures(limit)),
        Change::count,
        limit);
  }

  /** No group has so many bytes more than before. */
  public GrowthAssert grewByAtMostBytes(long limit) {
    return check(
        "no %s to grow by more than %s bytes".formatted(key, Tables.number(limit)),
        Change::bytes,
        limit);
  }

  /** No group has so many closures more, or fewer, than before. */
  public GrowthAssert differsByAtMost(long limit) {
    return check(
        "no %s to differ by more than %s".formatted(key, Tables.closures(limit)),
        change -> Math.abs(change.count()),
        limit);
  }

  /** All closures together take no more than so many bytes more than before. */
  public GrowthAssert grewInTotalByAtMostBytes(long limit) {
    String expected = "no more than %s bytes of growth in total".formatted(Tables.number(limit));
    long growth = after.census(key).bytes() - before.census(key).bytes();
    if (growth > limit) {
      String found = "there were %s; by %s:".formatted(Tables.number(growth), key);
      throw failed(expected, found, changes(Change::bytes, 0));
    }
    return checkComplete(expected);
  }

  private GrowthAssert check(String expected, ToLongFunction<Change> measure, long limit) {
    List<Change> beyond = changes(measure, limit);
    if (!beyond.isEmpty()) {
      throw failed(expected, "%d did:".formatted(beyond.size()), beyond);
    }
    return checkComplete(expected);
  }

  private GrowthAssert checkComplete(String expected) {
    if (!acceptsGaps) {
      for (ProgramHeap heap : List.of(before, after)) {
        if (!heap.missing().isNone()) {
          throw Tables.unsure(expected, heap);
        }
      }
    }
    return this;
  }

  private AssertionFailedError failed(String expected, String found, List<Change> changes) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("count", "before", "after", "bytes", key.toString()));
    changes.stream()
        .limit(Tables.MAX_ROWS)
        .map(
            change ->
                List.of(
                    signed(change.count()),
                    Tables.number(change.countBefore()),
                    Tables.number(change.countAfter()),
                    signed(change.bytes()),
                    change.name()))
        .forEach(rows::add);
    return new AssertionFailedError(
        "Expected %s in %s since the earlier heap,%n but %s%s%s"
            .formatted(
                expected,
                after,
                found,
                Tables.table(rows, 4),
                Tables.more(changes.size() - Tables.MAX_ROWS)));
  }

  private static String signed(long change) {
    return (change > 0 ? "+" : "") + Tables.number(change);
  }

  /** Those that changed by more, largest first. */
  private List<Change> changes(ToLongFunction<Change> measure, long limit) {
    Map<String, Change> changes = new LinkedHashMap<>();
    for (CensusResult.Row row : before.census(key).rows()) {
      changes.put(row.key(), new Change(row.key(), row.count(), 0, row.bytes(), 0));
    }
    for (CensusResult.Row row : after.census(key).rows()) {
      Change old = changes.getOrDefault(row.key(), new Change(row.key(), 0, 0, 0, 0));
      changes.put(
          row.key(),
          new Change(row.key(), old.countBefore(), row.count(), old.bytesBefore(), row.bytes()));
    }
    return changes.values().stream()
        .filter(change -> measure.applyAsLong(change) > limit)
        .sorted(Comparator.comparingLong(measure).reversed().thenComparing(Change::name))
        .toList();
  }
}
