package org.ghcdebug.client.eventlog;

import java.util.ArrayList;
import java.util.List;
import org.ghcdebug.protocol.eventlog.Damage;
import org.ghcdebug.protocol.eventlog.EventCursor;
import org.ghcdebug.protocol.eventlog.EventType;
import org.ghcdebug.protocol.eventlog.EventVisitor;
import org.ghcdebug.protocol.eventlog.LogEnd;
import org.ghcdebug.protocol.eventlog.LogHeader;

/** Counts the events of each kind, in any order. Constant memory. */
public final class EventStats implements EventVisitor {
  // event id -> events, and bytes of their records
  private final long[] counts = new long[0x1_0000];
  private final long[] bytes = new long[0x1_0000];
  private long earliest = Long.MAX_VALUE;
  private long latest = Long.MIN_VALUE;
  private long durationBefore;
  private long events;
  private int logs;
  private boolean ended = true;
  private boolean truncated;
  private long lostBytes;
  private final List<Damage> damages = new ArrayList<>();
  private long damageCount;

  /** Damages that are kept one by one; further ones are only counted. */
  private static final int DAMAGES_KEPT = 1000;

  /**
   * One kind of event.
   *
   * @param event ghc-events' name of it
   * @param bytes bytes of the records, head and length included
   */
  public record Row(String event, int id, long count, long bytes) {}

  /**
   * @param rows by id
   * @param events all of them, block markers included
   * @param durationNanos from the first to the last event, summed over the logs of the stream
   * @param logs how many logs the stream had
   * @param truncated whether a log had no end marker
   * @param damageCount how often bytes had to be skipped
   * @param lostBytes how many bytes were skipped
   * @param damages the first thousand damages
   */
  public record Result(
      List<Row> rows,
      long events,
      long bytes,
      long durationNanos,
      int logs,
      boolean truncated,
      long damageCount,
      long lostBytes,
      List<Damage> damages) {
    public Result {
      rows = List.copyOf(rows);
      damages = List.copyOf(damages);
    }

    /** Whether everything in the stream was counted. */
    public boolean isComplete() {
      return damageCount == 0 && logs > 0;
    }
  }

  @Override
  public void header(LogHeader header) {
    closeLog();
    logs++;
    ended = false;
  }

  @Override
  public void event(EventCursor event) {
    counts[event.id()]++;
    events++;
    bytes[event.id()] += event.recordBytes();
    long time = event.timestampNanos();
    earliest = Math.min(earliest, time);
    latest = Math.max(latest, time);
  }

  @Override
  public void damage(Damage damage) {
    damageCount++;
    lostBytes += damage.lengthBytes();
    if (damages.size() < DAMAGES_KEPT) {
      damages.add(damage);
    }
  }

  @Override
  public void end(LogEnd end) {
    truncated |= !end.endMarker();
    ended = true;
  }

  private void closeLog() {
    if (latest >= earliest) {
      durationBefore += latest - earliest;
    }
    earliest = Long.MAX_VALUE;
    latest = Long.MIN_VALUE;
  }

  /** Events so far, without the cost of {@link #result}. */
  public long events() {
    return events;
  }

  /** What was counted so far. */
  public Result result() {
    List<Row> rows = new ArrayList<>();
    long total = 0;
    for (int id = 0; id < counts.length; id++) {
      if (counts[id] > 0) {
        rows.add(new Row(EventType.nameOf(id), id, counts[id], bytes[id]));
        total += bytes[id];
      }
    }
    long duration = durationBefore + (latest >= earliest ? latest - earliest : 0);
    return new Result(
        rows, events, total, duration, logs, truncated || !ended, damageCount, lostBytes, damages);
  }
}
