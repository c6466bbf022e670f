package org.ghcdebug.client.eventlog;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.ghcdebug.protocol.eventlog.EventCursor;
import org.ghcdebug.protocol.eventlog.EventVisitor;
import org.ghcdebug.protocol.eventlog.LogHeader;
import org.ghcdebug.protocol.eventlog.StopStatus;
import org.ghcdebug.protocol.eventlog.TimedEvent;
import org.jspecify.annotations.Nullable;

/**
 * What threads and capabilities did when, from events in time order.
 *
 * <p>A thread is running between RUN and STOP, on the capability of the RUN; after a STOP it is
 * queued (it can go on), in a foreign call, or blocked for a reason; THREAD_WAKEUP makes a blocked
 * thread queued. A second RUN is ignored, a second STOP opens a span with the new reason, and
 * nothing counts after a thread has finished. A capability is collecting between GC_START and
 * GC_END, running user code while a thread runs on it outside of that, and else idle. Memory: some
 * 300 bytes a thread.
 */
public final class SchedulerAnalysis implements EventVisitor {

  /** What a thread was doing during a span. */
  public enum Activity {
    RUNNING,
    QUEUED,
    FOREIGN,
    BLOCKED
  }

  /** Receives spans when they end. */
  public interface SpanListener {
    /**
     * @param capability where the thread ran, or -1 for other activities
     * @param status why it had stopped; null while running or where not known
     */
    void thread(
        long threadId,
        Activity activity,
        int capability,
        @Nullable StopStatus status,
        long startNanos,
        long endNanos);

    /** A capability's collection. */
    void collection(int capability, long startNanos, long endNanos);
  }

  /**
   * One thread.
   *
   * @param label what labelThread called it, or empty
   * @param spark whether it was made to run sparks
   * @param state what it was doing at the end; null after it finished, and where nothing tells
   * @param finished whether the log says that it ended
   * @param runs how often it was run
   * @param blockedNanos time blocked by reason
   * @param stops how often it stopped, by reason
   */
  public record ThreadTimes(
      long threadId,
      String label,
      boolean spark,
      @Nullable Activity state,
      boolean finished,
      long firstNanos,
      long lastNanos,
      long runs,
      long runningNanos,
      long queuedNanos,
      long foreignNanos,
      Map<String, Long> blockedNanos,
      Map<String, Long> stops) {
    public ThreadTimes {
      blockedNanos = Map.copyOf(blockedNanos);
      stops = Map.copyOf(stops);
    }
  }

  /**
   * One capability.
   *
   * @param mutatorNanos time that threads ran on it, collections not counted
   */
  public record CapabilityTimes(
      int capability, long mutatorNanos, long gcNanos, long idleNanos, long runs) {}

  /**
   * @param productivity mutator time as a share of mutator and GC time, or NaN without either
   */
  public record Result(
      List<ThreadTimes> threads,
      List<CapabilityTimes> capabilities,
      double productivity,
      long firstNanos,
      long lastNanos) {
    public Result {
      threads = List.copyOf(threads);
      capabilities = List.copyOf(capabilities);
    }
  }

  /**
   * Numbers of the moment, for one line a second.
   *
   * @param alive threads that were seen and have not finished, also those older than the log
   */
  public record Moment(
      long alive, long running, long blocked, long mutatorNanos, long gcNanos, int capabilities) {}

  private static final class Thread {
    private String label = "";
    private boolean spark;
    private @Nullable Activity activity;
    private boolean finished;
    private boolean known;
    private int capability;
    private @Nullable StopStatus status;
    private long since;
    private long first;
    private long last;
    private long runs;
    private long running;
    private long queued;
    private long foreign;
    private final Map<String, Long> blocked = new TreeMap<>();
    private final Map<String, Long> stops = new TreeMap<>();
  }

  private static final class Capability {
    private long thread = -1;
    private long runSince;
    private boolean collecting;
    private long gcSince;
    private long mutator;
    private long gc;
    private long runs;
    private long first;
  }

  private final @Nullable SpanListener listener;
  private final Map<Long, Thread> threads = new TreeMap<>();
  private final Map<Integer, Capability> capabilities = new TreeMap<>();
  private long alive;
  private long running;
  private long blocked;
  private long first = Long.MAX_VALUE;
  private long latest = Long.MIN_VALUE;

  public SchedulerAnalysis() {
    this(null);
  }

  public SchedulerAnalysis(@Nullable SpanListener listener) {
    this.listener = listener;
  }

  @Override
  public void header(LogHeader header) {
    // Another log of the same or of another program: its threads are others.
    threads.clear();
    capabilities.clear();
    alive = 0;
    running = 0;
    blocked = 0;
    first = Long.MAX_VALUE;
    latest = Long.MIN_VALUE;
  }

  @Override
  public void event(EventCursor event) {
    long time = event.timestampNanos();
    if (event.id() != 18) {
      first = Math.min(first, time);
      latest = Math.max(latest, time);
    }
    switch (event.knownId()) {
      case 0 -> {
        Thread thread = thread(event.u32(0), time);
        if (!thread.known && thread.activity == null) {
          enter(thread, Activity.QUEUED, time, null);
        }
        thread.known = true;
      }
      case 1 -> run(event.u32(0), event.capability(), time);
      case 2 -> stop(event.u32(0), new StopStatus(event.u16(4)), time);
      case 8 -> {
        Thread thread = threads.get(event.u32(0));
        if (thread != null && !thread.finished && thread.activity == Activity.BLOCKED) {
          leave(event.u32(0), thread, time);
          enter(thread, Activity.QUEUED, time, null);
        }
      }
      case 9 -> {
        Capability capability = capability(event.capability(), time);
        if (!capability.collecting) {
          pauseMutator(capability, time);
          capability.collecting = true;
          capability.gcSince = time;
        }
      }
      case 10 -> {
        Capability capability = capability(event.capability(), time);
        if (capability.collecting) {
          capability.collecting = false;
          capability.gc += time - capability.gcSince;
          capability.runSince = time;
          if (listener != null) {
            listener.collection(event.capability(), capability.gcSince, time);
          }
        }
      }
      case 15 -> thread(event.u32(0), time).spark = true;
      case 44 -> thread(event.u32(0), time).label = event.text(4);
      case 45 -> capability(event.u16(0), time);
      default -> {}
    }
  }

  private Thread thread(long id, long time) {
    Thread thread = threads.get(id);
    if (thread == null) {
      thread = new Thread();
      thread.first = time;
      threads.put(id, thread);
      alive++;
    }
    thread.last = time;
    return thread;
  }

  private Capability capability(int number, long time) {
    Capability capability = capabilities.get(number);
    if (capability == null) {
      capability = new Capability();
      capability.first = time;
      capabilities.put(number, capability);
    }
    return capability;
  }

  private void run(long id, int number, long time) {
    Thread thread = thread(id, time);
    if (thread.finished || thread.activity == Activity.RUNNING) {
      return;
    }
    leave(id, thread, time);
    enter(thread, Activity.RUNNING, time, null);
    thread.capability = number;
    thread.runs++;
    if (number != TimedEvent.NO_CAPABILITY) {
      Capability capability = capability(number, time);
      pauseMutator(capability, time);
      capability.thread = id;
      capability.runSince = time;
      capability.runs++;
    }
  }

  private void stop(long id, StopStatus status, long time) {
    Thread thread = thread(id, time);
    if (thread.finished) {
      return;
    }
    if (thread.activity == Activity.RUNNING) {
      Capability capability = capabilities.get(thread.capability);
      if (capability != null && capability.thread == id) {
        pauseMutator(capability, time);
        capability.thread = -1;
      }
    }
    leave(id, thread, time);
    thread.stops.merge(status.label(), 1L, Long::sum);
    switch (status.next()) {
      case QUEUED -> enter(thread, Activity.QUEUED, time, status);
      case FOREIGN -> enter(thread, Activity.FOREIGN, time, status);
      case BLOCKED -> enter(thread, Activity.BLOCKED, time, status);
      case FINISHED -> {
        thread.activity = null;
        thread.finished = true;
        alive--;
      }
    }
  }

  /** Counts what the capability's thread has run up to now, collections left out. */
  private static void pauseMutator(Capability capability, long time) {
    if (capability.thread >= 0 && !capability.collecting) {
      capability.mutator += Math.max(0, time - capability.runSince);
      capability.runSince = time;
    }
  }

  private void enter(Thread thread, Activity activity, long time, @Nullable StopStatus status) {
    thread.activity = activity;
    thread.status = status;
    thread.since = time;
    running += activity == Activity.RUNNING ? 1 : 0;
    blocked += activity == Activity.BLOCKED ? 1 : 0;
  }

  private void leave(long id, Thread thread, long time) {
    Activity activity = thread.activity;
    if (activity == null) {
      return;
    }
    running -= activity == Activity.RUNNING ? 1 : 0;
    blocked -= activity == Activity.BLOCKED ? 1 : 0;
    add(thread, activity, time - thread.since);
    if (listener != null) {
      listener.thread(
          id,
          activity,
          activity == Activity.RUNNING ? thread.capability : TimedEvent.NO_CAPABILITY,
          thread.status,
          thread.since,
          time);
    }
  }

  private static void add(Thread thread, Activity activity, long nanos) {
    switch (activity) {
      case RUNNING -> thread.running += nanos;
      case QUEUED -> thread.queued += nanos;
      case FOREIGN -> thread.foreign += nanos;
      case BLOCKED -> {
        StopStatus status = thread.status;
        thread.blocked.merge(status == null ? "unknown" : status.label(), nanos, Long::sum);
      }
    }
  }

  /** Numbers at a time, open spans counted up to it. O(capabilities). */
  public Moment moment(long time) {
    long mutator = 0;
    long gc = 0;
    for (Capability capability : capabilities.values()) {
      mutator += mutatorAt(capability, time);
      gc += gcAt(capability, time);
    }
    return new Moment(alive, running, blocked, mutator, gc, capabilities.size());
  }

  private static long mutatorAt(Capability capability, long time) {
    boolean runs = capability.thread >= 0 && !capability.collecting;
    return capability.mutator + (runs ? Math.max(0, time - capability.runSince) : 0);
  }

  private static long gcAt(Capability capability, long time) {
    return capability.gc + (capability.collecting ? Math.max(0, time - capability.gcSince) : 0);
  }

  /** What was found so far, open spans counted up to the last event. */
  public Result result() {
    List<ThreadTimes> threadTimes = new ArrayList<>();
    threads.forEach(
        (id, thread) -> {
          Activity activity = thread.activity;
          long open = activity == null ? 0 : latest - thread.since;
          Map<String, Long> blockedNanos = new HashMap<>(thread.blocked);
          StopStatus status = thread.status;
          if (activity == Activity.BLOCKED) {
            blockedNanos.merge(status == null ? "unknown" : status.label(), open, Long::sum);
          }
          threadTimes.add(
              new ThreadTimes(
                  id,
                  thread.label,
                  thread.spark,
                  activity,
                  thread.finished,
                  thread.first,
                  thread.last,
                  thread.runs,
                  thread.running + (activity == Activity.RUNNING ? open : 0),
                  thread.queued + (activity == Activity.QUEUED ? open : 0),
                  thread.foreign + (activity == Activity.FOREIGN ? open : 0),
                  blockedNanos,
                  thread.stops));
        });
    List<CapabilityTimes> capabilityTimes = new ArrayList<>();
    long mutatorTotal = 0;
    long gcTotal = 0;
    for (Map.Entry<Integer, Capability> entry : capabilities.entrySet()) {
      Capability capability = entry.getValue();
      long mutator = mutatorAt(capability, latest);
      long gc = gcAt(capability, latest);
      mutatorTotal += mutator;
      gcTotal += gc;
      capabilityTimes.add(
          new CapabilityTimes(
              entry.getKey(),
              mutator,
              gc,
              Math.max(0, latest - capability.first - mutator - gc),
              capability.runs));
    }
    double productivity =
        mutatorTotal + gcTotal == 0 ? Double.NaN : (double) mutatorTotal / (mutatorTotal + gcTotal);
    boolean any = first <= latest;
    return new Result(
        threadTimes, capabilityTimes, productivity, any ? first : 0, any ? latest : 0);
  }
}
