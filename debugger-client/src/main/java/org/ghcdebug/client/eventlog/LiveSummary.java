package org.ghcdebug.client.eventlog;

import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.ghcdebug.protocol.eventlog.EventCursor;
import org.ghcdebug.protocol.eventlog.EventVisitor;
import org.ghcdebug.protocol.eventlog.LogHeader;

/**
 * One line of memory and GC figures for each interval, from events in time order; also for
 * intervals in which nothing happened. O(1) memory but for the threads.
 */
public final class LiveSummary implements EventVisitor {

  /**
   * The figures of the interval that ends at {@code timestampNanos}. Rates are by the program's
   * time between this line's newest event and the last line's; gauges are the last values seen.
   *
   * @param timestampNanos the program's time of the newest event
   * @param allocatedPerSecond bytes; 0 before the second value of a capability
   * @param collections number by generation
   * @param pauseNanos pauses of the collections that ended in the interval
   * @param gcShare GC time of all capabilities, as a share of their time
   * @param mutatorShare time that threads ran, as a share of all capabilities' time
   * @param lagNanos how far the newest event lies behind the reader's clock; empty before the log
   *     has told the wall-clock time
   */
  public record Line(
      long timestampNanos,
      HeapAnalysis.Figures heap,
      double allocatedPerSecond,
      double copiedPerSecond,
      Map<Integer, Long> collections,
      long pauseNanos,
      long longestPauseNanos,
      double gcShare,
      double mutatorShare,
      long threadsRunning,
      long threadsBlocked,
      long threadsTotal,
      long sparksConverted,
      long sparksCreated,
      long messages,
      OptionalLong lagNanos) {
    public Line {
      collections = Map.copyOf(collections);
    }

    /** The same line where the reader's clock says nothing, as for a finished log. */
    public Line withoutLag() {
      return new Line(
          timestampNanos,
          heap,
          allocatedPerSecond,
          copiedPerSecond,
          collections,
          pauseNanos,
          longestPauseNanos,
          gcShare,
          mutatorShare,
          threadsRunning,
          threadsBlocked,
          threadsTotal,
          sparksConverted,
          sparksCreated,
          messages,
          OptionalLong.empty());
    }

    /** Mutator time as a share of mutator and GC time; NaN where there was neither. */
    public double productivity() {
      return mutatorShare / (mutatorShare + gcShare);
    }
  }

  private final HeapAnalysis heap = new HeapAnalysis(false);
  private SchedulerAnalysis scheduler = new SchedulerAnalysis();
  private final SparkAnalysis sparks = new SparkAnalysis();
  private final LogInfo info = new LogInfo();
  private final GcAnalysis gc = new GcAnalysis(this::collection);
  private final Map<Integer, Long> collections = new TreeMap<>();
  private long pause;
  private long longest;
  private long copied;
  private long messages;
  private long newest;
  private long lastTime = -1;
  private long lastAllocated;
  private long lastMutator;
  private long lastGc;

  private void collection(long start, long end, int generation, long copiedBytes) {
    collections.merge(generation, 1L, Long::sum);
    pause += end - start;
    longest = Math.max(longest, end - start);
    copied += copiedBytes;
  }

  @Override
  public void header(LogHeader header) {
    heap.header(header);
    scheduler = new SchedulerAnalysis();
    sparks.header(header);
    info.header(header);
    gc.header(header);
    lastTime = -1;
    lastAllocated = 0;
    lastMutator = 0;
    lastGc = 0;
  }

  @Override
  public void event(EventCursor event) {
    int id = event.knownId();
    info.event(event);
    if (id == 18) {
      return;
    }
    newest = event.timestampNanos();
    if (lastTime < 0) {
      lastTime = newest;
    }
    heap.event(event);
    scheduler.event(event);
    gc.event(event);
    if (id == 34) {
      sparks.event(event);
    } else if (id == 19 || id == 58) {
      messages++;
    }
  }

  /** Says that the program's time is at least this, although no event does. */
  public void advanceTo(long timestampNanos) {
    newest = Math.max(newest, timestampNanos);
  }

  /**
   * Ends an interval.
   *
   * @param unixNanos the reader's clock
   */
  public Line line(long unixNanos) {
    SchedulerAnalysis.Moment moment = scheduler.moment(newest);
    long elapsed = lastTime < 0 ? 0 : newest - lastTime;
    long allocated = heap.allocatedSinceFirst();
    double seconds = elapsed / 1e9;
    double capabilityNanos = (double) elapsed * moment.capabilities();
    SparkAnalysis.Result spark = sparks.result();
    Line line =
        new Line(
            newest,
            heap.figures(),
            elapsed > 0 ? (allocated - lastAllocated) / seconds : 0,
            elapsed > 0 ? copied / seconds : 0,
            collections,
            pause,
            longest,
            capabilityNanos > 0 ? (moment.gcNanos() - lastGc) / capabilityNanos : 0,
            capabilityNanos > 0 ? (moment.mutatorNanos() - lastMutator) / capabilityNanos : 0,
            moment.running(),
            moment.blocked(),
            moment.alive(),
            spark.converted(),
            spark.created(),
            messages,
            info.wallClockBaseNanos().isPresent()
                ? OptionalLong.of(unixNanos - info.wallClockBaseNanos().getAsLong() - newest)
                : OptionalLong.empty());
    lastTime = lastTime < 0 ? -1 : newest;
    lastAllocated = allocated;
    lastMutator = moment.mutatorNanos();
    lastGc = moment.gcNanos();
    collections.clear();
    pause = 0;
    longest = 0;
    copied = 0;
    messages = 0;
    return line;
  }
}
