package org.ghcdebug.client.index;

import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.ghcdebug.protocol.closure.InfoTable;

/**
 * How many closures and bytes are reachable from the roots, per info table.
 *
 * <p>Reachable means: from threads, stable pointers and saved objects, along every pointer and
 * static reference table; a weak pointer keeps its value and finalizer only while its key is
 * reached otherwise. Static closures that are reached are counted too. Sizes are the RTS's own
 * closure sizes ({@code closure_sizeW}). Immutable.
 */
public final class HeapTally {
  /** At most so many addresses are kept per info table. */
  public static final int MAX_SAMPLES = 4;

  /**
   * The closures of one info table.
   *
   * @param info what they are
   * @param count how many there are
   * @param bytes their sizes added up
   * @param maxBytes the largest one's size
   * @param samples addresses of some of them, at most {@link #MAX_SAMPLES}
   */
  public record Entry(InfoTable info, long count, long bytes, long maxBytes, List<Long> samples) {
    public Entry {
      samples = List.copyOf(samples);
    }
  }

  /**
   * What could not be read; all zero in a complete tally.
   *
   * @param closuresWithoutInfo closures whose info table is not known: not counted, not followed
   * @param unreadableClosures addresses that something points to where no closure could be read
   * @param incompleteClosures closures that were counted, but some of whose pointers could not be
   *     followed
   */
  public record Missing(
      long closuresWithoutInfo, long unreadableClosures, long incompleteClosures) {
    public boolean isNone() {
      return closuresWithoutInfo == 0 && unreadableClosures == 0 && incompleteClosures == 0;
    }
  }

  private final List<Entry> entries;
  private final Missing missing;
  private final long totalCount;
  private final long totalBytes;

  HeapTally(List<Entry> entries, Missing missing) {
    this.entries = List.copyOf(entries);
    this.missing = missing;
    this.totalCount = entries.stream().mapToLong(Entry::count).sum();
    this.totalBytes = entries.stream().mapToLong(Entry::bytes).sum();
  }

  /** The part with info tables that are wanted; what is missing of the whole, is of the part. */
  public HeapTally where(Predicate<InfoTable> wanted) {
    return new HeapTally(
        entries.stream().filter(entry -> wanted.test(entry.info())).toList(), missing);
  }

  /** The part that is wanted; empty when the selection does not decide by info table alone. */
  public Optional<HeapTally> findPart(ClosureSelection selection) {
    boolean decided =
        entries.stream()
            .map(entry -> selection.of(entry.info()))
            .allMatch(test -> test == ClosureTest.ALWAYS || test == ClosureTest.NEVER);
    return decided
        ? Optional.of(where(info -> selection.of(info) == ClosureTest.ALWAYS))
        : Optional.empty();
  }

  /** One entry per info table that was met, in no particular order. */
  public List<Entry> entries() {
    return entries;
  }

  /** What is missing from the figures. */
  public Missing missing() {
    return missing;
  }

  /** Closures counted. */
  public long totalCount() {
    return totalCount;
  }

  /** Bytes of all closures counted. */
  public long totalBytes() {
    return totalBytes;
  }
}
