package org.ghcdebug.client.eventlog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.ghcdebug.client.eventlog.source.FileLog;
import org.ghcdebug.client.eventlog.source.OrderedLog;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.protocol.eventlog.Event;
import org.ghcdebug.protocol.eventlog.HeapProfBreakdown;
import org.ghcdebug.protocol.eventlog.TimedEvent;
import org.junit.jupiter.api.Test;

/** Figures of real logs, against the same figures computed the slow way from all their events. */
class AnalysesTest {
  private static EventLogs.Report report(String name) {
    return EventLogs.analyse(new FileLog(EventLogSamples.file(name)), Work.UNATTENDED);
  }

  private static List<TimedEvent> events(String name) {
    return EventLogSamples.events(EventLogSamples.bytes(name));
  }

  @Test
  void statsCountEveryEventAndEveryByte() {
    for (Path file : EventLogSamples.files()) {
      byte[] bytes = EventLogSamples.bytes(file);
      EventStats.Result stats = EventLogs.stats(new FileLog(file), Work.UNATTENDED);
      List<TimedEvent> events = EventLogSamples.events(bytes);
      assertEquals(events.size(), stats.events(), file.toString());
      Map<Integer, Long> counts = new HashMap<>();
      events.forEach(event -> counts.merge(event.event().id(), 1L, Long::sum));
      for (EventStats.Row row : stats.rows()) {
        assertEquals(counts.get(row.id()), row.count(), file + " " + row.event());
      }
    }
    EventStats.Result minimal =
        EventLogs.stats(new FileLog(EventLogSamples.file("synthetic/minimal")), Work.UNATTENDED);
    assertEquals(189 - 2, minimal.bytes(), "all data but the end marker");
    assertEquals(2920, minimal.durationNanos());
    assertFalse(minimal.truncated());
    assertTrue(
        EventLogs.stats(
                new FileLog(EventLogSamples.file("synthetic/no-end-marker")), Work.UNATTENDED)
            .truncated());
  }

  @Test
  void collectionsAreCountedByTheirStatistics() {
    for (String name : List.of("ghc-9.6.6/multi-n2", "ghc-9.6.6/heap-hT", "ghc-9.10.3/sched-n4")) {
      Map<Integer, Long> expected = new HashMap<>();
      for (TimedEvent event : events(name)) {
        if (event.event() instanceof Event.GcStatsGhc stats) {
          expected.merge(stats.generation(), 1L, Long::sum);
        }
      }
      Map<Integer, Long> actual = new HashMap<>();
      GcAnalysis.Result result = report(name).collections();
      result.generations().forEach(g -> actual.put(g.generation(), g.collections()));
      assertEquals(expected, actual, name);
      assertEquals(0, result.unfinished(), name);
    }
  }

  @Test
  void onOneCapabilityThePausesAreItsCollections() {
    String name = "ghc-9.6.6/heap-hT";
    long pause = 0;
    long start = 0;
    List<Long> pauses = new ArrayList<>();
    for (TimedEvent event : events(name)) {
      switch (event.event()) {
        case Event.StartGc() -> start = event.timestampNanos();
        case Event.EndGc() -> {
          pause += event.timestampNanos() - start;
          pauses.add(event.timestampNanos() - start);
        }
        default -> {}
      }
    }
    EventLogs.Report report = report(name);
    assertEquals(pause, report.collections().pauseNanos());
    assertEquals(
        pauses.stream().mapToLong(Long::longValue).max().orElseThrow(),
        report.collections().generations().stream()
            .mapToLong(GcAnalysis.Generation::longestPauseNanos)
            .max()
            .orElseThrow());
    assertEquals(pause, report.scheduler().capabilities().getFirst().gcNanos());
  }

  @Test
  void allocationIsSummedOverCapabilitiesNotOverEvents() {
    Map<Integer, Long> latest = new HashMap<>();
    for (TimedEvent event : events("ghc-9.6.6/multi-n2")) {
      if (event.event() instanceof Event.HeapAllocated(long _, long bytes)) {
        latest.merge(event.capability(), bytes, Math::max);
      }
    }
    assertEquals(2, latest.size());
    HeapAnalysis.Result heap = report("ghc-9.6.6/multi-n2").heap();
    assertEquals(latest, heap.allocatedByCapability());
    assertEquals(
        latest.values().stream().mapToLong(Long::longValue).sum(), heap.last().allocatedBytes());
  }

  @Test
  void threadTimesAddUpToTheirLife() {
    SchedulerAnalysis.Result result = report("ghc-9.6.6/multi-n2").scheduler();
    List<TimedEvent> events = new ArrayList<>();
    OrderedLog.read(
        new FileLog(EventLogSamples.file("ghc-9.6.6/multi-n2")),
        event -> events.add(event.toTimedEvent()),
        Work.UNATTENDED);
    Map<Long, Long> created = new HashMap<>();
    Map<Long, Long> finished = new HashMap<>();
    Map<Long, Long> runs = new HashMap<>();
    for (TimedEvent event : events) {
      switch (event.event()) {
        case Event.CreateThread(long id) -> created.put(id, event.timestampNanos());
        case Event.StopThread(long id, var status, long _) when status.code() == 5 ->
            finished.putIfAbsent(id, event.timestampNanos());
        case Event.RunThread(long id) -> {
          if (!finished.containsKey(id)) {
            runs.merge(id, 1L, Long::sum);
          }
        }
        default -> {}
      }
    }
    int checked = 0;
    for (SchedulerAnalysis.ThreadTimes thread : result.threads()) {
      assertEquals(finished.containsKey(thread.threadId()), thread.finished());
      Long begin = created.get(thread.threadId());
      if (begin == null || !finished.containsKey(thread.threadId())) {
        continue;
      }
      long life = finished.get(thread.threadId()) - begin;
      long sum =
          thread.runningNanos()
              + thread.queuedNanos()
              + thread.foreignNanos()
              + thread.blockedNanos().values().stream().mapToLong(Long::longValue).sum();
      assertEquals(life, sum, "thread " + thread.threadId());
      assertEquals(runs.get(thread.threadId()), thread.runs(), "thread " + thread.threadId());
      checked++;
    }
    assertTrue(checked > 20, checked + " threads");
    assertTrue(result.threads().stream().anyMatch(thread -> thread.label().equals("worker-1")));
    assertTrue(result.productivity() > 0 && result.productivity() < 1);
    for (SchedulerAnalysis.CapabilityTimes capability : result.capabilities()) {
      assertTrue(
          capability.mutatorNanos() + capability.gcNanos() + capability.idleNanos()
              <= result.lastNanos() - result.firstNanos());
    }
  }

  @Test
  void everyBreakdownGivesItsProfile() {
    Map<String, HeapProfBreakdown> profiles =
        Map.of(
            "prof-hc", HeapProfBreakdown.COST_CENTRE,
            "prof-hm", HeapProfBreakdown.MODULE,
            "prof-hd", HeapProfBreakdown.CLOSURE_DESCR,
            "prof-hy", HeapProfBreakdown.TYPE_DESCR,
            "prof-hr", HeapProfBreakdown.RETAINER,
            "prof-hb", HeapProfBreakdown.BIOGRAPHY,
            "heap-hi", HeapProfBreakdown.INFO_TABLE,
            "prof-he", HeapProfBreakdown.ERA);
    profiles.forEach(
        (name, breakdown) -> {
          HeapProfile profile = report("ghc-9.10.3/" + name).profiles().heapProfile();
          assertEquals(Optional.of(breakdown), profile.breakdown(), name);
          assertFalse(profile.breakdownInferred(), name);
          assertTrue(profile.samples().size() >= 2, name);
          assertTrue(
              profile.samples().stream().anyMatch(sample -> sample.totalBytes() > 1_000_000), name);
          assertEquals(0, profile.incompleteSamples(), name);
        });
  }

  @Test
  void aCensusIsWhatTheCollectionLeftAlive() {
    EventLogs.Report report = report("ghc-9.6.6/heap-hT");
    List<TimedEvent> live =
        events("ghc-9.6.6/heap-hT").stream()
            .filter(event -> event.event() instanceof Event.HeapLive)
            .toList();
    HeapProfile profile = report.profiles().heapProfile();
    assertEquals(Optional.of(HeapProfBreakdown.CLOSURE_TYPE), profile.breakdown());
    assertTrue(profile.samples().size() > 2);
    for (HeapProfile.Sample sample : profile.samples()) {
      long nearest =
          live.stream()
              .filter(event -> event.timestampNanos() >= sample.timestampNanos())
              .mapToLong(event -> ((Event.HeapLive) event.event()).bytes())
              .findFirst()
              .orElse(sample.totalBytes());
      assertEquals(nearest, sample.totalBytes(), nearest * 0.01 + 1000);
    }
  }

  @Test
  void attachedLateTheBreakdownIsInferred() {
    HeapProfile byInfoTable = report("live/ghc-9.10.3-hi-late-attach").profiles().heapProfile();
    assertEquals(Optional.of(HeapProfBreakdown.INFO_TABLE), byInfoTable.breakdown());
    assertTrue(byInfoTable.breakdownInferred());
    HeapProfile byCostCentre = report("live/ghc-9.10.3-hc-p-late-attach").profiles().heapProfile();
    assertEquals(Optional.of(HeapProfBreakdown.COST_CENTRE), byCostCentre.breakdown());
  }

  @Test
  void infoTableLabelsResolve() {
    ProfileAnalysis profiles = report("ghc-9.10.3/heap-hi").profiles();
    assertTrue(
        profiles.heapProfile().samples().stream()
            .flatMap(sample -> sample.bytes().keySet().stream())
            .anyMatch(label -> profiles.infoTable(label).isPresent()));
  }

  @Test
  void costCentreSamplesAreFolded() {
    ProfileAnalysis profiles = report("ghc-9.10.3/prof-time").profiles();
    ProfileAnalysis.Samples samples = profiles.costCentreSamples();
    long expected =
        events("ghc-9.10.3/prof-time").stream()
            .filter(event -> event.event() instanceof Event.ProfSampleCostCentre)
            .count();
    assertEquals(expected, samples.samples());
    assertEquals(
        expected, samples.stacks().stream().mapToLong(ProfileAnalysis.StackCount::count).sum());
    assertEquals(10_000_000, samples.tickIntervalNanos());
    assertTrue(
        samples.stacks().stream().anyMatch(stack -> stack.frames().contains("Main:render")),
        samples.toString());
  }

  @Test
  void validRunsAreValidAndViolationsHaveTheirPlace() {
    EventLogs.Validation valid =
        EventLogs.validate(
            new FileLog(EventLogSamples.file("ghc-9.6.6/sched-default")), Work.UNATTENDED);
    assertTrue(valid.automata().isValid(LogValidator.Automaton.THREAD_RUN), valid.toString());
    EventLogs.Validation late =
        EventLogs.validate(
            new FileLog(EventLogSamples.file("live/ghc-9.6.6-hT-2-late-attach-control")),
            Work.UNATTENDED);
    assertFalse(late.automata().isValid(LogValidator.Automaton.THREADS));
    LogValidator.Violation first = late.automata().violations().getFirst();
    assertEquals("INITIAL", first.state());
    assertTrue(first.offsetBytes() > 3092);
    List<LogValidator.Transition> steps = new ArrayList<>();
    EventLogs.simulate(
        new FileLog(EventLogSamples.file("synthetic/minimal")), steps::add, Work.UNATTENDED);
    assertEquals(
        List.of("INITIAL>QUEUED", "QUEUED>RUNNING", "RUNNING>FINAL"),
        steps.stream()
            .filter(step -> step.automaton() == LogValidator.Automaton.THREADS)
            .map(step -> step.before() + ">" + step.after())
            .toList());
  }

  @Test
  void threadsOlderThanTheLogAreCountedAsThreads() {
    String name = "live/ghc-9.6.6-hT-2-late-attach-control";
    LiveSummary summary = new LiveSummary();
    Set<Long> alive = new HashSet<>();
    OrderedLog.read(
        new FileLog(EventLogSamples.file(name)),
        event -> {
          summary.event(event);
          if (event.knownId() == 1 || event.knownId() == 0) {
            alive.add(event.u32(0));
          } else if (event.knownId() == 2 && event.u16(4) == 5) {
            alive.remove(event.u32(0));
          }
          LiveSummary.Line line = event.offsetBytes() % 50 == 0 ? summary.line(0) : null;
          if (line != null) {
            assertEquals(alive.size(), line.threadsTotal());
            assertTrue(line.threadsRunning() + line.threadsBlocked() <= line.threadsTotal());
          }
        },
        Work.UNATTENDED);
    assertTrue(alive.size() > 1);
  }

  @Test
  void summaryLinesAddUpToTheWholeLog() {
    String name = "live/ghc-9.6.6-hT-3-until-exit";
    LiveSummary summary = new LiveSummary();
    List<LiveSummary.Line> lines = new ArrayList<>();
    long[] next = {0};
    OrderedLog.read(
        new FileLog(EventLogSamples.file(name)),
        event -> {
          if (event.id() != 18 && next[0] == 0) {
            next[0] = event.timestampNanos() + 1_000_000_000;
          }
          if (event.id() != 18 && event.timestampNanos() >= next[0]) {
            lines.add(summary.line(0));
            next[0] += 1_000_000_000;
          }
          summary.event(event);
        },
        Work.UNATTENDED);
    lines.add(summary.line(0));
    lines.add(summary.line(0));
    EventLogs.Report report = report(name);
    Map<Integer, Long> collections = new HashMap<>();
    lines.forEach(line -> line.collections().forEach((g, n) -> collections.merge(g, n, Long::sum)));
    Map<Integer, Long> expected = new HashMap<>();
    report.collections().generations().forEach(g -> expected.put(g.generation(), g.collections()));
    assertEquals(expected, collections);
    assertEquals(
        report.collections().pauseNanos(),
        lines.stream().mapToLong(LiveSummary.Line::pauseNanos).sum());
    double messages = lines.stream().mapToLong(LiveSummary.Line::messages).sum();
    assertEquals(
        events(name).stream()
            .filter(
                event ->
                    event.event() instanceof Event.UserMessage
                        || event.event() instanceof Event.UserMarker)
            .count(),
        messages);
    for (LiveSummary.Line line : lines) {
      assertTrue(line.gcShare() >= 0 && line.gcShare() + line.mutatorShare() <= 1.0001, "" + line);
    }
    LiveSummary.Line quiet = lines.getLast();
    assertEquals(0, quiet.allocatedPerSecond());
    assertTrue(quiet.collections().isEmpty());
    assertTrue(quiet.heap().sizeBytes().isPresent(), "gauges keep their last values");
  }

  @Test
  void wallClockIsThatOfTheEventNotOfTheProgramsStart() {
    LogInfo late = report("live/ghc-9.6.6-hT-2-late-attach-control").info();
    LogInfo later = report("live/ghc-9.6.6-hT-3-until-exit").info();
    assertEquals(late.pid(), later.pid());
    assertEquals(
        late.wallClockBaseNanos().orElseThrow(),
        later.wallClockBaseNanos().orElseThrow(),
        5_000_000,
        "two attaches to one program tell one start");
    assertTrue(late.rtsIdentifier().startsWith("GHC-9.6.6"));
  }
}
