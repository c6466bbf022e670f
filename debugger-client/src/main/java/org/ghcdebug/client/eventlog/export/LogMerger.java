package org.ghcdebug.client.eventlog.export;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.ghcdebug.client.eventlog.EventStats;
import org.ghcdebug.client.eventlog.EventVisitors;
import org.ghcdebug.client.eventlog.LogInfo;
import org.ghcdebug.client.eventlog.source.LogReader;
import org.ghcdebug.client.eventlog.source.LogSource;
import org.ghcdebug.client.eventlog.source.OrderedLog;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.protocol.error.CanceledException;
import org.ghcdebug.protocol.error.MalformedDataException;
import org.ghcdebug.protocol.eventlog.Event;
import org.ghcdebug.protocol.eventlog.EventCursor;
import org.ghcdebug.protocol.eventlog.EventDeclaration;
import org.ghcdebug.protocol.eventlog.EventLogEncoder;
import org.ghcdebug.protocol.eventlog.EventVisitor;
import org.ghcdebug.protocol.eventlog.LogHeader;
import org.ghcdebug.protocol.eventlog.TimedEvent;
import org.jspecify.annotations.Nullable;

/**
 * Makes one log of several, aligned by wall clock.
 *
 * <p>Time 0 of the result is that of the log that began first. Threads, capabilities, capability
 * sets, cost centres and tasks of later logs are renumbered behind those of the logs before them,
 * so that none collide. Info table addresses and labels of heap profiles stay as they are. Events
 * that two logs have with different declared sizes are refused. Memory is bounded: events are
 * merged as they are read.
 */
public final class LogMerger {
  private static final int BATCH = 512;
  private static final int BLOCK_EVENTS = 4096;

  private LogMerger() {}

  /**
   * What became of one log.
   *
   * @param events events of it that were written
   * @param shiftNanos what was added to its times
   * @param firstCapability the number that its capability 0 got
   * @param firstThread what was added to the ids of its threads
   * @param stats what it holds and lacks
   */
  public record Log(
      String name,
      long events,
      long shiftNanos,
      int firstCapability,
      long firstThread,
      EventStats.Result stats) {}

  /**
   * @param events events written
   * @param logs in the order given
   */
  public record Result(long events, List<Log> logs) {
    public Result {
      logs = List.copyOf(logs);
    }
  }

  /** How the numbers of one log change. */
  private static final class Shift implements EventVisitor {
    private final LogInfo info = new LogInfo();
    private final EventStats stats = new EventStats();
    private @Nullable LogHeader header;
    private final BitSet occurring = new BitSet();
    private long maxThread = -1;
    private int maxCapability = -1;
    private long maxCapset = -1;
    private long maxCostCentre = -1;

    private long time;
    private long thread;
    private int capability;
    private long capset;
    private long costCentre;
    private long task;

    @Override
    public void header(LogHeader header) {
      this.header = this.header == null ? header : this.header;
      info.header(header);
    }

    @Override
    public void event(EventCursor event) {
      info.event(event);
      occurring.set(event.id());
      maxCapability = Math.max(maxCapability, event.capability());
      switch (event.knownId()) {
        case 0, 1, 2, 3, 4, 8, 15, 44 -> maxThread = Math.max(maxThread, event.u32(0));
        case 25 -> maxCapset = Math.max(maxCapset, event.u32(0));
        case 45 -> maxCapability = Math.max(maxCapability, event.u16(0));
        case 161 -> maxCostCentre = Math.max(maxCostCentre, event.u32(0));
        default -> {}
      }
    }
  }

  /**
   * Merges logs.
   *
   * @param out not closed
   * @throws MalformedDataException if a log has no header or no wall-clock time, or an event with
   *     another size
   * @throws org.ghcdebug.protocol.error.SourceUnavailableException if a log cannot be read
   * @throws CanceledException if {@code work} was canceled
   */
  public static Result merge(List<LogSource> sources, OutputStream out, Work work) {
    List<Shift> shifts = new ArrayList<>();
    long earliest = Long.MAX_VALUE;
    for (LogSource source : sources) {
      Shift shift = new Shift();
      LogReader.read(source, EventVisitors.all(shift.stats, shift), work);
      if (shift.header == null || shift.info.wallClockBaseNanos().isEmpty()) {
        throw new MalformedDataException(
            source.name(), 0, "logs are aligned by their wall-clock time, and this one has none");
      }
      earliest = Math.min(earliest, shift.info.wallClockBaseNanos().getAsLong());
      shifts.add(shift);
    }
    number(shifts, earliest);
    EventLogEncoder encoder = new EventLogEncoder(unite(sources, shifts));
    Writer writer = new Writer(encoder, out);
    List<Stream> streams = new ArrayList<>();
    for (int i = 0; i < sources.size(); i++) {
      streams.add(new Stream(sources.get(i), shifts.get(i), work));
    }
    try {
      out.write(encoder.headerBytes());
      while (true) {
        Stream next = null;
        for (Stream stream : streams) {
          TimedEvent head = stream.head();
          if (head != null
              && (next == null || head.timestampNanos() < next.requireHead().timestampNanos())) {
            next = stream;
          }
        }
        if (next == null) {
          break;
        }
        next.taken++;
        writer.add(next.take());
      }
      writer.finish();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CanceledException("merging eventlogs");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      streams.forEach(Stream::stop);
    }
    List<Log> logs = new ArrayList<>();
    for (int i = 0; i < streams.size(); i++) {
      Shift shift = shifts.get(i);
      logs.add(
          new Log(
              sources.get(i).name(),
              streams.get(i).taken,
              shift.time,
              shift.capability,
              shift.thread,
              shift.stats.result()));
    }
    return new Result(writer.events, logs);
  }

  private static void number(List<Shift> shifts, long earliest) {
    long thread = 0;
    int capability = 0;
    long capset = 0;
    long costCentre = 0;
    for (int i = 0; i < shifts.size(); i++) {
      Shift shift = shifts.get(i);
      shift.time = shift.info.wallClockBaseNanos().orElseThrow() - earliest;
      shift.thread = thread;
      shift.capability = capability;
      shift.capset = capset;
      shift.costCentre = costCentre;
      // User addresses have their upper 16 bits clear.
      shift.task = (long) i << 48;
      thread += shift.maxThread + 1;
      capability += shift.maxCapability + 1;
      capset += Math.max(2, shift.maxCapset + 1);
      costCentre += shift.maxCostCentre + 1;
    }
  }

  private static LogHeader unite(List<LogSource> sources, List<Shift> shifts) {
    Map<Integer, EventDeclaration> declarations = new TreeMap<>();
    BitSet occurring = new BitSet();
    for (int i = 0; i < shifts.size(); i++) {
      Shift shift = shifts.get(i);
      LogHeader header = shift.header;
      for (EventDeclaration declaration :
          header == null ? List.<EventDeclaration>of() : header.declarations()) {
        int id = declaration.id();
        EventDeclaration other = declarations.get(id);
        if (other == null || shift.occurring.get(id) && !occurring.get(id)) {
          declarations.put(id, declaration);
        } else if (shift.occurring.get(id) && other.sizeBytes() != declaration.sizeBytes()) {
          throw new MalformedDataException(
              sources.get(i).name(),
              0,
              "event %d has %d bytes, in the logs before %d; these logs of different GHC versions"
                      .formatted(id, declaration.sizeBytes(), other.sizeBytes())
                  + " cannot be merged");
        }
      }
      occurring.or(shift.occurring);
    }
    return new LogHeader(0, List.copyOf(declarations.values()));
  }

  /** Reads one log in order on a thread of its own, a bounded number of events ahead. */
  private static final class Stream {
    private static final List<TimedEvent> END = List.of();

    private final BlockingQueue<List<TimedEvent>> batches = new ArrayBlockingQueue<>(4);
    private final Thread thread;
    private volatile @Nullable RuntimeException failure;
    private List<TimedEvent> batch = List.of();
    private int at;
    private long taken;
    private boolean ended;

    Stream(LogSource source, Shift shift, Work work) {
      thread =
          Thread.ofVirtual()
              .name("merge " + source.name())
              .start(() -> readAll(source, shift, work));
    }

    private void readAll(LogSource source, Shift shift, Work work) {
      try {
        try {
          List<List<TimedEvent>> filling = new ArrayList<>(List.of(new ArrayList<>()));
          OrderedLog.read(
              source,
              event -> {
                if (event.id() == 18) {
                  return;
                }
                filling.getFirst().add(shifted(event.toTimedEvent(), shift));
                if (filling.getFirst().size() == BATCH) {
                  put(filling.getFirst());
                  filling.set(0, new ArrayList<>());
                }
              },
              work);
          if (!filling.getFirst().isEmpty()) {
            put(filling.getFirst());
          }
        } catch (RuntimeException e) {
          failure = e;
        }
        batches.put(END);
      } catch (InterruptedException e) {
        // Only stop interrupts; nobody waits for the end.
        Thread.currentThread().interrupt();
      }
    }

    private void put(List<TimedEvent> events) {
      try {
        batches.put(events);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new CanceledException("merging eventlogs");
      }
    }

    @Nullable TimedEvent head() throws InterruptedException {
      if (at == batch.size() && !ended) {
        batch = batches.take();
        at = 0;
        ended = batch.isEmpty();
        RuntimeException failed = failure;
        if (ended && failed != null) {
          throw failed;
        }
      }
      return ended ? null : batch.get(at);
    }

    TimedEvent requireHead() {
      return batch.get(at);
    }

    TimedEvent take() {
      return batch.get(at++);
    }

    void stop() {
      thread.interrupt();
    }
  }

  private static TimedEvent shifted(TimedEvent event, Shift by) {
    return new TimedEvent(
        0,
        event.timestampNanos() + by.time,
        event.capability() < 0 ? event.capability() : event.capability() + by.capability,
        shifted(event.event(), by),
        event.extra());
  }

  private static Event shifted(Event event, Shift by) {
    int cap = by.capability;
    long set = by.capset;
    return switch (event) {
      case Event.CreateThread(long id) -> new Event.CreateThread(id + by.thread);
      case Event.RunThread(long id) -> new Event.RunThread(id + by.thread);
      case Event.StopThread(long id, var status, long info) ->
          new Event.StopThread(
              id + by.thread, status, status.code() == 8 && info != 0 ? info + by.thread : info);
      case Event.ThreadRunnable(long id) -> new Event.ThreadRunnable(id + by.thread);
      case Event.MigrateThread(long id, int to) ->
          new Event.MigrateThread(id + by.thread, to + cap);
      case Event.WakeupThread(long id, int on) -> new Event.WakeupThread(id + by.thread, on + cap);
      case Event.CreateSparkThread(long id) -> new Event.CreateSparkThread(id + by.thread);
      case Event.ThreadLabel(long id, String label) -> new Event.ThreadLabel(id + by.thread, label);
      case Event.SparkSteal(int from) -> new Event.SparkSteal(from + cap);
      case Event.CapCreate(int c) -> new Event.CapCreate(c + cap);
      case Event.CapDelete(int c) -> new Event.CapDelete(c + cap);
      case Event.CapDisable(int c) -> new Event.CapDisable(c + cap);
      case Event.CapEnable(int c) -> new Event.CapEnable(c + cap);
      case Event.ConcUpdRemSetFlush(int c) -> new Event.ConcUpdRemSetFlush(c + cap);
      case Event.TaskCreate(long task, int c, long thread) ->
          new Event.TaskCreate(task | by.task, c + cap, thread);
      case Event.TaskMigrate(long task, int from, int to) ->
          new Event.TaskMigrate(task | by.task, from + cap, to + cap);
      case Event.TaskDelete(long task) -> new Event.TaskDelete(task | by.task);
      case Event.CapsetCreate(long s, int type) -> new Event.CapsetCreate(s + set, type);
      case Event.CapsetDelete(long s) -> new Event.CapsetDelete(s + set);
      case Event.CapsetAssignCap(long s, int c) -> new Event.CapsetAssignCap(s + set, c + cap);
      case Event.CapsetRemoveCap(long s, int c) -> new Event.CapsetRemoveCap(s + set, c + cap);
      case Event.RtsIdentifier(long s, String text) -> new Event.RtsIdentifier(s + set, text);
      case Event.ProgramArgs(long s, List<String> args) -> new Event.ProgramArgs(s + set, args);
      case Event.ProgramEnv(long s, List<String> env) -> new Event.ProgramEnv(s + set, env);
      case Event.OsProcessPid(long s, long pid) -> new Event.OsProcessPid(s + set, pid);
      case Event.OsProcessParentPid(long s, long pid) -> new Event.OsProcessParentPid(s + set, pid);
      // The clock of the result is the first log's; each event's own time was shifted.
      case Event.WallClockTime(long s, long seconds, long nanos) ->
          new Event.WallClockTime(s + set, seconds, nanos);
      case Event.HeapAllocated(long s, long bytes) -> new Event.HeapAllocated(s + set, bytes);
      case Event.HeapSize(long s, long bytes) -> new Event.HeapSize(s + set, bytes);
      case Event.HeapLive(long s, long bytes) -> new Event.HeapLive(s + set, bytes);
      case Event.BlocksSize(long s, long bytes) -> new Event.BlocksSize(s + set, bytes);
      case Event.MemReturn(long s, long current, long needed, long returned) ->
          new Event.MemReturn(s + set, current, needed, returned);
      case Event.HeapInfoGhc info ->
          new Event.HeapInfoGhc(
              info.heapCapset() + set,
              info.generations(),
              info.maxHeapBytes(),
              info.allocationAreaBytes(),
              info.mblockBytes(),
              info.blockBytes());
      case Event.GcStatsGhc stats ->
          new Event.GcStatsGhc(
              stats.heapCapset() + set,
              stats.generation(),
              stats.copiedBytes(),
              stats.slopBytes(),
              stats.fragmentationBytes(),
              stats.parThreads(),
              stats.parMaxCopiedBytes(),
              stats.parTotalCopiedBytes(),
              stats.parBalancedCopiedBytes());
      case Event.HeapProfCostCentre centre ->
          new Event.HeapProfCostCentre(
              centre.costCentreId() + by.costCentre,
              centre.label(),
              centre.module(),
              centre.sourceLocation(),
              centre.flags());
      case Event.HeapProfSampleCostCentre(int profile, long bytes, List<Long> stack) ->
          new Event.HeapProfSampleCostCentre(profile, bytes, shifted(stack, by.costCentre));
      case Event.ProfSampleCostCentre(long c, long tick, List<Long> stack) ->
          new Event.ProfSampleCostCentre(c + cap, tick, shifted(stack, by.costCentre));
      default -> event;
    };
  }

  private static List<Long> shifted(List<Long> stack, long by) {
    return stack.stream().map(id -> id + by).toList();
  }

  /** Collects the events of each buffer into blocks. */
  private static final class Writer {
    private final EventLogEncoder encoder;
    private final OutputStream out;
    private final Map<Integer, List<TimedEvent>> open = new LinkedHashMap<>();
    private final Map<Integer, Long> ends = new LinkedHashMap<>();
    private long events;
    private long latest;

    Writer(EventLogEncoder encoder, OutputStream out) {
      this.encoder = encoder;
      this.out = out;
    }

    void add(TimedEvent event) throws IOException {
      List<TimedEvent> block = open.computeIfAbsent(event.capability(), _ -> new ArrayList<>());
      block.add(event);
      events++;
      latest = Math.max(latest, event.timestampNanos());
      if (block.size() == BLOCK_EVENTS) {
        flush(event.capability(), block);
      }
    }

    private void flush(int capability, List<TimedEvent> block) throws IOException {
      long start = ends.getOrDefault(capability, block.getFirst().timestampNanos());
      out.write(encoder.blockBytes(capability, start, latest, block));
      ends.put(capability, latest);
      block.clear();
    }

    void finish() throws IOException {
      for (Map.Entry<Integer, List<TimedEvent>> entry : open.entrySet()) {
        if (!entry.getValue().isEmpty()) {
          flush(entry.getKey(), entry.getValue());
        }
      }
      out.write(encoder.endBytes());
    }
  }
}
