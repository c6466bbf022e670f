package org.ghcdebug.client.eventlog;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.ghcdebug.protocol.eventlog.EventCursor;
import org.ghcdebug.protocol.eventlog.EventType;
import org.ghcdebug.protocol.eventlog.EventVisitor;
import org.ghcdebug.protocol.eventlog.LogHeader;
import org.ghcdebug.protocol.eventlog.StopStatus;
import org.jspecify.annotations.Nullable;

/**
 * Runs the automata of {@code ghc-events validate} over events in time order. A violation does not
 * end the run: the automaton goes on from the state that the event implies.
 *
 * <p>Real logs often have violations: threads that run before they were seen created in a log
 * attached late, wake-ups of finished threads. Memory: some 100 bytes for each thread, task and
 * capability.
 */
public final class LogValidator implements EventVisitor {
  private static final int VIOLATIONS_KEPT = 10_000;

  /** What is checked. */
  public enum Automaton {
    /** Each thread is created, runs, stops, is woken, and finishes. */
    THREADS,
    /** Threads are created and finished once, and migrate from where they are. */
    THREAD_POOL,
    /** A capability runs one thread at a time, and a thread runs on one. */
    THREAD_RUN,
    /** Tasks are created and deleted once, and migrate from where they are. */
    TASK_POOL,
    /** A kernel thread carries one task at a time. */
    TASKS,
    /** Spark threads run and finish like threads. */
    SPARKS
  }

  /** States of a thread. */
  public enum ThreadState {
    INITIAL,
    QUEUED,
    RUNNING,
    STOPPED,
    FINAL
  }

  /**
   * @param subject the thread, task or capability
   * @param state what the automaton knew, in words
   * @param event the event that does not fit, by ghc-events' name
   */
  public record Violation(
      Automaton automaton,
      String subject,
      String state,
      String event,
      long timestampNanos,
      int capability,
      long offsetBytes) {}

  /**
   * One step of an automaton, for {@code simulate}.
   *
   * @param valid whether the automaton allows it
   */
  public record Transition(
      Automaton automaton,
      String subject,
      String before,
      String event,
      String after,
      boolean valid,
      long timestampNanos) {}

  /** Receives every step. */
  @FunctionalInterface
  public interface StepListener {
    void step(Transition transition);
  }

  /**
   * @param violations the first ten thousand of each automaton, in time order
   * @param counts all of them
   * @param finalStates how many threads are in which state
   */
  public record Result(
      List<Violation> violations, Map<Automaton, Long> counts, Map<ThreadState, Long> finalStates) {
    public Result {
      violations = List.copyOf(violations);
      counts = Map.copyOf(counts);
      finalStates = Map.copyOf(finalStates);
    }

    /** Whether an automaton saw nothing wrong. */
    public boolean isValid(Automaton automaton) {
      return counts.getOrDefault(automaton, 0L) == 0;
    }
  }

  private static final int QUEUED = 1;
  private static final int RUNNING = 2;
  private static final int STOPPED = 3;
  private static final int FINAL = 4;
  private static final int NOWHERE = -1;

  private static final class Thread {
    private int state;
    private boolean spark;
    // Where the thread pool thinks it is, and where it runs.
    private int pooledOn = NOWHERE;
    private int runningOn = NOWHERE;
  }

  private record Task(int capability, long kernelThread) {}

  private final @Nullable StepListener listener;
  private Map<Long, Thread> threads = new HashMap<>();
  private final Map<Integer, Long> runningThread = new HashMap<>();
  private final Map<Long, Task> tasks = new HashMap<>();
  private final Map<Long, Long> taskOfKernelThread = new HashMap<>();
  private final List<Violation> violations = new ArrayList<>();
  private final Map<Automaton, Long> counts = new EnumMap<>(Automaton.class);

  /** A validator that keeps violations only. */
  public LogValidator() {
    this(null);
  }

  /** A validator that also tells each step. */
  public LogValidator(@Nullable StepListener listener) {
    this.listener = listener;
  }

  @Override
  public void header(LogHeader header) {
    threads = new HashMap<>();
    runningThread.clear();
    tasks.clear();
    taskOfKernelThread.clear();
  }

  @Override
  public void event(EventCursor event) {
    switch (event.knownId()) {
      case 0 -> create(event, false);
      case 15 -> create(event, true);
      case 1 -> run(event);
      case 2 -> stop(event);
      case 4 -> migrate(event);
      case 8 -> wakeup(event);
      case 55 -> taskCreate(event);
      case 56 -> taskMigrate(event);
      case 57 -> taskDelete(event);
      default -> {}
    }
  }

  private Thread thread(long id) {
    return threads.computeIfAbsent(id, _ -> new Thread());
  }

  private void create(EventCursor event, boolean spark) {
    long id = event.u32(0);
    Thread thread = thread(id);
    thread.spark |= spark;
    // CREATE_SPARK_THREAD follows the CREATE_THREAD of the same thread.
    if (!spark) {
      move(event, id, thread, thread.state == 0, QUEUED);
      pool(event, id, thread, thread.pooledOn == NOWHERE, event.capability());
    } else if (thread.state == 0) {
      move(event, id, thread, true, QUEUED);
      pool(event, id, thread, true, event.capability());
    }
  }

  private void run(EventCursor event) {
    long id = event.u32(0);
    Thread thread = thread(id);
    move(event, id, thread, thread.state == QUEUED || thread.state == STOPPED, RUNNING);
    int capability = event.capability();
    Long other = runningThread.put(capability, id);
    step(
        event,
        Automaton.THREAD_RUN,
        () -> "thread " + id,
        other == null && thread.runningOn == NOWHERE,
        () -> other != null ? "capability runs thread " + other : running(thread),
        () -> "runs on capability " + capability);
    thread.runningOn = capability;
  }

  private void stop(EventCursor event) {
    long id = event.u32(0);
    StopStatus status = new StopStatus(event.u16(4));
    Thread thread = thread(id);
    int after =
        switch (status.next()) {
          case QUEUED, FOREIGN -> QUEUED;
          case FINISHED -> FINAL;
          case BLOCKED -> STOPPED;
        };
    move(event, id, thread, thread.state == RUNNING, after);
    Long running = runningThread.remove(event.capability());
    boolean valid = running != null && running == id && thread.runningOn == event.capability();
    step(
        event,
        Automaton.THREAD_RUN,
        () -> "thread " + id,
        valid,
        () ->
            valid
                ? running(thread)
                : running == null
                    ? "capability runs no thread"
                    : "capability runs thread " + running,
        () -> "not running");
    thread.runningOn = NOWHERE;
    if (after == FINAL) {
      pool(event, id, thread, thread.pooledOn != NOWHERE, NOWHERE);
    }
  }

  private void migrate(EventCursor event) {
    long id = event.u32(0);
    Thread thread = thread(id);
    pool(event, id, thread, thread.pooledOn == event.capability(), event.u16(4));
  }

  private void wakeup(EventCursor event) {
    long id = event.u32(0);
    Thread thread = thread(id);
    boolean valid = thread.state == STOPPED || thread.state == QUEUED;
    move(event, id, thread, valid, valid ? QUEUED : thread.state);
  }

  /** A step of a thread, and of the sparks automaton if it is a spark thread. */
  private void move(EventCursor event, long id, Thread thread, boolean valid, int after) {
    int was = thread.state;
    step(event, Automaton.THREADS, () -> "thread " + id, valid, () -> name(was), () -> name(after));
    if (thread.spark) {
      step(
          event, Automaton.SPARKS, () -> "thread " + id, valid, () -> name(was), () -> name(after));
    }
    thread.state = after;
  }

  private void pool(EventCursor event, long id, Thread thread, boolean valid, int to) {
    step(
        event,
        Automaton.THREAD_POOL,
        () -> "thread " + id,
        valid,
        () -> pooled(thread.pooledOn),
        () -> pooled(to));
    thread.pooledOn = to;
  }

  private static String name(int state) {
    return ThreadState.values()[state].toString();
  }

  private void taskCreate(EventCursor event) {
    long id = event.u64(0);
    int capability = event.u16(8);
    long kernelThread = event.u64(10);
    Task old = tasks.put(id, new Task(capability, kernelThread));
    step(
        event,
        Automaton.TASK_POOL,
        () -> "task " + hex(id),
        old == null,
        () -> task(old),
        () -> pooled(capability));
    Long other = taskOfKernelThread.put(kernelThread, id);
    step(
        event,
        Automaton.TASKS,
        () -> "task " + hex(id),
        other == null,
        () ->
            other == null
                ? "not carried"
                : "kernel thread " + kernelThread + " carries task " + hex(other),
        () -> "carried by kernel thread " + kernelThread);
  }

  private void taskMigrate(EventCursor event) {
    long id = event.u64(0);
    int to = event.u16(10);
    Task old = tasks.get(id);
    step(
        event,
        Automaton.TASK_POOL,
        () -> "task " + hex(id),
        old != null && old.capability() == event.u16(8),
        () -> task(old),
        () -> pooled(to));
    tasks.put(id, new Task(to, old == null ? -1 : old.kernelThread()));
  }

  private void taskDelete(EventCursor event) {
    long id = event.u64(0);
    Task old = tasks.remove(id);
    step(
        event,
        Automaton.TASK_POOL,
        () -> "task " + hex(id),
        old != null,
        () -> task(old),
        () -> pooled(NOWHERE));
    if (old != null) {
      taskOfKernelThread.remove(old.kernelThread(), id);
    }
  }

  private static String pooled(int capability) {
    return capability == NOWHERE ? "not in the pool" : "on capability " + capability;
  }

  private static String running(Thread thread) {
    return thread.runningOn == NOWHERE ? "not running" : "runs on capability " + thread.runningOn;
  }

  private static String task(@Nullable Task task) {
    return pooled(task == null ? NOWHERE : task.capability());
  }

  private static String hex(long id) {
    return "0x" + Long.toHexString(id);
  }

  /** One step of one automaton; the texts are made only where somebody wants them. */
  private void step(
      EventCursor event,
      Automaton automaton,
      Supplier<String> subject,
      boolean valid,
      Supplier<String> before,
      Supplier<String> after) {
    if (!valid) {
      violation(event, automaton, subject.get(), before.get());
    }
    if (listener != null) {
      listener.step(
          new Transition(
              automaton,
              subject.get(),
              before.get(),
              EventType.nameOf(event.id()),
              after.get(),
              valid,
              event.timestampNanos()));
    }
  }

  private void violation(EventCursor event, Automaton automaton, String subject, String state) {
    if (counts.merge(automaton, 1L, Long::sum) <= VIOLATIONS_KEPT) {
      violations.add(
          new Violation(
              automaton,
              subject,
              state,
              EventType.nameOf(event.id()),
              event.timestampNanos(),
              event.capability(),
              event.offsetBytes()));
    }
  }

  /** What was found so far. */
  public Result result() {
    Map<ThreadState, Long> states = new EnumMap<>(ThreadState.class);
    for (Thread thread : threads.values()) {
      states.merge(ThreadState.values()[thread.state], 1L, Long::sum);
    }
    return new Result(violations, counts, states);
  }
}
