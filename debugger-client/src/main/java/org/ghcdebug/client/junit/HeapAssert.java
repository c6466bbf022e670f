package org.ghcdebug.client.junit;

import java.util.function.LongPredicate;
import org.ghcdebug.client.index.HeapTally;
import org.opentest4j.AssertionFailedError;

/**
 * Assertions over one heap; each throws an {@link AssertionFailedError} that says what was found,
 * or returns this. Immutable.
 *
 * <p>A heap of which something could not be read passes no upper bound, for what is missing may be
 * what was looked for; see {@link #acceptingGaps}.
 */
public final class HeapAssert {
  private final ProgramHeap heap;
  private final boolean acceptsGaps;

  HeapAssert(ProgramHeap heap, boolean acceptsGaps) {
    this.heap = heap;
    this.acceptsGaps = acceptsGaps;
  }

  /** Goes by what could be read, be it all or not: for recorded heaps that are incomplete. */
  public HeapAssert acceptingGaps() {
    return new HeapAssert(heap, true);
  }

  /** There are no closures with that name. */
  public HeapAssert hasNone(String name) {
    return check("no closures named " + name, name, count -> count == 0, true);
  }

  /** There are no more closures with that name. */
  public HeapAssert hasAtMost(long limit, String name) {
    return check(
        "at most %s named %s".formatted(Tables.closures(limit), name),
        name,
        count -> count <= limit,
        true);
  }

  /**
   * There are no fewer closures with that name. Beside an upper bound it makes sure that the name
   * is one which the program has.
   */
  public HeapAssert hasAtLeast(long limit, String name) {
    return check(
        "at least %s named %s".formatted(Tables.closures(limit), name),
        name,
        count -> count >= limit,
        false);
  }

  /** There are so many closures with that name. */
  public HeapAssert hasExactly(long number, String name) {
    return check(
        "exactly %s named %s".formatted(Tables.closures(number), name),
        name,
        count -> count == number,
        true);
  }

  private HeapAssert check(String expected, String name, LongPredicate test, boolean isBound) {
    HeapTally found = heap.named(name);
    return check(expected, found, test.test(found.totalCount()), isBound);
  }

  /** The closures with that name take no more bytes; what they refer to is not counted. */
  public HeapAssert hasAtMostBytes(long limit, String name) {
    HeapTally found = heap.named(name);
    return check(
        "at most %s bytes of closures named %s".formatted(Tables.number(limit), name),
        found,
        found.totalBytes() <= limit,
        true);
  }

  private HeapAssert check(String expected, HeapTally found, boolean holds, boolean isBound) {
    if (!holds) {
      throw new AssertionFailedError(
          "Expected %s in %s,%n but found %s%s"
              .formatted(expected, heap, Tables.found(heap.rows(found)), Tables.gaps(heap)));
    }
    if (isBound && !acceptsGaps && !heap.missing().isNone()) {
      throw Tables.unsure(expected, heap);
    }
    return this;
  }

  /** Compares with an earlier heap of the same program. */
  public GrowthAssert since(ProgramHeap before) {
    return new GrowthAssert(before, heap, acceptsGaps);
  }
}
