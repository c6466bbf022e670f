package org.ghcdebug.client.eventlog;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.ghcdebug.protocol.eventlog.EventCursor;
import org.ghcdebug.protocol.eventlog.EventVisitor;
import org.ghcdebug.protocol.eventlog.LogHeader;

/**
 * Heap figures over time, from events in time order.
 *
 * <p>Size, blocks, live bytes and megablocks describe the whole heap, whichever capability reports
 * them. Allocation is cumulative for each capability: the total is the sum of the latest values,
 * and what a capability had allocated before its first value here is a base, not a difference.
 */
public final class HeapAnalysis implements EventVisitor {

  /**
   * Values at a time; empty where none was seen yet.
   *
   * @param allocatedBytes all capabilities together since the program started
   */
  public record Figures(
      long timestampNanos,
      OptionalLong sizeBytes,
      OptionalLong blocksBytes,
      OptionalLong liveBytes,
      OptionalLong mblocksCurrent,
      OptionalLong mblocksNeeded,
      OptionalLong mblocksReturned,
      long allocatedBytes) {}

  /**
   * @param peakSizeBytes largest heap size seen
   * @param peakLiveBytes largest live size seen
   * @param allocatedByCapability latest cumulative value of each
   * @param allocatedInLogBytes what was allocated between the first and the last value of each
   *     capability
   * @param series one entry for each collection that reported a heap size
   */
  public record Result(
      Figures last,
      long peakSizeBytes,
      long peakLiveBytes,
      Map<Integer, Long> allocatedByCapability,
      long allocatedInLogBytes,
      List<Figures> series) {
    public Result {
      allocatedByCapability = Map.copyOf(allocatedByCapability);
      series = List.copyOf(series);
    }
  }

  private final boolean keepSeries;
  private final List<Figures> series = new ArrayList<>();
  private final Map<Integer, Long> allocated = new TreeMap<>();
  private final Map<Integer, Long> allocatedFirst = new LinkedHashMap<>();
  private OptionalLong size = OptionalLong.empty();
  private OptionalLong blocks = OptionalLong.empty();
  private OptionalLong live = OptionalLong.empty();
  private OptionalLong current = OptionalLong.empty();
  private OptionalLong needed = OptionalLong.empty();
  private OptionalLong returned = OptionalLong.empty();
  private long peakSize;
  private long peakLive;
  private long latest;

  /** Keeps a series: some 200 bytes for each collection. */
  public HeapAnalysis() {
    this(true);
  }

  /**
   * @param keepSeries false for live use, where only the last values are wanted
   */
  public HeapAnalysis(boolean keepSeries) {
    this.keepSeries = keepSeries;
  }

  @Override
  public void header(LogHeader header) {
    allocated.clear();
    allocatedFirst.clear();
  }

  @Override
  public void event(EventCursor event) {
    latest = event.timestampNanos();
    switch (event.knownId()) {
      case 49 -> {
        long bytes = event.u64(4);
        allocated.put(event.capability(), bytes);
        allocatedFirst.putIfAbsent(event.capability(), bytes);
      }
      case 50 -> {
        size = OptionalLong.of(event.u64(4));
        peakSize = Math.max(peakSize, event.u64(4));
        if (keepSeries) {
          series.add(figures());
        }
      }
      case 51 -> {
        live = OptionalLong.of(event.u64(4));
        peakLive = Math.max(peakLive, event.u64(4));
      }
      case 90 -> {
        current = OptionalLong.of(event.u32(4));
        needed = OptionalLong.of(event.u32(8));
        returned = OptionalLong.of(event.u32(12));
      }
      case 91 -> blocks = OptionalLong.of(event.u64(4));
      default -> {}
    }
  }

  /** The values now. */
  public Figures figures() {
    return new Figures(
        latest,
        size,
        blocks,
        live,
        current,
        needed,
        returned,
        allocated.values().stream().mapToLong(Long::longValue).sum());
  }

  /** Bytes that capabilities have allocated since their first value in this log. */
  public long allocatedSinceFirst() {
    long bytes = 0;
    for (Map.Entry<Integer, Long> entry : allocated.entrySet()) {
      bytes += entry.getValue() - allocatedFirst.getOrDefault(entry.getKey(), 0L);
    }
    return bytes;
  }

  /** What was found so far. */
  public Result result() {
    return new Result(figures(), peakSize, peakLive, allocated, allocatedSinceFirst(), series);
  }
}
