package org.ghcdebug.client.eventlog;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.ghcdebug.protocol.eventlog.EventCursor;
import org.ghcdebug.protocol.eventlog.EventVisitor;
import org.ghcdebug.protocol.eventlog.LogHeader;

/**
 * Collections and their pauses, from events in time order.
 *
 * <p>One collection reaches from the first GC_START to the last GC_END of capabilities whose
 * collections overlap; its generation is that of its GC_STATS_GHC. A GC_START whose end never
 * comes, and an end without a start, as at the edges of a log, count nowhere. Memory: 8 bytes for
 * each collection.
 */
public final class GcAnalysis implements EventVisitor {

  /** Receives each collection when it is over. */
  @FunctionalInterface
  public interface CollectionListener {
    /**
     * @param generation of GC_STATS_GHC, or -1 where the log has none
     */
    void collection(long startNanos, long endNanos, int generation, long copiedBytes);
  }

  /**
   * Collections of one generation.
   *
   * @param generation 0 is minor; -1 where the log does not say
   */
  public record Generation(
      int generation,
      long collections,
      long copiedBytes,
      long pauseNanos,
      long medianPauseNanos,
      long p90PauseNanos,
      long p99PauseNanos,
      long longestPauseNanos) {}

  /**
   * @param generations by number
   * @param unfinished collections whose end, or whose beginning, is not in the log
   */
  public record Result(List<Generation> generations, long unfinished) {
    public Result {
      generations = List.copyOf(generations);
    }

    public long collections() {
      return generations.stream().mapToLong(Generation::collections).sum();
    }

    public long pauseNanos() {
      return generations.stream().mapToLong(Generation::pauseNanos).sum();
    }
  }

  private static final class Tally {
    private long collections;
    private long copiedBytes;
    private long pauseNanos;
    private final Quantiles pauses = new Quantiles();
  }

  private final CollectionListener listener;
  private final Map<Integer, Tally> tallies = new TreeMap<>();
  // capability -> when its open collection began
  private final Map<Integer, Long> open = new HashMap<>();
  private long start;
  private long end;
  private boolean begun;
  private boolean hasStats;
  private int generation;
  private long copied;
  private long unfinished;

  public GcAnalysis() {
    this((_, _, _, _) -> {});
  }

  public GcAnalysis(CollectionListener listener) {
    this.listener = listener;
  }

  @Override
  public void header(LogHeader header) {
    finish();
    unfinished += open.size();
    open.clear();
    begun = false;
  }

  @Override
  public void event(EventCursor event) {
    switch (event.knownId()) {
      case 9 -> {
        if (open.isEmpty()) {
          finish();
          begun = true;
          start = event.timestampNanos();
          end = start;
        }
        open.putIfAbsent(event.capability(), event.timestampNanos());
      }
      case 10 -> {
        if (open.remove(event.capability()) == null) {
          unfinished++;
        } else {
          end = Math.max(end, event.timestampNanos());
          finishWithStats();
        }
      }
      case 53 -> {
        // Its time is some microseconds after that of the GC_END that is written behind it.
        generation = event.u16(4);
        copied = event.u64(6);
        hasStats = true;
        finishWithStats();
      }
      default -> {}
    }
  }

  private void finishWithStats() {
    if (hasStats && open.isEmpty()) {
      finish();
    }
  }

  private void finish() {
    if (begun && open.isEmpty()) {
      int number = hasStats ? generation : -1;
      Tally tally = tallies.computeIfAbsent(number, _ -> new Tally());
      tally.collections++;
      tally.copiedBytes += copied;
      tally.pauseNanos += end - start;
      tally.pauses.add(end - start);
      listener.collection(start, end, number, copied);
      begun = false;
    }
    if (open.isEmpty()) {
      copied = 0;
      hasStats = false;
    }
  }

  /** What was found so far; the collection going on is not in it. */
  public Result result() {
    finish();
    List<Generation> generations = new ArrayList<>();
    tallies.forEach(
        (number, tally) ->
            generations.add(
                new Generation(
                    number,
                    tally.collections,
                    tally.copiedBytes,
                    tally.pauseNanos,
                    tally.pauses.at(0.5),
                    tally.pauses.at(0.9),
                    tally.pauses.at(0.99),
                    tally.pauses.at(1))));
    return new Result(generations, unfinished + open.size());
  }
}
