package org.ghcdebug.protocol.eventlog;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Payloads to values and back. */
final class EventCodec {
  /** Widths of the fields of Eden's and Mercury's events; {@code t} is text to the end. */
  private static final String[] OTHER_LAYOUTS = otherLayouts();

  private EventCodec() {}

  private static String[] otherLayouts() {
    String[] layouts = new String[114];
    layouts[23] = "t";
    layouts[24] = "t";
    layouts[60] = "";
    layouts[61] = "";
    layouts[62] = "4";
    layouts[63] = "4";
    layouts[64] = "44";
    layouts[65] = "28";
    layouts[66] = "2";
    layouts[67] = "144244";
    layouts[68] = "1442444";
    layouts[69] = "14444";
    layouts[100] = "84";
    layouts[101] = "8";
    layouts[102] = "8";
    layouts[103] = "84";
    layouts[104] = "84";
    layouts[105] = "8";
    layouts[106] = "8";
    layouts[107] = "8";
    layouts[108] = "";
    layouts[109] = "";
    layouts[110] = "";
    layouts[111] = "4";
    layouts[112] = "";
    layouts[113] = "";
    return layouts;
  }

  /** Reads fields in order and remembers where the known ones end. */
  private static final class Fields {
    private final EventCursor cursor;
    private int at;

    Fields(EventCursor cursor) {
      this.cursor = cursor;
    }

    int remaining() {
      return cursor.payloadLength() - at;
    }

    int u8() {
      at += 1;
      return cursor.u8(at - 1);
    }

    int u16() {
      at += 2;
      return cursor.u16(at - 2);
    }

    long u32() {
      at += 4;
      return cursor.u32(at - 4);
    }

    long u64() {
      at += 8;
      return cursor.u64(at - 8);
    }

    /** The capability number of a payload, 65535 as "none". */
    int capability() {
      int number = u16();
      return number == 0xFFFF ? TimedEvent.NO_CAPABILITY : number;
    }

    String rest() {
      String text = cursor.text(at);
      at = cursor.payloadLength();
      return text;
    }

    /** Text up to a NUL, or to the end where the terminator is missing. */
    String terminated() {
      int nul = cursor.indexOfNul(at);
      String text = cursor.text(at, nul);
      at = Math.min(nul + 1, cursor.payloadLength());
      return text;
    }

    /** NUL-terminated texts to the end; the last terminator may be missing. */
    List<String> texts() {
      List<String> texts = new ArrayList<>();
      while (remaining() > 0) {
        texts.add(terminated());
      }
      return texts;
    }

    List<Long> stack(int depth) {
      List<Long> stack = new ArrayList<>(depth);
      for (int i = 0; i < depth && remaining() >= 4; i++) {
        stack.add(u32());
      }
      return stack;
    }
  }

  static TimedEvent decode(EventCursor cursor) {
    Fields in = new Fields(cursor);
    Event event = decode(cursor, in);
    if (event instanceof Event.Unknown) {
      return new TimedEvent(
          cursor.offsetBytes(), cursor.timestampNanos(), cursor.capability(), event, Bytes.EMPTY);
    }
    return new TimedEvent(
        cursor.offsetBytes(),
        cursor.timestampNanos(),
        cursor.capability(),
        event,
        cursor.bytes(in.at));
  }

  private static Event decode(EventCursor cursor, Fields in) {
    EventType type = cursor.knownId() < 0 ? null : EventType.findById(cursor.knownId());
    if (type == null) {
      return new Event.Unknown(cursor.id(), cursor.bytes(0));
    }
    return switch (type) {
      case CREATE_THREAD -> new Event.CreateThread(in.u32());
      case RUN_THREAD -> new Event.RunThread(in.u32());
      case STOP_THREAD ->
          new Event.StopThread(
              in.u32(), new StopStatus(in.u16()), in.remaining() >= 4 ? in.u32() : 0);
      case THREAD_RUNNABLE -> new Event.ThreadRunnable(in.u32());
      case MIGRATE_THREAD -> new Event.MigrateThread(in.u32(), in.u16());
      case RUN_SPARK -> new Event.RunSpark(in.u32());
      case STEAL_SPARK -> new Event.StealSpark(in.u32(), in.u16());
      case SHUTDOWN -> new Event.Shutdown();
      case THREAD_WAKEUP -> new Event.WakeupThread(in.u32(), in.u16());
      case GC_START -> new Event.StartGc();
      case GC_END -> new Event.EndGc();
      case REQUEST_SEQ_GC -> new Event.RequestSeqGc();
      case REQUEST_PAR_GC -> new Event.RequestParGc();
      case CREATE_SPARK_THREAD -> new Event.CreateSparkThread(in.u32());
      case LOG_MSG -> new Event.LogMessage(in.rest());
      case STARTUP -> new Event.Startup(in.u16());
      case BLOCK_MARKER -> new Event.BlockMarker(in.u32(), in.u64(), in.capability());
      case USER_MSG -> new Event.UserMessage(in.rest());
      case GC_IDLE -> new Event.GcIdle();
      case GC_WORK -> new Event.GcWork();
      case GC_DONE -> new Event.GcDone();
      case CAPSET_CREATE -> new Event.CapsetCreate(in.u32(), in.u16());
      case CAPSET_DELETE -> new Event.CapsetDelete(in.u32());
      case CAPSET_ASSIGN_CAP -> new Event.CapsetAssignCap(in.u32(), in.u16());
      case CAPSET_REMOVE_CAP -> new Event.CapsetRemoveCap(in.u32(), in.u16());
      case RTS_IDENTIFIER -> new Event.RtsIdentifier(in.u32(), in.rest());
      case PROGRAM_ARGS -> new Event.ProgramArgs(in.u32(), in.texts());
      case PROGRAM_ENV -> new Event.ProgramEnv(in.u32(), in.texts());
      case OSPROCESS_PID -> new Event.OsProcessPid(in.u32(), in.u32());
      case OSPROCESS_PPID -> new Event.OsProcessParentPid(in.u32(), in.u32());
      case SPARK_COUNTERS ->
          new Event.SparkCounters(
              in.u64(), in.u64(), in.u64(), in.u64(), in.u64(), in.u64(), in.u64());
      case SPARK_CREATE -> new Event.SparkCreate();
      case SPARK_DUD -> new Event.SparkDud();
      case SPARK_OVERFLOW -> new Event.SparkOverflow();
      case SPARK_RUN -> new Event.SparkRun();
      case SPARK_STEAL -> new Event.SparkSteal(in.u16());
      case SPARK_FIZZLE -> new Event.SparkFizzle();
      case SPARK_GC -> new Event.SparkGc();
      case INTERN_STRING -> {
        int length = cursor.payloadLength() - 4;
        in.at = cursor.payloadLength();
        yield new Event.InternString(cursor.text(0, length), cursor.u32(length));
      }
      case WALL_CLOCK_TIME -> new Event.WallClockTime(in.u32(), in.u64(), in.u32());
      case THREAD_LABEL -> new Event.ThreadLabel(in.u32(), in.rest());
      case CAP_CREATE -> new Event.CapCreate(in.u16());
      case CAP_DELETE -> new Event.CapDelete(in.u16());
      case CAP_DISABLE -> new Event.CapDisable(in.u16());
      case CAP_ENABLE -> new Event.CapEnable(in.u16());
      case HEAP_ALLOCATED -> new Event.HeapAllocated(in.u32(), in.u64());
      case HEAP_SIZE -> new Event.HeapSize(in.u32(), in.u64());
      case HEAP_LIVE -> new Event.HeapLive(in.u32(), in.u64());
      case HEAP_INFO_GHC ->
          new Event.HeapInfoGhc(in.u32(), in.u16(), in.u64(), in.u64(), in.u64(), in.u64());
      case GC_STATS_GHC ->
          new Event.GcStatsGhc(
              in.u32(),
              in.u16(),
              in.u64(),
              in.u64(),
              in.u64(),
              in.u32(),
              in.u64(),
              in.u64(),
              optionalU64(in));
      case GC_GLOBAL_SYNC -> new Event.GlobalSyncGc();
      case TASK_CREATE -> new Event.TaskCreate(in.u64(), in.u16(), in.u64());
      case TASK_MIGRATE -> new Event.TaskMigrate(in.u64(), in.u16(), in.u16());
      case TASK_DELETE -> new Event.TaskDelete(in.u64());
      case USER_MARKER -> new Event.UserMarker(in.rest());
      case MEM_RETURN -> new Event.MemReturn(in.u32(), in.u32(), in.u32(), in.u32());
      case BLOCKS_SIZE -> new Event.BlocksSize(in.u32(), in.u64());
      case PERF_NAME -> new Event.PerfName(in.u32(), in.rest());
      case PERF_COUNTER -> new Event.PerfCounter(in.u32(), in.u64(), in.u64());
      case PERF_TRACEPOINT -> new Event.PerfTracepoint(in.u32(), in.u64());
      case HEAP_PROF_BEGIN -> {
        int profileId = in.u8();
        long period = in.u64();
        long breakdown = in.u32();
        List<String> filters = new ArrayList<>(7);
        for (int i = 0; i < 7; i++) {
          filters.add(in.terminated());
        }
        yield new Event.HeapProfBegin(profileId, period, breakdown, filters);
      }
      case HEAP_PROF_COST_CENTRE ->
          new Event.HeapProfCostCentre(
              in.u32(),
              in.terminated(),
              in.terminated(),
              in.terminated(),
              in.remaining() > 0 ? in.u8() : 0);
      case HEAP_PROF_SAMPLE_BEGIN -> new Event.HeapProfSampleBegin(in.u64());
      case HEAP_PROF_SAMPLE_COST_CENTRE ->
          new Event.HeapProfSampleCostCentre(in.u8(), in.u64(), in.stack(in.u8()));
      case HEAP_PROF_SAMPLE_STRING ->
          new Event.HeapProfSampleString(in.u8(), in.u64(), in.terminated());
      case HEAP_PROF_SAMPLE_END -> new Event.HeapProfSampleEnd(in.u64());
      case HEAP_BIO_PROF_SAMPLE_BEGIN -> new Event.HeapBioProfSampleBegin(in.u64(), in.u64());
      case PROF_SAMPLE_COST_CENTRE ->
          new Event.ProfSampleCostCentre(in.u32(), in.u64(), in.stack(in.u8()));
      case PROF_BEGIN -> new Event.ProfBegin(in.u64());
      case IPE ->
          new Event.InfoTableProv(
              in.u64(),
              in.terminated(),
              in.terminated(),
              in.terminated(),
              in.terminated(),
              in.terminated(),
              in.terminated());
      case USER_BINARY_MSG -> {
        in.at = cursor.payloadLength();
        yield new Event.UserBinaryMessage(cursor.bytes(0));
      }
      case CONC_MARK_BEGIN -> new Event.ConcMarkBegin();
      case CONC_MARK_END -> new Event.ConcMarkEnd(in.u32());
      case CONC_SYNC_BEGIN -> new Event.ConcSyncBegin();
      case CONC_SYNC_END -> new Event.ConcSyncEnd();
      case CONC_SWEEP_BEGIN -> new Event.ConcSweepBegin();
      case CONC_SWEEP_END -> new Event.ConcSweepEnd();
      case CONC_UPD_REM_SET_FLUSH -> new Event.ConcUpdRemSetFlush(in.u16());
      case NONMOVING_HEAP_CENSUS ->
          new Event.NonmovingHeapCensus(
              cursor.payloadLength() == 13 ? 1 << (in.u8() & 31) : in.u16(),
              in.u32(),
              in.u32(),
              in.u32());
      case NONMOVING_PRUNED_SEGMENTS -> new Event.NonmovingPrunedSegments(in.u32(), in.u32());
      case TICKY_COUNTER_DEF ->
          new Event.TickyCounterDef(
              in.u64(),
              in.u16(),
              in.terminated(),
              in.terminated(),
              optionalU64(in),
              in.remaining() > 0 ? Optional.of(in.terminated()) : Optional.empty());
      case TICKY_COUNTER_SAMPLE ->
          new Event.TickyCounterSample(in.u64(), in.u64(), in.u64(), in.u64());
      case TICKY_COUNTER_BEGIN_SAMPLE -> new Event.TickyBeginSample();
      case EDEN_VERSION,
          EDEN_PROGRAM_INVOCATION,
          EDEN_START_RECEIVE,
          EDEN_END_RECEIVE,
          EDEN_CREATE_PROCESS,
          EDEN_KILL_PROCESS,
          EDEN_ASSIGN_THREAD_TO_PROCESS,
          EDEN_CREATE_MACHINE,
          EDEN_KILL_MACHINE,
          EDEN_SEND_MESSAGE,
          EDEN_RECEIVE_MESSAGE,
          EDEN_SEND_RECEIVE_LOCAL_MESSAGE,
          MER_START_PAR_CONJUNCTION,
          MER_END_PAR_CONJUNCTION,
          MER_END_PAR_CONJUNCT,
          MER_CREATE_SPARK,
          MER_FUT_CREATE,
          MER_FUT_WAIT_NOSUSPEND,
          MER_FUT_WAIT_SUSPENDED,
          MER_FUT_SIGNAL,
          MER_LOOKING_FOR_GLOBAL_CONTEXT,
          MER_WORK_STEALING,
          MER_LOOKING_FOR_LOCAL_SPARK,
          MER_RELEASE_CONTEXT,
          MER_ENGINE_SLEEPING,
          MER_CALLING_MAIN ->
          otherRuntime(type, in);
    };
  }

  private static OptionalLong optionalU64(Fields in) {
    return in.remaining() >= 8 ? OptionalLong.of(in.u64()) : OptionalLong.empty();
  }

  private static Event otherRuntime(EventType type, Fields in) {
    String layout = OTHER_LAYOUTS[type.id()];
    List<Long> fields = new ArrayList<>(layout.length());
    String text = "";
    for (int i = 0; i < layout.length(); i++) {
      switch (layout.charAt(i)) {
        case '1' -> fields.add((long) in.u8());
        case '2' -> fields.add((long) in.u16());
        case '4' -> fields.add(in.u32());
        case '8' -> fields.add(in.u64());
        default -> text = in.rest();
      }
    }
    return new Event.OtherRuntime(type, fields, text);
  }

  static int idOf(Event event) {
    return switch (event) {
      case Event.CreateThread _ -> EventType.CREATE_THREAD.id();
      case Event.RunThread _ -> EventType.RUN_THREAD.id();
      case Event.StopThread _ -> EventType.STOP_THREAD.id();
      case Event.ThreadRunnable _ -> EventType.THREAD_RUNNABLE.id();
      case Event.MigrateThread _ -> EventType.MIGRATE_THREAD.id();
      case Event.RunSpark _ -> EventType.RUN_SPARK.id();
      case Event.StealSpark _ -> EventType.STEAL_SPARK.id();
      case Event.Shutdown _ -> EventType.SHUTDOWN.id();
      case Event.WakeupThread _ -> EventType.THREAD_WAKEUP.id();
      case Event.StartGc _ -> EventType.GC_START.id();
      case Event.EndGc _ -> EventType.GC_END.id();
      case Event.RequestSeqGc _ -> EventType.REQUEST_SEQ_GC.id();
      case Event.RequestParGc _ -> EventType.REQUEST_PAR_GC.id();
      case Event.CreateSparkThread _ -> EventType.CREATE_SPARK_THREAD.id();
      case Event.LogMessage _ -> EventType.LOG_MSG.id();
      case Event.Startup _ -> EventType.STARTUP.id();
      case Event.BlockMarker _ -> EventType.BLOCK_MARKER.id();
      case Event.UserMessage _ -> EventType.USER_MSG.id();
      case Event.GcIdle _ -> EventType.GC_IDLE.id();
      case Event.GcWork _ -> EventType.GC_WORK.id();
      case Event.GcDone _ -> EventType.GC_DONE.id();
      case Event.CapsetCreate _ -> EventType.CAPSET_CREATE.id();
      case Event.CapsetDelete _ -> EventType.CAPSET_DELETE.id();
      case Event.CapsetAssignCap _ -> EventType.CAPSET_ASSIGN_CAP.id();
      case Event.CapsetRemoveCap _ -> EventType.CAPSET_REMOVE_CAP.id();
      case Event.RtsIdentifier _ -> EventType.RTS_IDENTIFIER.id();
      case Event.ProgramArgs _ -> EventType.PROGRAM_ARGS.id();
      case Event.ProgramEnv _ -> EventType.PROGRAM_ENV.id();
      case Event.OsProcessPid _ -> EventType.OSPROCESS_PID.id();
      case Event.OsProcessParentPid _ -> EventType.OSPROCESS_PPID.id();
      case Event.SparkCounters _ -> EventType.SPARK_COUNTERS.id();
      case Event.SparkCreate _ -> EventType.SPARK_CREATE.id();
      case Event.SparkDud _ -> EventType.SPARK_DUD.id();
      case Event.SparkOverflow _ -> EventType.SPARK_OVERFLOW.id();
      case Event.SparkRun _ -> EventType.SPARK_RUN.id();
      case Event.SparkSteal _ -> EventType.SPARK_STEAL.id();
      case Event.SparkFizzle _ -> EventType.SPARK_FIZZLE.id();
      case Event.SparkGc _ -> EventType.SPARK_GC.id();
      case Event.InternString _ -> EventType.INTERN_STRING.id();
      case Event.WallClockTime _ -> EventType.WALL_CLOCK_TIME.id();
      case Event.ThreadLabel _ -> EventType.THREAD_LABEL.id();
      case Event.CapCreate _ -> EventType.CAP_CREATE.id();
      case Event.CapDelete _ -> EventType.CAP_DELETE.id();
      case Event.CapDisable _ -> EventType.CAP_DISABLE.id();
      case Event.CapEnable _ -> EventType.CAP_ENABLE.id();
      case Event.HeapAllocated _ -> EventType.HEAP_ALLOCATED.id();
      case Event.HeapSize _ -> EventType.HEAP_SIZE.id();
      case Event.HeapLive _ -> EventType.HEAP_LIVE.id();
      case Event.HeapInfoGhc _ -> EventType.HEAP_INFO_GHC.id();
      case Event.GcStatsGhc _ -> EventType.GC_STATS_GHC.id();
      case Event.GlobalSyncGc _ -> EventType.GC_GLOBAL_SYNC.id();
      case Event.TaskCreate _ -> EventType.TASK_CREATE.id();
      case Event.TaskMigrate _ -> EventType.TASK_MIGRATE.id();
      case Event.TaskDelete _ -> EventType.TASK_DELETE.id();
      case Event.UserMarker _ -> EventType.USER_MARKER.id();
      case Event.MemReturn _ -> EventType.MEM_RETURN.id();
      case Event.BlocksSize _ -> EventType.BLOCKS_SIZE.id();
      case Event.PerfName _ -> EventType.PERF_NAME.id();
      case Event.PerfCounter _ -> EventType.PERF_COUNTER.id();
      case Event.PerfTracepoint _ -> EventType.PERF_TRACEPOINT.id();
      case Event.HeapProfBegin _ -> EventType.HEAP_PROF_BEGIN.id();
      case Event.HeapProfCostCentre _ -> EventType.HEAP_PROF_COST_CENTRE.id();
      case Event.HeapProfSampleBegin _ -> EventType.HEAP_PROF_SAMPLE_BEGIN.id();
      case Event.HeapProfSampleCostCentre _ -> EventType.HEAP_PROF_SAMPLE_COST_CENTRE.id();
      case Event.HeapProfSampleString _ -> EventType.HEAP_PROF_SAMPLE_STRING.id();
      case Event.HeapProfSampleEnd _ -> EventType.HEAP_PROF_SAMPLE_END.id();
      case Event.HeapBioProfSampleBegin _ -> EventType.HEAP_BIO_PROF_SAMPLE_BEGIN.id();
      case Event.ProfSampleCostCentre _ -> EventType.PROF_SAMPLE_COST_CENTRE.id();
      case Event.ProfBegin _ -> EventType.PROF_BEGIN.id();
      case Event.InfoTableProv _ -> EventType.IPE.id();
      case Event.UserBinaryMessage _ -> EventType.USER_BINARY_MSG.id();
      case Event.ConcMarkBegin _ -> EventType.CONC_MARK_BEGIN.id();
      case Event.ConcMarkEnd _ -> EventType.CONC_MARK_END.id();
      case Event.ConcSyncBegin _ -> EventType.CONC_SYNC_BEGIN.id();
      case Event.ConcSyncEnd _ -> EventType.CONC_SYNC_END.id();
      case Event.ConcSweepBegin _ -> EventType.CONC_SWEEP_BEGIN.id();
      case Event.ConcSweepEnd _ -> EventType.CONC_SWEEP_END.id();
      case Event.ConcUpdRemSetFlush _ -> EventType.CONC_UPD_REM_SET_FLUSH.id();
      case Event.NonmovingHeapCensus _ -> EventType.NONMOVING_HEAP_CENSUS.id();
      case Event.NonmovingPrunedSegments _ -> EventType.NONMOVING_PRUNED_SEGMENTS.id();
      case Event.TickyCounterDef _ -> EventType.TICKY_COUNTER_DEF.id();
      case Event.TickyCounterSample _ -> EventType.TICKY_COUNTER_SAMPLE.id();
      case Event.TickyBeginSample _ -> EventType.TICKY_COUNTER_BEGIN_SAMPLE.id();
      case Event.OtherRuntime other -> other.type().id();
      case Event.Unknown unknown -> unknown.typeId();
    };
  }

  /**
   * Writes the payload of an event in its newest layout, or in the older one that fits the declared
   * size.
   */
  static void encode(Event event, @Nullable EventDeclaration declaration, ByteBuf out) {
    switch (event) {
      case Event.CreateThread(long thread) -> u32(out, thread);
      case Event.RunThread(long thread) -> u32(out, thread);
      case Event.StopThread(long thread, StopStatus status, long info) -> {
        u32(out, thread);
        out.writeShort(status.code());
        if (declaration == null || declaration.sizeBytes() >= 10) {
          u32(out, info);
        }
      }
      case Event.ThreadRunnable(long thread) -> u32(out, thread);
      case Event.MigrateThread(long thread, int capability) ->
          u32(out, thread).writeShort(capability);
      case Event.RunSpark(long thread) -> u32(out, thread);
      case Event.StealSpark(long thread, int capability) -> u32(out, thread).writeShort(capability);
      case Event.WakeupThread(long thread, int capability) ->
          u32(out, thread).writeShort(capability);
      case Event.CreateSparkThread(long thread) -> u32(out, thread);
      case Event.Startup(int capabilities) -> out.writeShort(capabilities);
      case Event.ThreadLabel(long thread, String label) -> rest(u32(out, thread), label);
      case Event.HeapAllocated(long capset, long bytes) -> u32(out, capset).writeLong(bytes);
      case Event.HeapSize(long capset, long bytes) -> u32(out, capset).writeLong(bytes);
      case Event.HeapLive(long capset, long bytes) -> u32(out, capset).writeLong(bytes);
      case Event.BlocksSize(long capset, long bytes) -> u32(out, capset).writeLong(bytes);
      case Event.HeapInfoGhc(
              long capset,
              int generations,
              long max,
              long area,
              long mblock,
              long block) ->
          u32(out, capset)
              .writeShort(generations)
              .writeLong(max)
              .writeLong(area)
              .writeLong(mblock)
              .writeLong(block);
      case Event.GcStatsGhc(
              long capset,
              int generation,
              long copied,
              long slop,
              long fragmentation,
              long threads,
              long max,
              long total,
              OptionalLong balanced) -> {
        u32(out, capset)
            .writeShort(generation)
            .writeLong(copied)
            .writeLong(slop)
            .writeLong(fragmentation);
        u32(out, threads).writeLong(max).writeLong(total);
        balanced.ifPresent(out::writeLong);
      }
      case Event.MemReturn(long capset, long current, long needed, long returned) ->
          u32(u32(u32(u32(out, capset), current), needed), returned);
      case Event.SparkCounters(
              long created,
              long dud,
              long overflowed,
              long converted,
              long gcd,
              long fizzled,
              long remaining) ->
          out.writeLong(created)
              .writeLong(dud)
              .writeLong(overflowed)
              .writeLong(converted)
              .writeLong(gcd)
              .writeLong(fizzled)
              .writeLong(remaining);
      case Event.SparkSteal(int capability) -> out.writeShort(capability);
      case Event.BlockMarker(long size, long end, int capability) ->
          u32(out, size).writeLong(end).writeShort(capability);
      case Event.CapsetCreate(long capset, int type) -> u32(out, capset).writeShort(type);
      case Event.CapsetDelete(long capset) -> u32(out, capset);
      case Event.CapsetAssignCap(long capset, int capability) ->
          u32(out, capset).writeShort(capability);
      case Event.CapsetRemoveCap(long capset, int capability) ->
          u32(out, capset).writeShort(capability);
      case Event.RtsIdentifier(long capset, String identifier) ->
          rest(u32(out, capset), identifier);
      case Event.ProgramArgs(long capset, List<String> arguments) ->
          terminated(u32(out, capset), arguments);
      case Event.ProgramEnv(long capset, List<String> environment) ->
          terminated(u32(out, capset), environment);
      case Event.OsProcessPid(long capset, long pid) -> u32(u32(out, capset), pid);
      case Event.OsProcessParentPid(long capset, long pid) -> u32(u32(out, capset), pid);
      case Event.WallClockTime(long capset, long seconds, long nanos) ->
          u32(u32(out, capset).writeLong(seconds), nanos);
      case Event.CapCreate(int capability) -> out.writeShort(capability);
      case Event.CapDelete(int capability) -> out.writeShort(capability);
      case Event.CapDisable(int capability) -> out.writeShort(capability);
      case Event.CapEnable(int capability) -> out.writeShort(capability);
      case Event.TaskCreate(long task, int capability, long kernelThread) ->
          out.writeLong(task).writeShort(capability).writeLong(kernelThread);
      case Event.TaskMigrate(long task, int capability, int newCapability) ->
          out.writeLong(task).writeShort(capability).writeShort(newCapability);
      case Event.TaskDelete(long task) -> out.writeLong(task);
      case Event.LogMessage(String text) -> rest(out, text);
      case Event.UserMessage(String text) -> rest(out, text);
      case Event.UserMarker(String text) -> rest(out, text);
      case Event.UserBinaryMessage(Bytes payload) -> out.writeBytes(payload.toArray());
      case Event.InternString(String text, long stringId) -> u32(rest(out, text), stringId);
      case Event.HeapProfBegin(int profile, long period, long breakdown, List<String> filters) ->
          terminated(u32(out.writeByte(profile).writeLong(period), breakdown), filters);
      case Event.HeapProfCostCentre(
              long costCentre,
              String label,
              String module,
              String location,
              int flags) ->
          terminated(u32(out, costCentre), List.of(label, module, location)).writeByte(flags);
      case Event.HeapProfSampleBegin(long sample) -> out.writeLong(sample);
      case Event.HeapProfSampleCostCentre(int profile, long bytes, List<Long> stack) ->
          stack(out.writeByte(profile).writeLong(bytes), stack);
      case Event.HeapProfSampleString(int profile, long bytes, String label) ->
          terminated(out.writeByte(profile).writeLong(bytes), List.of(label));
      case Event.HeapProfSampleEnd(long sample) -> out.writeLong(sample);
      case Event.HeapBioProfSampleBegin(long sample, long time) ->
          out.writeLong(sample).writeLong(time);
      case Event.ProfSampleCostCentre(long capability, long tick, List<Long> stack) ->
          stack(u32(out, capability).writeLong(tick), stack);
      case Event.ProfBegin(long interval) -> out.writeLong(interval);
      case Event.InfoTableProv(
              long table,
              String name,
              String closureType,
              String typeDescription,
              String label,
              String module,
              String location) ->
          terminated(
              out.writeLong(table),
              List.of(name, closureType, typeDescription, label, module, location));
      case Event.TickyCounterDef(
              long counter,
              int arity,
              String kinds,
              String name,
              OptionalLong table,
              Optional<String> json) -> {
        terminated(out.writeLong(counter).writeShort(arity), List.of(kinds, name));
        table.ifPresent(out::writeLong);
        json.ifPresent(text -> terminated(out, List.of(text)));
      }
      case Event.TickyCounterSample(long counter, long entries, long allocations, long allocated) ->
          out.writeLong(counter).writeLong(entries).writeLong(allocations).writeLong(allocated);
      case Event.ConcMarkEnd(long marked) -> u32(out, marked);
      case Event.ConcUpdRemSetFlush(int capability) -> out.writeShort(capability);
      case Event.NonmovingHeapCensus(int blockBytes, long active, long filled, long live) -> {
        if (declaration != null && declaration.sizeBytes() == 13) {
          out.writeByte(Integer.numberOfTrailingZeros(blockBytes));
        } else {
          out.writeShort(blockBytes);
        }
        u32(u32(u32(out, active), filled), live);
      }
      case Event.NonmovingPrunedSegments(long pruned, long free) -> u32(u32(out, pruned), free);
      case Event.PerfName(long counter, String name) -> rest(u32(out, counter), name);
      case Event.PerfCounter(long counter, long kernelThread, long period) ->
          u32(out, counter).writeLong(kernelThread).writeLong(period);
      case Event.PerfTracepoint(long counter, long kernelThread) ->
          u32(out, counter).writeLong(kernelThread);
      case Event.OtherRuntime(EventType type, List<Long> fields, String text) ->
          otherRuntime(type, fields, text, out);
      case Event.Unknown(int type, Bytes payload) -> out.writeBytes(payload.toArray());
      case Event.Shutdown _,
          Event.StartGc _,
          Event.EndGc _,
          Event.RequestSeqGc _,
          Event.RequestParGc _,
          Event.GcIdle _,
          Event.GcWork _,
          Event.GcDone _,
          Event.GlobalSyncGc _,
          Event.SparkCreate _,
          Event.SparkDud _,
          Event.SparkOverflow _,
          Event.SparkRun _,
          Event.SparkFizzle _,
          Event.SparkGc _,
          Event.TickyBeginSample _,
          Event.ConcMarkBegin _,
          Event.ConcSyncBegin _,
          Event.ConcSyncEnd _,
          Event.ConcSweepBegin _,
          Event.ConcSweepEnd _ -> {}
    }
  }

  private static void otherRuntime(EventType type, List<Long> fields, String text, ByteBuf out) {
    String layout = OTHER_LAYOUTS[type.id()];
    for (int i = 0; i < layout.length(); i++) {
      switch (layout.charAt(i)) {
        case '1' -> out.writeByte(fields.get(i).intValue());
        case '2' -> out.writeShort(fields.get(i).intValue());
        case '4' -> out.writeInt(fields.get(i).intValue());
        case '8' -> out.writeLong(fields.get(i));
        default -> rest(out, text);
      }
    }
  }

  private static ByteBuf u32(ByteBuf out, long value) {
    return out.writeInt((int) value);
  }

  private static ByteBuf rest(ByteBuf out, String text) {
    return out.writeBytes(text.getBytes(StandardCharsets.UTF_8));
  }

  private static ByteBuf terminated(ByteBuf out, List<String> texts) {
    for (String text : texts) {
      rest(out, text).writeByte(0);
    }
    return out;
  }

  private static ByteBuf stack(ByteBuf out, List<Long> stack) {
    out.writeByte(stack.size());
    for (long costCentre : stack) {
      u32(out, costCentre);
    }
    return out;
  }
}
