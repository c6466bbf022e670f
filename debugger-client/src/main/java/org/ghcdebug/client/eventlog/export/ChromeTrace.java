package org.ghcdebug.client.eventlog.export;

import java.util.Locale;
import java.util.TreeSet;
import org.ghcdebug.client.eventlog.SchedulerAnalysis;
import org.ghcdebug.protocol.eventlog.EventCursor;
import org.ghcdebug.protocol.eventlog.EventVisitor;
import org.ghcdebug.protocol.eventlog.LogHeader;
import org.ghcdebug.protocol.eventlog.StopStatus;
import org.jspecify.annotations.Nullable;

/**
 * A trace in the JSON format of Chrome's trace viewer, which Perfetto reads too, from events in
 * time order: a track for each capability with the threads that ran on it and its collections, a
 * track for each thread with what it waited for, counters of the heap, and instants for messages
 * and markers.
 *
 * <p>Source: the Trace Event Format. Times are microseconds since the program started. The document
 * is complete after {@link #finish}.
 */
public final class ChromeTrace implements EventVisitor {
  private static final int CAPABILITIES = 1;
  private static final int THREADS = 2;

  private final Json json;
  private final SchedulerAnalysis scheduler = new SchedulerAnalysis(new Spans());
  private final TreeSet<Integer> capabilities = new TreeSet<>();
  private boolean first = true;

  /** Writes the beginning of the document. */
  public ChromeTrace(Appendable out) {
    json = new Json(out).raw("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n");
    name("process_name", CAPABILITIES, 0, "capabilities");
    name("process_name", THREADS, 0, "threads");
  }

  private void name(String kind, int process, long track, String name) {
    next();
    json.raw("{\"ph\":\"M\",\"ts\":0,\"name\":").string(kind);
    track(process, track);
    json.raw(",\"args\":{\"name\":").string(name).raw("}}");
  }

  private void next() {
    json.raw(first ? "" : ",\n");
    first = false;
  }

  private void track(int process, long track) {
    json.raw(",\"pid\":" + process + ",\"tid\":" + track);
  }

  private static String micros(long nanos) {
    return String.format(Locale.ROOT, "%d.%03d", nanos / 1000, nanos % 1000);
  }

  private void span(
      int process, long track, String name, String category, long startNanos, long endNanos) {
    next();
    json.raw("{\"ph\":\"X\",\"name\":").string(name).raw(",\"cat\":").string(category);
    track(process, track);
    json.raw(",\"ts\":" + micros(startNanos) + ",\"dur\":" + micros(endNanos - startNanos) + "}");
  }

  private final class Spans implements SchedulerAnalysis.SpanListener {
    @Override
    public void thread(
        long threadId,
        SchedulerAnalysis.Activity activity,
        int capability,
        @Nullable StopStatus status,
        long startNanos,
        long endNanos) {
      switch (activity) {
        case RUNNING -> {
          span(CAPABILITIES, capability, "thread " + threadId, "mutator", startNanos, endNanos);
          span(THREADS, threadId, "running", "thread", startNanos, endNanos);
        }
        case QUEUED -> span(THREADS, threadId, "queued", "thread", startNanos, endNanos);
        case FOREIGN -> span(THREADS, threadId, "foreign call", "thread", startNanos, endNanos);
        case BLOCKED ->
            span(
                THREADS,
                threadId,
                "blocked: " + (status == null ? "unknown" : status.label()),
                "thread",
                startNanos,
                endNanos);
      }
    }

    @Override
    public void collection(int capability, long startNanos, long endNanos) {
      span(CAPABILITIES, capability, "GC", "gc", startNanos, endNanos);
    }
  }

  @Override
  public void header(LogHeader header) {
    scheduler.header(header);
  }

  @Override
  public void event(EventCursor event) {
    scheduler.event(event);
    long time = event.timestampNanos();
    switch (event.knownId()) {
      case 18 -> {
        if (event.capability() >= 0 && capabilities.add(event.capability())) {
          name("thread_name", CAPABILITIES, event.capability(), "capability " + event.capability());
        }
      }
      case 19 -> instant(event, "t", event.text(0));
      case 58 -> instant(event, "g", event.text(0));
      case 44 -> name("thread_name", THREADS, event.u32(0), event.u32(0) + " " + event.text(4));
      case 50 -> counter(time, "heap size", event.u64(4));
      case 51 -> counter(time, "live bytes", event.u64(4));
      case 91 -> counter(time, "blocks size", event.u64(4));
      default -> {}
    }
  }

  private void instant(EventCursor event, String scope, String text) {
    next();
    json.raw("{\"ph\":\"i\",\"s\":").string(scope).raw(",\"name\":").string(text);
    track(CAPABILITIES, Math.max(0, event.capability()));
    json.raw(",\"ts\":" + micros(event.timestampNanos()) + "}");
  }

  private void counter(long time, String name, long bytes) {
    next();
    json.raw("{\"ph\":\"C\",\"name\":").string(name);
    track(CAPABILITIES, 0);
    json.raw(",\"ts\":" + micros(time) + ",\"args\":{\"bytes\":")
        .raw(Long.toUnsignedString(bytes))
        .raw("}}");
  }

  /** Writes the end of the document. */
  public void finish() {
    json.raw("\n]}\n");
  }
}
