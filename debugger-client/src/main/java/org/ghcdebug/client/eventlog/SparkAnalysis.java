package org.ghcdebug.client.eventlog;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.ghcdebug.protocol.eventlog.EventCursor;
import org.ghcdebug.protocol.eventlog.EventVisitor;
import org.ghcdebug.protocol.eventlog.LogHeader;

/**
 * Sparks by capability. The counters are cumulative, so the last ones count; where a log has the
 * full spark events, those are counted too.
 */
public final class SparkAnalysis implements EventVisitor {

  /** The counters of one capability since the program started. */
  public record Counters(
      int capability,
      long created,
      long dud,
      long overflowed,
      long converted,
      long gcd,
      long fizzled,
      long remaining) {}

  /**
   * @param runEvents SPARK_RUN events
   * @param stealEvents SPARK_STEAL events
   */
  public record Result(List<Counters> capabilities, long runEvents, long stealEvents) {
    public Result {
      capabilities = List.copyOf(capabilities);
    }

    public long created() {
      return capabilities.stream().mapToLong(Counters::created).sum();
    }

    public long converted() {
      return capabilities.stream().mapToLong(Counters::converted).sum();
    }
  }

  private final Map<Integer, Counters> counters = new TreeMap<>();
  private long runs;
  private long steals;

  @Override
  public void header(LogHeader header) {
    counters.clear();
  }

  @Override
  public void event(EventCursor event) {
    switch (event.knownId()) {
      case 34 ->
          counters.put(
              event.capability(),
              new Counters(
                  event.capability(),
                  event.u64(0),
                  event.u64(8),
                  event.u64(16),
                  event.u64(24),
                  event.u64(32),
                  event.u64(40),
                  event.u64(48)));
      case 38 -> runs++;
      case 39 -> steals++;
      default -> {}
    }
  }

  /** What was found so far. */
  public Result result() {
    return new Result(new ArrayList<>(counters.values()), runs, steals);
  }
}
