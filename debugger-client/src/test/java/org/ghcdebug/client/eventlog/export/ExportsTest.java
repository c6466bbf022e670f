package org.ghcdebug.client.eventlog.export;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.ghcdebug.client.eventlog.EventLogSamples;
import org.ghcdebug.client.eventlog.EventLogs;
import org.ghcdebug.client.eventlog.LogValidator;
import org.ghcdebug.client.eventlog.SchedulerAnalysis;
import org.ghcdebug.client.eventlog.source.FileLog;
import org.ghcdebug.client.eventlog.source.LogReader;
import org.ghcdebug.client.eventlog.source.OrderedLog;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.protocol.error.MalformedDataException;
import org.ghcdebug.protocol.eventlog.ControlMessage;
import org.ghcdebug.protocol.eventlog.Event;
import org.ghcdebug.protocol.eventlog.TimedEvent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ExportsTest {
  private static final JsonMapper JSON = JsonMapper.shared();

  private @TempDir Path directory;

  private static FileLog sample(String name) {
    return new FileLog(EventLogSamples.file(name));
  }

  private static List<TimedEvent> events(String name) {
    return EventLogSamples.events(EventLogSamples.bytes(name));
  }

  @Test
  void everyEventOfEverySampleIsAnNdjsonRow() {
    for (Path file : EventLogSamples.files()) {
      if (EventLogSamples.bytes(file).length > 100_000) {
        continue;
      }
      StringBuilder out = new StringBuilder();
      LogReader.read(new FileLog(file), EventRows.ndjson(out), Work.UNATTENDED);
      List<TimedEvent> events = EventLogSamples.events(EventLogSamples.bytes(file));
      List<String> lines = out.toString().lines().toList();
      assertEquals(events.size(), lines.size(), file.toString());
      for (int i = 0; i < lines.size(); i++) {
        JsonNode row = JSON.readTree(lines.get(i));
        assertEquals(events.get(i).timestampNanos(), row.get("timeNanos").asLong());
        assertEquals(events.get(i).event().id(), row.get("id").asInt());
      }
    }
  }

  @Test
  void ndjsonRowsCarryTheFields() {
    StringBuilder out = new StringBuilder();
    LogReader.read(sample("synthetic/minimal"), EventRows.ndjson(out), Work.UNATTENDED);
    List<String> lines = out.toString().lines().toList();
    assertEquals(
        "{\"timeNanos\":3000,\"capability\":0,\"event\":\"StopThread\",\"id\":2,\"fields\":"
            + "{\"threadId\":1,\"status\":\"finished\",\"info\":0},"
            + "\"text\":\"stopping thread 1 (thread finished)\"}",
        lines.getLast());
  }

  @Test
  void csvQuotesWhatNeedsIt() {
    StringBuilder out = new StringBuilder();
    LogReader.read(sample("synthetic/minimal"), EventRows.csv(out), Work.UNATTENDED);
    assertTrue(
        out.toString()
            .contains(
                "95,,29,RtsIdentifier,\"capset 0: RTS version \"\"GHC-99.9.9 rts_thr\"\"\"\r\n"),
        out.toString());
    assertTrue(
        out.toString().endsWith("3000,0,2,StopThread,stopping thread 1 (thread finished)\r\n"));
  }

  @Test
  void chromeTraceHasTheSpansOfTheAnalysis() {
    StringBuilder out = new StringBuilder();
    ChromeTrace trace = new ChromeTrace(out);
    OrderedLog.read(sample("ghc-9.6.6/multi-n2"), trace, Work.UNATTENDED);
    trace.finish();
    JsonNode events = JSON.readTree(out.toString()).get("traceEvents");
    Map<String, Long> nanos = new HashMap<>();
    for (JsonNode event : events) {
      String phase = event.get("ph").asString();
      // What the format requires of each kind of event.
      assertTrue(Set.of("X", "M", "i", "C").contains(phase), phase);
      assertTrue(event.get("pid").isInt() && event.get("tid").isInt() && event.has("name"));
      assertTrue(event.get("ts").isNumber());
      if (phase.equals("X")) {
        assertTrue(event.get("dur").asDouble() >= 0);
        if (event.get("pid").asInt() == 1) {
          nanos.merge(
              event.get("cat").asString(),
              Math.round(event.get("dur").asDouble() * 1000),
              Long::sum);
        }
      }
    }
    SchedulerAnalysis.Result result =
        EventLogs.analyse(sample("ghc-9.6.6/multi-n2"), Work.UNATTENDED).scheduler();
    long gc =
        result.capabilities().stream().mapToLong(SchedulerAnalysis.CapabilityTimes::gcNanos).sum();
    assertEquals(gc, nanos.get("gc"));
    long running =
        result.threads().stream().mapToLong(SchedulerAnalysis.ThreadTimes::runningNanos).sum();
    assertTrue(Math.abs(running - nanos.get("mutator")) <= running / 100);
  }

  @Test
  void speedscopeAndFoldedStacksHoldEverySample() {
    var samples =
        EventLogs.analyse(sample("ghc-9.10.3/prof-time"), Work.UNATTENDED)
            .profiles()
            .costCentreSamples();
    StringBuilder out = new StringBuilder();
    StackExports.speedscope("prof", samples, out);
    JsonNode document = JSON.readTree(out.toString());
    int frames = document.get("shared").get("frames").size();
    JsonNode profile = document.get("profiles").get(0);
    assertEquals("sampled", profile.get("type").asString());
    assertEquals("nanoseconds", profile.get("unit").asString());
    assertEquals(profile.get("samples").size(), profile.get("weights").size());
    long weight = 0;
    for (int i = 0; i < profile.get("samples").size(); i++) {
      for (JsonNode frame : profile.get("samples").get(i)) {
        assertTrue(frame.asInt() >= 0 && frame.asInt() < frames);
      }
      weight += profile.get("weights").get(i).asLong();
    }
    assertEquals(samples.samples() * 10_000_000, weight);
    assertEquals(profile.get("endValue").asLong(), weight);
    StringBuilder folded = new StringBuilder();
    StackExports.folded(samples, folded);
    assertEquals(
        samples.samples(),
        folded
            .toString()
            .lines()
            .mapToLong(line -> Long.parseLong(line.substring(line.lastIndexOf(' ') + 1)))
            .sum());
  }

  @Test
  void hpFileHasEverySampleAndItsBytes() {
    var profile =
        EventLogs.analyse(sample("ghc-9.6.6/heap-hT"), Work.UNATTENDED).profiles().heapProfile();
    StringBuilder out = new StringBuilder();
    HeapProfileExports.hp(profile, "heap \"8\"", Instant.EPOCH, label -> label, out);
    List<String> lines = out.toString().lines().toList();
    assertEquals("JOB \"heap _8_\"", lines.getFirst());
    assertEquals("DATE \"Thu Jan 1 00:00 1970\"", lines.get(1));
    long bytes =
        lines.stream()
            .filter(line -> line.contains("\t"))
            .mapToLong(line -> Long.parseLong(line.substring(line.indexOf('\t') + 1)))
            .sum();
    assertEquals(profile.samples().stream().mapToLong(sample -> sample.totalBytes()).sum(), bytes);
    assertEquals(
        profile.samples().size() + 1,
        lines.stream().filter(line -> line.startsWith("BEGIN_SAMPLE")).count());
  }

  @Test
  void mergedLogsKeepEveryEventAndDoNotCollide() throws IOException {
    Path merged = directory.resolve("merged.eventlog");
    String first = "ghc-9.6.6/sched-default";
    String second = "ghc-9.6.6/multi-n2";
    LogMerger.Result result;
    try (OutputStream out = Files.newOutputStream(merged)) {
      result = LogMerger.merge(List.of(sample(first), sample(second)), out, Work.UNATTENDED);
    }
    assertEquals(
        0, result.logs().stream().mapToLong(LogMerger.Log::shiftNanos).min().orElseThrow());
    List<TimedEvent> events = EventLogSamples.events(Files.readAllBytes(merged));
    List<TimedEvent> plain =
        events.stream().filter(event -> !(event.event() instanceof Event.BlockMarker)).toList();
    assertEquals(plain.size(), result.events());
    Map<Class<?>, Long> expected = counts(events(first));
    counts(events(second)).forEach((kind, count) -> expected.merge(kind, count, Long::sum));
    expected.remove(Event.BlockMarker.class);
    assertEquals(expected, counts(plain));
    Set<Integer> capabilities =
        plain.stream().map(TimedEvent::capability).collect(Collectors.toSet());
    assertEquals(Set.of(-1, 0, 1, 2), capabilities);
    EventLogs.Validation merge = EventLogs.validate(new FileLog(merged), Work.UNATTENDED);
    EventLogs.Validation a = EventLogs.validate(sample(first), Work.UNATTENDED);
    EventLogs.Validation b = EventLogs.validate(sample(second), Work.UNATTENDED);
    for (LogValidator.Automaton automaton :
        List.of(LogValidator.Automaton.THREADS, LogValidator.Automaton.THREAD_RUN)) {
      assertEquals(
          a.automata().counts().getOrDefault(automaton, 0L)
              + b.automata().counts().getOrDefault(automaton, 0L),
          merge.automata().counts().getOrDefault(automaton, 0L),
          automaton.toString());
    }
    assertEquals(0, merge.stats().damageCount());
  }

  private static Map<Class<?>, Long> counts(List<TimedEvent> events) {
    Map<Class<?>, Long> counts = new HashMap<>();
    events.forEach(event -> counts.merge(event.event().getClass(), 1L, Long::sum));
    return counts;
  }

  @Test
  void logsThatCannotBeAlignedAreRefused() {
    assertThrows(
        MalformedDataException.class,
        () ->
            LogMerger.merge(
                List.of(sample("synthetic/empty"), sample("synthetic/minimal")),
                OutputStream.nullOutputStream(),
                Work.UNATTENDED));
  }

  @Test
  void replayKeepsTheRecordedTimesAndBytes() throws IOException {
    String name = "live/ghc-9.10.3-hT-1-from-start";
    byte[] bytes = EventLogSamples.bytes(name);
    Path log = Files.write(directory.resolve("log"), bytes);
    Path arrivals = directory.resolve("arrivals");
    Files.writeString(
        arrivals,
        "# seconds\tdirection\toffset\tbytes\n0.000\trecv\t0\t3180\n0.200\trecv\t3180\t17020\n"
            + "0.250\tsent\t-\tff\n0.350\trecv\t20200\t74611\n");
    List<LogReplay.Piece> schedule = LogReplay.arrivals(arrivals);
    ByteArrayOutputStream received = new ByteArrayOutputStream();
    List<Long> times = new ArrayList<>();
    long start = System.nanoTime();
    new LogReplay(log, schedule, (_, _, _) -> {})
        .run(
            piece -> {
              times.add(System.nanoTime());
              while (piece.hasRemaining()) {
                received.write(piece.get());
              }
            },
            1,
            Work.UNATTENDED);
    assertArrayEquals(bytes, received.toByteArray());
    assertEquals(3, times.size());
    for (int i = 0; i < 3; i++) {
      // Never early; how late, on a busy machine, is not this program's doing alone.
      long late = times.get(i) - start - schedule.get(i).atNanos();
      assertTrue(late >= 0 && late < 5_000_000_000L, "piece " + i + " is " + late + " ns late");
    }
  }

  @Test
  void replayObeysCommands() throws IOException {
    String name = "live/ghc-9.10.3-hT-2-late-attach-control";
    byte[] bytes = EventLogSamples.bytes(name);
    Path log = Files.write(directory.resolve("log"), bytes);
    long samples =
        EventLogSamples.events(bytes).stream()
            .filter(event -> event.event() instanceof Event.HeapProfSampleEnd)
            .count();
    assertEquals(
        List.of(0L, 1L, samples),
        List.of(censuses(log, 4), censuses(log, 4, 5), censuses(log, 4, 3)));
  }

  /** Complete censuses of a replay that gets these commands before its first block. */
  private static long censuses(Path log, int... commands) {
    ByteArrayOutputStream received = new ByteArrayOutputStream();
    List<LogReplay.Signal> waiting = new ArrayList<>();
    for (int command : commands) {
      waiting.add(
          new LogReplay.Signal.Commanded(new ControlMessage(ControlMessage.BUILT_IN, command)));
    }
    new LogReplay(log, LogReplay.blockEnds(log, Work.UNATTENDED), (_, _, _) -> {})
        .run(
            new LogReplay.Sink() {
              @Override
              public void write(ByteBuffer piece) {
                while (piece.hasRemaining()) {
                  received.write(piece.get());
                }
              }

              @Override
              public List<LogReplay.Signal> signals() {
                List<LogReplay.Signal> now = List.copyOf(waiting);
                waiting.clear();
                return now;
              }
            },
            1000,
            Work.UNATTENDED);
    List<TimedEvent> events = EventLogSamples.events(received.toByteArray());
    long begins =
        events.stream().filter(event -> event.event() instanceof Event.HeapProfSampleBegin).count();
    long ends =
        events.stream().filter(event -> event.event() instanceof Event.HeapProfSampleEnd).count();
    assertEquals(begins, ends);
    assertTrue(events.size() > 1000, "everything else is still there");
    return ends;
  }
}
