package org.ghcdebug.protocol.eventlog;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What an event says, apart from its time and capability. Names follow the constructors of the
 * Haskell library ghc-events; ids and layouts are those of GHC's {@code EventLogFormat.h}.
 *
 * <p>Thread ids are 32 bits wide, task ids and addresses 64 bits and unsigned, capability sets 32.
 */
public sealed interface Event {

  /** The event's number on the wire. */
  default int id() {
    return EventCodec.idOf(this);
  }

  // ---- Scheduler

  record CreateThread(long threadId) implements Event {}

  /** The thread starts running on the block's capability. */
  record RunThread(long threadId) implements Event {}

  /**
   * @param info stack size in words after a stack overflow, owning thread (0 = unknown) of a black
   *     hole, else 0
   */
  record StopThread(long threadId, StopStatus status, long info) implements Event {}

  record ThreadRunnable(long threadId) implements Event {}

  /** Written on the capability that the thread leaves. */
  record MigrateThread(long threadId, int newCapability) implements Event {}

  record RunSpark(long threadId) implements Event {}

  record StealSpark(long threadId, int victimCapability) implements Event {}

  record Shutdown() implements Event {}

  /** A request to wake a thread; it may concern a thread that has finished. */
  record WakeupThread(long threadId, int otherCapability) implements Event {}

  record CreateSparkThread(long threadId) implements Event {}

  record Startup(int capabilities) implements Event {}

  record ThreadLabel(long threadId, String label) implements Event {}

  // ---- Garbage collection and heap

  record StartGc() implements Event {}

  /** Its timestamp may lie some microseconds before its neighbours'. */
  record EndGc() implements Event {}

  record RequestSeqGc() implements Event {}

  record RequestParGc() implements Event {}

  record GcIdle() implements Event {}

  record GcWork() implements Event {}

  record GcDone() implements Event {}

  /** All capabilities have stopped. */
  record GlobalSyncGc() implements Event {}

  /** Bytes that the event's capability has allocated since the program started. */
  record HeapAllocated(long heapCapset, long bytes) implements Event {}

  /** Bytes in megablocks, whole heap. */
  record HeapSize(long heapCapset, long bytes) implements Event {}

  /** Live bytes, whole heap; only after a major collection. */
  record HeapLive(long heapCapset, long bytes) implements Event {}

  /** Bytes in allocated blocks, whole heap. */
  record BlocksSize(long heapCapset, long bytes) implements Event {}

  /**
   * @param maxHeapBytes 0 = unlimited
   */
  record HeapInfoGhc(
      long heapCapset,
      int generations,
      long maxHeapBytes,
      long allocationAreaBytes,
      long mblockBytes,
      long blockBytes)
      implements Event {}

  /**
   * @param parBalancedCopiedBytes absent before GHC 8.4
   */
  record GcStatsGhc(
      long heapCapset,
      int generation,
      long copiedBytes,
      long slopBytes,
      long fragmentationBytes,
      long parThreads,
      long parMaxCopiedBytes,
      long parTotalCopiedBytes,
      OptionalLong parBalancedCopiedBytes)
      implements Event {}

  /** Megablocks after a major collection. */
  record MemReturn(long heapCapset, long current, long needed, long returned) implements Event {}

  // ---- Sparks

  /** Cumulative counters of the event's capability. */
  record SparkCounters(
      long created,
      long dud,
      long overflowed,
      long converted,
      long gcd,
      long fizzled,
      long remaining)
      implements Event {}

  record SparkCreate() implements Event {}

  record SparkDud() implements Event {}

  record SparkOverflow() implements Event {}

  record SparkRun() implements Event {}

  record SparkSteal(int victimCapability) implements Event {}

  record SparkFizzle() implements Event {}

  record SparkGc() implements Event {}

  // ---- Capabilities, capability sets, process, tasks

  /**
   * A block of one buffer begins.
   *
   * @param sizeBytes size of the block, marker included
   * @param endTimestampNanos when the block was written out
   * @param capability the buffer's capability, or {@link TimedEvent#NO_CAPABILITY}
   */
  record BlockMarker(long sizeBytes, long endTimestampNanos, int capability) implements Event {}

  /**
   * @param capsetType 1 custom, 2 OS process, 3 clock domain
   */
  record CapsetCreate(long capset, int capsetType) implements Event {}

  record CapsetDelete(long capset) implements Event {}

  record CapsetAssignCap(long capset, int capability) implements Event {}

  record CapsetRemoveCap(long capset, int capability) implements Event {}

  /** For instance {@code GHC-9.6.6 rts_thr}. */
  record RtsIdentifier(long capset, String identifier) implements Event {}

  /** The command line, program name and RTS options included. */
  record ProgramArgs(long capset, List<String> arguments) implements Event {
    public ProgramArgs {
      arguments = List.copyOf(arguments);
    }
  }

  record ProgramEnv(long capset, List<String> environment) implements Event {
    public ProgramEnv {
      environment = List.copyOf(environment);
    }
  }

  record OsProcessPid(long capset, long pid) implements Event {}

  record OsProcessParentPid(long capset, long parentPid) implements Event {}

  /** The Unix time at the event's own timestamp. */
  record WallClockTime(long capset, long seconds, long nanos) implements Event {}

  record CapCreate(int capability) implements Event {}

  record CapDelete(int capability) implements Event {}

  record CapDisable(int capability) implements Event {}

  record CapEnable(int capability) implements Event {}

  record TaskCreate(long taskId, int capability, long kernelThreadId) implements Event {}

  record TaskMigrate(long taskId, int capability, int newCapability) implements Event {}

  record TaskDelete(long taskId) implements Event {}

  // ---- Messages

  /** A message of the runtime itself. */
  record LogMessage(String text) implements Event {}

  /** From {@code traceEvent}. */
  record UserMessage(String text) implements Event {}

  /** From {@code traceMarker}. */
  record UserMarker(String text) implements Event {}

  /** From {@code traceBinaryEvent#}. */
  record UserBinaryMessage(Bytes payload) implements Event {}

  record InternString(String text, long stringId) implements Event {}

  // ---- Profiles

  /**
   * @param breakdown what the profile is broken down by; see {@link HeapProfBreakdown}
   * @param filters the seven selectors: module, closure description, type description, cost centre,
   *     cost-centre stack, retainer, biography; empty where not restricted
   */
  record HeapProfBegin(int profileId, long periodNanos, long breakdown, List<String> filters)
      implements Event {
    public HeapProfBegin {
      filters = List.copyOf(filters);
    }
  }

  /**
   * @param flags bit 0 is set for a CAF; GHC writes the letter {@code c}
   */
  record HeapProfCostCentre(
      long costCentreId, String label, String module, String sourceLocation, int flags)
      implements Event {
    public boolean isCaf() {
      return (flags & 1) != 0;
    }
  }

  /** Sample numbers are 0 in all but biographical profiles; use the timestamp. */
  record HeapProfSampleBegin(long sample) implements Event {}

  /**
   * @param stack cost-centre ids, innermost first, without the outermost MAIN
   */
  record HeapProfSampleCostCentre(int profileId, long residencyBytes, List<Long> stack)
      implements Event {
    public HeapProfSampleCostCentre {
      stack = List.copyOf(stack);
    }
  }

  record HeapProfSampleString(int profileId, long residencyBytes, String label) implements Event {}

  record HeapProfSampleEnd(long sample) implements Event {}

  /**
   * @param censusTimestampNanos when the census was taken; the event itself is written at exit
   */
  record HeapBioProfSampleBegin(long sample, long censusTimestampNanos) implements Event {}

  /**
   * @param capability the sampled capability; the event is in the global buffer
   * @param stack cost-centre ids, innermost first
   */
  record ProfSampleCostCentre(long capability, long tick, List<Long> stack) implements Event {
    public ProfSampleCostCentre {
      stack = List.copyOf(stack);
    }
  }

  record ProfBegin(long tickIntervalNanos) implements Event {}

  /**
   * @param infoTableAddr address of the info table
   * @param closureType GHC's closure type as decimal digits
   * @param sourceLocation {@code file:span}, or {@code :} where unknown
   */
  record InfoTableProv(
      long infoTableAddr,
      String tableName,
      String closureType,
      String typeDescription,
      String label,
      String module,
      String sourceLocation)
      implements Event {}

  /**
   * @param infoTableAddr absent in older logs
   * @param json further description, absent in older logs
   */
  record TickyCounterDef(
      long counterId,
      int arity,
      String argumentKinds,
      String name,
      OptionalLong infoTableAddr,
      Optional<String> json)
      implements Event {}

  /** Differences to the last sample. */
  record TickyCounterSample(long counterId, long entries, long allocations, long allocated)
      implements Event {}

  record TickyBeginSample() implements Event {}

  // ---- Non-moving collector

  record ConcMarkBegin() implements Event {}

  record ConcMarkEnd(long markedObjects) implements Event {}

  record ConcSyncBegin() implements Event {}

  record ConcSyncEnd() implements Event {}

  record ConcSweepBegin() implements Event {}

  record ConcSweepEnd() implements Event {}

  record ConcUpdRemSetFlush(int capability) implements Event {}

  /**
   * @param blockBytes size of the allocator's blocks; up to GHC 9.8 a power of two
   */
  record NonmovingHeapCensus(
      int blockBytes, long activeSegments, long filledSegments, long liveBlocks) implements Event {}

  record NonmovingPrunedSegments(long prunedSegments, long freeSegments) implements Event {}

  // ---- Other writers

  record PerfName(long counterId, String name) implements Event {}

  /**
   * @param period the count is one more than this
   */
  record PerfCounter(long counterId, long kernelThreadId, long period) implements Event {}

  record PerfTracepoint(long counterId, long kernelThreadId) implements Event {}

  /**
   * An event of Eden or Mercury, which share the format.
   *
   * @param type which
   * @param fields the payload's numbers in order
   * @param text the payload's text, empty where it has none
   */
  record OtherRuntime(EventType type, List<Long> fields, String text) implements Event {
    public OtherRuntime {
      fields = List.copyOf(fields);
    }
  }

  /**
   * An event that this library does not know, or whose payload is too short to be what its id says.
   *
   * @param typeId its number
   * @param payload its bytes
   */
  record Unknown(int typeId, Bytes payload) implements Event {}
}
