package org.ghcdebug.protocol.eventlog;

import org.jspecify.annotations.Nullable;

/**
 * The events that this library decodes, by the names of GHC's {@code EventLogFormat.h}.
 *
 * <p>A log declares its own event types; this catalogue says how to read the payload of those whose
 * id is known. Ids are never reused and fields are only ever appended, so an id decides the
 * meaning.
 */
public enum EventType {
  CREATE_THREAD(0, "CreateThread", 4, 4, EventClass.SCHEDULER),
  RUN_THREAD(1, "RunThread", 4, 4, EventClass.SCHEDULER),
  STOP_THREAD(2, "StopThread", 10, 6, EventClass.SCHEDULER),
  THREAD_RUNNABLE(3, "ThreadRunnable", 4, 4, EventClass.SCHEDULER),
  MIGRATE_THREAD(4, "MigrateThread", 6, 6, EventClass.SCHEDULER),
  RUN_SPARK(5, "RunSpark", 4, 4, EventClass.SPARKS_FULL),
  STEAL_SPARK(6, "StealSpark", 6, 6, EventClass.SPARKS_FULL),
  SHUTDOWN(7, "Shutdown", 0, 0, EventClass.BASE),
  THREAD_WAKEUP(8, "WakeupThread", 6, 6, EventClass.SCHEDULER),
  GC_START(9, "StartGC", 0, 0, EventClass.GC),
  GC_END(10, "EndGC", 0, 0, EventClass.GC),
  REQUEST_SEQ_GC(11, "RequestSeqGC", 0, 0, EventClass.GC),
  REQUEST_PAR_GC(12, "RequestParGC", 0, 0, EventClass.GC),
  CREATE_SPARK_THREAD(15, "CreateSparkThread", 4, 4, EventClass.SCHEDULER),
  LOG_MSG(16, "Message", EventType.VARIABLE, 0, EventClass.NONMOVING),
  STARTUP(17, "Startup", 2, 2, EventClass.BASE),
  BLOCK_MARKER(18, "EventBlock", 14, 14, EventClass.BASE),
  USER_MSG(19, "UserMessage", EventType.VARIABLE, 0, EventClass.USER),
  GC_IDLE(20, "GCIdle", 0, 0, EventClass.GC),
  GC_WORK(21, "GCWork", 0, 0, EventClass.GC),
  GC_DONE(22, "GCDone", 0, 0, EventClass.GC),
  EDEN_VERSION(23, "Version", EventType.VARIABLE, 0, EventClass.BASE),
  EDEN_PROGRAM_INVOCATION(24, "ProgramInvocation", EventType.VARIABLE, 0, EventClass.BASE),
  CAPSET_CREATE(25, "CapsetCreate", 6, 6, EventClass.BASE),
  CAPSET_DELETE(26, "CapsetDelete", 4, 4, EventClass.BASE),
  CAPSET_ASSIGN_CAP(27, "CapsetAssignCap", 6, 6, EventClass.BASE),
  CAPSET_REMOVE_CAP(28, "CapsetRemoveCap", 6, 6, EventClass.BASE),
  RTS_IDENTIFIER(29, "RtsIdentifier", EventType.VARIABLE, 4, EventClass.BASE),
  PROGRAM_ARGS(30, "ProgramArgs", EventType.VARIABLE, 4, EventClass.BASE),
  PROGRAM_ENV(31, "ProgramEnv", EventType.VARIABLE, 4, EventClass.BASE),
  OSPROCESS_PID(32, "OsProcessPid", 8, 8, EventClass.BASE),
  OSPROCESS_PPID(33, "OsProcessParentPid", 8, 8, EventClass.BASE),
  SPARK_COUNTERS(34, "SparkCounters", 56, 56, EventClass.SPARKS_SAMPLED),
  SPARK_CREATE(35, "SparkCreate", 0, 0, EventClass.SPARKS_FULL),
  SPARK_DUD(36, "SparkDud", 0, 0, EventClass.SPARKS_FULL),
  SPARK_OVERFLOW(37, "SparkOverflow", 0, 0, EventClass.SPARKS_FULL),
  SPARK_RUN(38, "SparkRun", 0, 0, EventClass.SPARKS_FULL),
  SPARK_STEAL(39, "SparkSteal", 2, 2, EventClass.SPARKS_FULL),
  SPARK_FIZZLE(40, "SparkFizzle", 0, 0, EventClass.SPARKS_FULL),
  SPARK_GC(41, "SparkGC", 0, 0, EventClass.SPARKS_FULL),
  INTERN_STRING(42, "InternString", EventType.VARIABLE, 4, EventClass.BASE),
  WALL_CLOCK_TIME(43, "WallClockTime", 16, 16, EventClass.BASE),
  THREAD_LABEL(44, "ThreadLabel", EventType.VARIABLE, 4, EventClass.SCHEDULER),
  CAP_CREATE(45, "CapCreate", 2, 2, EventClass.BASE),
  CAP_DELETE(46, "CapDelete", 2, 2, EventClass.BASE),
  CAP_DISABLE(47, "CapDisable", 2, 2, EventClass.BASE),
  CAP_ENABLE(48, "CapEnable", 2, 2, EventClass.BASE),
  HEAP_ALLOCATED(49, "HeapAllocated", 12, 12, EventClass.GC),
  HEAP_SIZE(50, "HeapSize", 12, 12, EventClass.GC),
  HEAP_LIVE(51, "HeapLive", 12, 12, EventClass.GC),
  HEAP_INFO_GHC(52, "HeapInfoGHC", 38, 38, EventClass.GC),
  GC_STATS_GHC(53, "GCStatsGHC", 58, 50, EventClass.GC),
  GC_GLOBAL_SYNC(54, "GlobalSyncGC", 0, 0, EventClass.GC),
  TASK_CREATE(55, "TaskCreate", 18, 18, EventClass.SCHEDULER),
  TASK_MIGRATE(56, "TaskMigrate", 12, 12, EventClass.SCHEDULER),
  TASK_DELETE(57, "TaskDelete", 8, 8, EventClass.SCHEDULER),
  USER_MARKER(58, "UserMarker", EventType.VARIABLE, 0, EventClass.USER),
  EDEN_START_RECEIVE(60, "EdenStartReceive", 0, 0, EventClass.BASE),
  EDEN_END_RECEIVE(61, "EdenEndReceive", 0, 0, EventClass.BASE),
  EDEN_CREATE_PROCESS(62, "CreateProcess", 4, 4, EventClass.BASE),
  EDEN_KILL_PROCESS(63, "KillProcess", 4, 4, EventClass.BASE),
  EDEN_ASSIGN_THREAD_TO_PROCESS(64, "AssignThreadToProcess", 8, 8, EventClass.BASE),
  EDEN_CREATE_MACHINE(65, "CreateMachine", 10, 10, EventClass.BASE),
  EDEN_KILL_MACHINE(66, "KillMachine", 2, 2, EventClass.BASE),
  EDEN_SEND_MESSAGE(67, "SendMessage", 19, 19, EventClass.BASE),
  EDEN_RECEIVE_MESSAGE(68, "ReceiveMessage", 23, 23, EventClass.BASE),
  EDEN_SEND_RECEIVE_LOCAL_MESSAGE(69, "SendReceiveLocalMessage", 17, 17, EventClass.BASE),
  MEM_RETURN(90, "MemReturn", 16, 16, EventClass.GC),
  BLOCKS_SIZE(91, "BlocksSize", 12, 12, EventClass.GC),
  MER_START_PAR_CONJUNCTION(100, "MerStartParConjunction", 12, 12, EventClass.BASE),
  MER_END_PAR_CONJUNCTION(101, "MerEndParConjunction", 8, 8, EventClass.BASE),
  MER_END_PAR_CONJUNCT(102, "MerEndParConjunct", 8, 8, EventClass.BASE),
  MER_CREATE_SPARK(103, "MerCreateSpark", 12, 12, EventClass.BASE),
  MER_FUT_CREATE(104, "MerFutureCreate", 12, 12, EventClass.BASE),
  MER_FUT_WAIT_NOSUSPEND(105, "MerFutureWaitNosuspend", 8, 8, EventClass.BASE),
  MER_FUT_WAIT_SUSPENDED(106, "MerFutureWaitSuspended", 8, 8, EventClass.BASE),
  MER_FUT_SIGNAL(107, "MerFutureSignal", 8, 8, EventClass.BASE),
  MER_LOOKING_FOR_GLOBAL_CONTEXT(108, "MerLookingForGlobalThread", 0, 0, EventClass.BASE),
  MER_WORK_STEALING(109, "MerWorkStealing", 0, 0, EventClass.BASE),
  MER_LOOKING_FOR_LOCAL_SPARK(110, "MerLookingForLocalSpark", 0, 0, EventClass.BASE),
  MER_RELEASE_CONTEXT(111, "MerReleaseThread", 4, 4, EventClass.BASE),
  MER_ENGINE_SLEEPING(112, "MerCapSleeping", 0, 0, EventClass.BASE),
  MER_CALLING_MAIN(113, "MerCallingMain", 0, 0, EventClass.BASE),
  PERF_NAME(140, "PerfName", EventType.VARIABLE, 4, EventClass.BASE),
  PERF_COUNTER(141, "PerfCounter", 20, 20, EventClass.BASE),
  PERF_TRACEPOINT(142, "PerfTracepoint", 12, 12, EventClass.BASE),
  HEAP_PROF_BEGIN(160, "HeapProfBegin", EventType.VARIABLE, 13, EventClass.PROFILING),
  HEAP_PROF_COST_CENTRE(161, "HeapProfCostCentre", EventType.VARIABLE, 4, EventClass.PROFILING),
  HEAP_PROF_SAMPLE_BEGIN(162, "HeapProfSampleBegin", 8, 8, EventClass.PROFILING),
  HEAP_PROF_SAMPLE_COST_CENTRE(
      163, "HeapProfSampleCostCentre", EventType.VARIABLE, 10, EventClass.PROFILING),
  HEAP_PROF_SAMPLE_STRING(164, "HeapProfSampleString", EventType.VARIABLE, 9, EventClass.PROFILING),
  HEAP_PROF_SAMPLE_END(165, "HeapProfSampleEnd", 8, 8, EventClass.PROFILING),
  HEAP_BIO_PROF_SAMPLE_BEGIN(166, "HeapBioProfSampleBegin", 16, 16, EventClass.PROFILING),
  PROF_SAMPLE_COST_CENTRE(
      167, "ProfSampleCostCentre", EventType.VARIABLE, 13, EventClass.PROFILING),
  PROF_BEGIN(168, "ProfBegin", 8, 8, EventClass.PROFILING),
  IPE(169, "InfoTableProv", EventType.VARIABLE, 8, EventClass.INFO_TABLES),
  USER_BINARY_MSG(181, "UserBinaryMessage", EventType.VARIABLE, 0, EventClass.USER),
  CONC_MARK_BEGIN(200, "ConcMarkBegin", 0, 0, EventClass.GC),
  CONC_MARK_END(201, "ConcMarkEnd", 4, 4, EventClass.GC),
  CONC_SYNC_BEGIN(202, "ConcSyncBegin", 0, 0, EventClass.GC),
  CONC_SYNC_END(203, "ConcSyncEnd", 0, 0, EventClass.GC),
  CONC_SWEEP_BEGIN(204, "ConcSweepBegin", 0, 0, EventClass.GC),
  CONC_SWEEP_END(205, "ConcSweepEnd", 0, 0, EventClass.GC),
  CONC_UPD_REM_SET_FLUSH(206, "ConcUpdRemSetFlush", 2, 2, EventClass.GC),
  NONMOVING_HEAP_CENSUS(207, "NonmovingHeapCensus", 14, 13, EventClass.NONMOVING),
  NONMOVING_PRUNED_SEGMENTS(208, "NonmovingPrunedSegments", 8, 8, EventClass.GC),
  TICKY_COUNTER_DEF(210, "TickyCounterDef", EventType.VARIABLE, 10, EventClass.TICKY),
  TICKY_COUNTER_SAMPLE(211, "TickyCounterSample", 32, 32, EventClass.TICKY),
  TICKY_COUNTER_BEGIN_SAMPLE(212, "TickyBeginSample", 0, 0, EventClass.TICKY);

  /** Size of an event whose payload is preceded by its own 16-bit length. */
  public static final int VARIABLE = 0xFFFF;

  private static final int HIGHEST_ID = 212;
  private static final @Nullable EventType[] BY_ID = new @Nullable EventType[HIGHEST_ID + 1];

  static {
    for (EventType type : values()) {
      BY_ID[type.id] = type;
    }
  }

  private final int id;
  private final String constructorName;
  private final int sizeBytes;
  private final int minimumBytes;
  private final EventClass eventClass;

  EventType(
      int id, String constructorName, int sizeBytes, int minimumBytes, EventClass eventClass) {
    this.id = id;
    this.constructorName = constructorName;
    this.sizeBytes = sizeBytes;
    this.minimumBytes = minimumBytes;
    this.eventClass = eventClass;
  }

  /** The 16-bit number that begins the event. */
  public int id() {
    return id;
  }

  /** What the Haskell library ghc-events calls this event. */
  public String constructorName() {
    return constructorName;
  }

  /** Payload size declared by GHC 9.10, or {@link #VARIABLE}. */
  public int sizeBytes() {
    return sizeBytes;
  }

  /** Fewest payload bytes that one of the known layouts has. */
  public int minimumBytes() {
    return minimumBytes;
  }

  /** The class of events that switches this one on. */
  public EventClass eventClass() {
    return eventClass;
  }

  /** The type with this id, or null where the id is unknown. */
  public static @Nullable EventType findById(int id) {
    return id >= 0 && id <= HIGHEST_ID ? BY_ID[id] : null;
  }

  /** The ghc-events name of an id, {@code UnknownEvent213} where it is not known. */
  public static String nameOf(int id) {
    EventType type = findById(id);
    return type != null ? type.constructorName : "UnknownEvent" + id;
  }
}
