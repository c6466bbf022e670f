package org.ghcdebug.protocol.eventlog;

import java.util.List;

/** The text of events, word for word as the Haskell library ghc-events 0.21 prints it. */
public final class EventText {
  private EventText() {}

  /** What an event says, on one line unless the program's own text has several. */
  public static String of(Event event) {
    return switch (event) {
      case Event.CreateThread(long thread) -> "creating thread " + thread;
      case Event.RunThread(long thread) -> "running thread " + thread;
      case Event.StopThread(long thread, StopStatus status, long info) ->
          "stopping thread " + thread + " (" + of(status, info) + ")";
      case Event.ThreadRunnable(long thread) -> "thread " + thread + " is runnable";
      case Event.MigrateThread(long thread, int capability) ->
          "migrating thread " + thread + " to cap " + capability;
      case Event.RunSpark(long thread) -> "running a local spark (thread " + thread + ")";
      case Event.StealSpark(long thread, int capability) ->
          "thread " + thread + " stealing a spark from cap " + capability;
      case Event.Shutdown() -> "shutting down";
      case Event.WakeupThread(long thread, int capability) ->
          "waking up thread " + thread + " on cap " + capability;
      case Event.CreateSparkThread(long thread) -> "creating spark thread " + thread;
      case Event.Startup(int capabilities) -> "startup: " + capabilities + " capabilities";
      case Event.ThreadLabel(long thread, String label) ->
          "thread " + thread + " has label \"" + label + "\"";
      case Event.StartGc() -> "starting GC";
      case Event.EndGc() -> "finished GC";
      case Event.RequestSeqGc() -> "requesting sequential GC";
      case Event.RequestParGc() -> "requesting parallel GC";
      case Event.GcIdle() -> "GC idle";
      case Event.GcWork() -> "GC working";
      case Event.GcDone() -> "GC done";
      case Event.GlobalSyncGc() -> "all caps stopped for GC";
      case Event.HeapAllocated(long capset, long bytes) ->
          "allocated on heap capset " + capset + ": " + unsigned(bytes) + " total bytes till now";
      case Event.HeapSize(long capset, long bytes) ->
          "size of heap capset " + capset + ": " + unsigned(bytes) + " bytes";
      case Event.HeapLive(long capset, long bytes) ->
          "live data in heap capset " + capset + ": " + unsigned(bytes) + " bytes";
      case Event.BlocksSize(long capset, long bytes) ->
          "blocks size of heap capset " + capset + ": " + unsigned(bytes) + " bytes";
      case Event.HeapInfoGhc info ->
          "heap stats for heap capset %d: generations %d, %s bytes max heap size, %s bytes alloc area size, %s bytes mblock size, %s bytes block size"
              .formatted(
                  info.heapCapset(),
                  info.generations(),
                  unsigned(info.maxHeapBytes()),
                  unsigned(info.allocationAreaBytes()),
                  unsigned(info.mblockBytes()),
                  unsigned(info.blockBytes()));
      case Event.GcStatsGhc stats -> gcStats(stats);
      case Event.MemReturn(long _, long current, long needed, long returned) ->
          "memory returned (mblocks): current(%d) needed(%d) returned(%d)"
              .formatted(current, needed, returned);
      case Event.SparkCounters sparks ->
          "spark stats: %s created, %s converted, %s remaining (%s overflowed, %s dud, %s GC'd, %s fizzled)"
              .formatted(
                  unsigned(sparks.created()),
                  unsigned(sparks.converted()),
                  unsigned(sparks.remaining()),
                  unsigned(sparks.overflowed()),
                  unsigned(sparks.dud()),
                  unsigned(sparks.gcd()),
                  unsigned(sparks.fizzled()));
      case Event.SparkCreate() -> "spark created";
      case Event.SparkDud() -> "dud spark discarded";
      case Event.SparkOverflow() -> "overflowed spark discarded";
      case Event.SparkRun() -> "running a local spark";
      case Event.SparkSteal(int capability) -> "stealing a spark from cap " + capability;
      case Event.SparkFizzle() -> "spark fizzled";
      case Event.SparkGc() -> "spark GCed";
      case Event.BlockMarker marker ->
          "event block: cap %d, end time: %s"
              .formatted(capabilityNumber(marker), unsigned(marker.endTimestampNanos()));
      case Event.CapsetCreate(long capset, int type) ->
          "created capset " + capset + " of type " + capsetType(type);
      case Event.CapsetDelete(long capset) -> "deleted capset " + capset;
      case Event.CapsetAssignCap(long capset, int capability) ->
          "assigned cap " + capability + " to capset " + capset;
      case Event.CapsetRemoveCap(long capset, int capability) ->
          "removed cap " + capability + " from capset " + capset;
      case Event.RtsIdentifier(long capset, String identifier) ->
          "capset " + capset + ": RTS version \"" + identifier + "\"";
      case Event.ProgramArgs(long capset, List<String> arguments) ->
          "capset " + capset + ": args: " + haskellStrings(arguments);
      case Event.ProgramEnv(long capset, List<String> environment) ->
          "capset " + capset + ": env: " + haskellStrings(environment);
      case Event.OsProcessPid(long capset, long pid) -> "capset " + capset + ": pid " + pid;
      case Event.OsProcessParentPid(long capset, long pid) ->
          "capset " + capset + ": parent pid " + pid;
      case Event.WallClockTime(long capset, long seconds, long nanos) ->
          "capset %d: wall clock time %ss %dns (unix epoch)"
              .formatted(capset, unsigned(seconds), nanos);
      case Event.CapCreate(int capability) -> "created cap " + capability;
      case Event.CapDelete(int capability) -> "deleted cap " + capability;
      case Event.CapDisable(int capability) -> "disabled cap " + capability;
      case Event.CapEnable(int capability) -> "enabled cap " + capability;
      case Event.TaskCreate(long task, int capability, long kernelThread) ->
          "task 0x%x created on cap %d with OS kernel thread %s"
              .formatted(task, capability, unsigned(kernelThread));
      case Event.TaskMigrate(long task, int capability, int newCapability) ->
          "task 0x%x migrated from cap %d to cap %d".formatted(task, capability, newCapability);
      case Event.TaskDelete(long task) -> "task 0x%x deleted".formatted(task);
      case Event.LogMessage(String text) -> text;
      case Event.UserMessage(String text) -> text;
      case Event.UserMarker(String text) -> "marker: " + text;
      case Event.UserBinaryMessage(Bytes payload) ->
          "UserBinaryMessage {payload = " + haskellBytes(payload) + "}";
      case Event.InternString(String text, long stringId) ->
          "Interned string: \"" + text + "\" with id " + stringId;
      case Event.HeapProfBegin begin -> heapProfBegin(begin);
      case Event.HeapProfCostCentre centre ->
          "cost centre %d %s in %s at %s%s"
              .formatted(
                  centre.costCentreId(),
                  centre.label(),
                  centre.module(),
                  centre.sourceLocation(),
                  centre.isCaf() ? " CAF" : "");
      case Event.HeapProfSampleBegin(long sample) -> "start heap prof sample " + unsigned(sample);
      case Event.HeapProfSampleCostCentre(int profile, long bytes, List<Long> stack) ->
          "heap prof sample %d, residency %s, cost centre stack %s"
              .formatted(profile, unsigned(bytes), commaSeparated(stack));
      case Event.HeapProfSampleString(int profile, long bytes, String label) ->
          "heap prof sample " + profile + ", residency " + unsigned(bytes) + ", label " + label;
      case Event.HeapProfSampleEnd(long sample) -> "end prof sample " + unsigned(sample);
      case Event.HeapBioProfSampleBegin(long sample, long time) ->
          "start heap prof sample " + unsigned(sample) + " at time " + unsigned(time);
      case Event.ProfSampleCostCentre(long capability, long tick, List<Long> stack) ->
          "cap no %d, prof sample %s, cost centre stack %s"
              .formatted(capability, unsigned(tick), commaSeparated(stack));
      case Event.ProfBegin(long interval) ->
          "start time profiling, tick interval " + unsigned(interval) + " (ns)";
      case Event.InfoTableProv table ->
          "Info Table: %x:%s:%s - %s"
              .formatted(
                  table.infoTableAddr(),
                  table.closureType(),
                  table.tableName(),
                  table.sourceLocation());
      case Event.TickyCounterDef counter ->
          "ticky counter definition %s, arity: %d, def kinds: %s, name: %s, itbl: %x"
              .formatted(
                  unsigned(counter.counterId()),
                  counter.arity(),
                  counter.argumentKinds(),
                  counter.name(),
                  counter.infoTableAddr().orElse(0));
      case Event.TickyCounterSample sample ->
          "ticky counter sample %s: entry count: %s, %s allocs, %s allocd"
              .formatted(
                  unsigned(sample.counterId()),
                  unsigned(sample.entries()),
                  unsigned(sample.allocations()),
                  unsigned(sample.allocated()));
      case Event.TickyBeginSample() -> "ticky begin counter sample";
      case Event.ConcMarkBegin() -> "concurrent mark began";
      case Event.ConcMarkEnd(long marked) -> "concurrent mark ended: marked " + marked + " objects";
      case Event.ConcSyncBegin() -> "post-mark synchronization began";
      case Event.ConcSyncEnd() -> "post-mark synchronization ended";
      case Event.ConcSweepBegin() -> "concurrent sweep began";
      case Event.ConcSweepEnd() -> "concurrent sweep ended";
      case Event.ConcUpdRemSetFlush(int capability) ->
          "update remembered set flushed by " + capability;
      case Event.NonmovingHeapCensus(int blockBytes, long active, long filled, long live) ->
          "nonmoving heap census %d: %d active segments, %d filled segments, %d live blocks"
              .formatted(blockBytes, active, filled, live);
      case Event.NonmovingPrunedSegments(long pruned, long free) ->
          "nonmoving segments pruned: %d pruned segments, %d free segments retained"
              .formatted(pruned, free);
      case Event.PerfName(long counter, String name) ->
          "perf event " + counter + " named \"" + name + "\"";
      case Event.PerfCounter(long counter, long kernelThread, long period) ->
          "perf event counter %d incremented by %s in OS thread %s"
              .formatted(counter, unsigned(period + 1), unsigned(kernelThread));
      case Event.PerfTracepoint(long counter, long kernelThread) ->
          "perf event tracepoint %d reached in OS thread %s"
              .formatted(counter, unsigned(kernelThread));
      case Event.OtherRuntime(EventType type, List<Long> fields, String text) ->
          type.constructorName()
              + (fields.isEmpty() ? "" : " " + commaSeparated(fields))
              + (text.isEmpty() ? "" : " " + text);
      case Event.Unknown(int type, Bytes _) -> "Unknown event type " + type;
    };
  }

  /** The reason of a stop, in the words of ghc-events. */
  public static String of(StopStatus status, long info) {
    return switch (status.code()) {
      case 0 -> "No stop thread status";
      case 1 -> "heap overflow";
      case 2 -> "stack overflow, size " + info;
      case 3 -> "thread yielding";
      case 4 -> "blocked";
      case 5 -> "thread finished";
      case 6, 16, 17 -> "making a foreign call";
      case 7 -> "blocked on an MVar";
      case 8 ->
          info == 0 ? "blocked on a black hole" : "blocked on black hole owned by thread " + info;
      case 9 -> "blocked on I/O read";
      case 10 -> "blocked on I/O write";
      case 11 -> "blocked on threadDelay";
      case 12 -> "blocked in STM retry";
      case 13 -> "blocked on asyncDoProc";
      case 18 -> "blocked in throwTo";
      case 19 -> "thread migrating";
      case 20 -> "blocked reading an MVar";
      default -> "other stop status " + status.code();
    };
  }

  private static int capabilityNumber(Event.BlockMarker marker) {
    return marker.capability() == TimedEvent.NO_CAPABILITY ? 0xFFFF : marker.capability();
  }

  private static String gcStats(Event.GcStatsGhc stats) {
    String text =
        "GC stats for heap capset %d: generation %d, %s bytes copied, %s bytes slop, %s bytes fragmentation, %d par threads, %s bytes max par copied, %s bytes total par copied"
            .formatted(
                stats.heapCapset(),
                stats.generation(),
                unsigned(stats.copiedBytes()),
                unsigned(stats.slopBytes()),
                unsigned(stats.fragmentationBytes()),
                stats.parThreads(),
                unsigned(stats.parMaxCopiedBytes()),
                unsigned(stats.parTotalCopiedBytes()));
    return stats.parBalancedCopiedBytes().isPresent()
        ? text
            + ", "
            + unsigned(stats.parBalancedCopiedBytes().getAsLong())
            + " bytes balanced par copied"
        : text;
  }

  private static String heapProfBegin(Event.HeapProfBegin begin) {
    HeapProfBreakdown breakdown = HeapProfBreakdown.findByCode(begin.breakdown());
    StringBuilder text = new StringBuilder("start heap profiling ").append(begin.profileId());
    text.append(" at sampling period ").append(unsigned(begin.periodNanos()));
    text.append(" broken down by ");
    text.append(breakdown != null ? breakdown.label() : "breakdown " + begin.breakdown());
    boolean filtered = false;
    for (String filter : begin.filters()) {
      if (!filter.isEmpty()) {
        text.append(filtered ? "" : " filtered by ").append(filter).append(", ");
        filtered = true;
      }
    }
    return text.toString();
  }

  private static String capsetType(int type) {
    return switch (type) {
      case 1 -> "CapsetCustom";
      case 2 -> "CapsetOsProcess";
      case 3 -> "CapsetClockDomain";
      default -> "CapsetUnknown";
    };
  }

  private static String unsigned(long value) {
    return Long.toUnsignedString(value);
  }

  private static String commaSeparated(List<Long> numbers) {
    StringBuilder text = new StringBuilder();
    for (long number : numbers) {
      text.append(text.isEmpty() ? "" : ", ").append(unsigned(number));
    }
    return text.toString();
  }

  private static String haskellStrings(List<String> texts) {
    StringBuilder out = new StringBuilder("[");
    for (int i = 0; i < texts.size(); i++) {
      out.append(i > 0 ? "," : "");
      haskellString(texts.get(i).codePoints().toArray(), out);
    }
    return out.append(']').toString();
  }

  private static String haskellBytes(Bytes bytes) {
    int[] characters = new int[bytes.length()];
    for (int i = 0; i < characters.length; i++) {
      characters[i] = bytes.at(i) & 0xFF;
    }
    StringBuilder out = new StringBuilder();
    haskellString(characters, out);
    return out.toString();
  }

  private static final String[] CONTROL_NAMES = {
    "NUL", "SOH", "STX", "ETX", "EOT", "ENQ", "ACK", "a", "b", "t", "n", "v", "f", "r", "SO", "SI",
    "DLE", "DC1", "DC2", "DC3", "DC4", "NAK", "SYN", "ETB", "CAN", "EM", "SUB", "ESC", "FS", "GS",
    "RS", "US"
  };

  /** Haskell's {@code show} of a string. */
  private static void haskellString(int[] characters, StringBuilder out) {
    out.append('"');
    for (int i = 0; i < characters.length; i++) {
      int c = characters[i];
      int next = i + 1 < characters.length ? characters[i + 1] : -1;
      if (c == '"' || c == '\\') {
        out.append('\\').append((char) c);
      } else if (c == 127) {
        out.append("\\DEL");
      } else if (c > 127) {
        out.append('\\').append(c);
        if (next >= '0' && next <= '9') {
          out.append("\\&");
        }
      } else if (c < ' ') {
        out.append('\\').append(CONTROL_NAMES[c]);
        if (c == 14 && next == 'H') {
          out.append("\\&");
        }
      } else {
        out.append((char) c);
      }
    }
    out.append('"');
  }
}
