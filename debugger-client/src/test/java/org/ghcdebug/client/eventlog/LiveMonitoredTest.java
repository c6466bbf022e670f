package org.ghcdebug.client.eventlog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.ghcdebug.client.eventlog.source.FileLog;
import org.ghcdebug.client.eventlog.source.LiveLogs;
import org.ghcdebug.client.eventlog.source.LiveOrder;
import org.ghcdebug.client.eventlog.source.LogSource;
import org.ghcdebug.client.eventlog.source.RetryPolicy;
import org.ghcdebug.client.eventlog.source.SocketLog;
import org.ghcdebug.client.testing.DebuggeeTest;
import org.ghcdebug.client.testing.TestPrograms;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.protocol.error.SourceUnavailableException;
import org.ghcdebug.protocol.eventlog.ControlMessage;
import org.ghcdebug.protocol.eventlog.Event;
import org.ghcdebug.protocol.eventlog.EventCursor;
import org.ghcdebug.protocol.eventlog.EventVisitor;
import org.ghcdebug.protocol.eventlog.LogHeader;
import org.ghcdebug.protocol.eventlog.TimedEvent;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Reading {@code monitored} while it runs: what is read agrees with what the program counts. */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class LiveMonitoredTest {
  private @TempDir Path directory;

  @DebuggeeTest
  void summaryLinesAgreeWithTheProgramOverASocket(String ghc) throws Exception {
    Path socket = directory.resolve("s");
    try (Program program = new Program(ghc, socket, "wait")) {
      agreesFromTheStart(program, SocketLog.unix(socket));
    }
  }

  @DebuggeeTest
  void summaryLinesAgreeWithTheProgramOverAPipe(String ghc) throws Exception {
    Path pipe = directory.resolve("p");
    assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
    try (Program program = new Program(ghc, pipe, "wait")) {
      agreesFromTheStart(program, new FileLog(pipe));
    }
  }

  private static void agreesFromTheStart(Program program, LogSource source) throws Exception {
    Reader reader = new Reader(source);
    program.awaitReady();
    program.say("work 30");
    program.say("work 30");
    Map<String, Long> counted = program.end();
    reader.awaitEnd();

    assertEquals(0, counted.get("dropped"));
    reader.assertWholeLogs(1);
    assertEquals(counted.get("collections"), reader.collections());
    assertEquals(counted.get("major"), reader.majorCollections());
    LiveSummary.Line last = reader.lines.getLast();
    assertEquals(counted.get("live"), last.heap().liveBytes().orElseThrow());
    assertEquals(counted.get("memory"), last.heap().sizeBytes().orElseThrow());
    assertEquals(counted.get("allocated"), last.heap().allocatedBytes());
    assertEquals(counted.get("copied"), reader.copied());
    assertEquals(60, reader.count(Event.UserMarker.class));
    assertEquals(
        120, reader.lines.stream().mapToLong(LiveSummary.Line::messages).sum(), "messages");
    assertTrue(counted.get("collections") > counted.get("major"), counted::toString);
  }

  @DebuggeeTest
  void aReaderThatComesLateAgreesFromThenOn(String ghc) throws Exception {
    Path socket = directory.resolve("s");
    try (Program program = new Program(ghc, socket)) {
      program.awaitReady();
      program.say("work 20");
      Map<String, Long> before = program.say("figures");
      Reader reader = new Reader(SocketLog.unix(socket));
      reader.awaitEvent(event -> event.event() instanceof Event.WallClockTime);
      // The first values of a late log are a base.
      Map<String, Long> base = program.say("figures");
      program.say("work 30");
      Map<String, Long> counted = program.end();
      reader.awaitEnd();

      reader.assertWholeLogs(1);
      assertEquals(counted.get("collections") - before.get("collections"), reader.collections());
      assertEquals(counted.get("major") - before.get("major"), reader.majorCollections());
      assertEquals(
          counted.get("allocated") - base.get("allocated"), reader.heap.allocatedSinceFirst());
      assertEquals(counted.get("allocated"), reader.lines.getLast().heap().allocatedBytes());
      assertEquals(counted.get("live"), reader.lines.getLast().heap().liveBytes().orElseThrow());
      assertEquals(30, reader.count(Event.UserMarker.class));
    }
  }

  @DebuggeeTest
  void eachReaderGetsALogOfItsOwnOneAfterTheOther(String ghc) throws Exception {
    Path socket = directory.resolve("s");
    try (Program program = new Program(ghc, socket)) {
      program.awaitReady();
      Reader first = new Reader(SocketLog.unix(socket));
      first.awaitEvent(event -> event.event() instanceof Event.WallClockTime);
      Reader second = new Reader(SocketLog.unix(socket));
      program.say("work 3");
      program.say("flush");
      first.awaitEvent(event -> event.event() instanceof Event.UserMarker);
      assertEquals(0, second.events().size());

      first.close();
      second.awaitEvent(event -> event.event() instanceof Event.WallClockTime);
      program.say("work 4");
      program.end();
      second.awaitEnd();
      second.assertWholeLogs(1);
      assertEquals(4, second.count(Event.UserMarker.class));
      assertEquals(1, second.count(Event.RtsIdentifier.class));
    }
  }

  @DebuggeeTest
  void loggingAndClassesAreSwitchedWhileTheProgramRuns(String ghc) throws Exception {
    Path socket = directory.resolve("s");
    try (Program program = new Program(ghc, socket, "wait")) {
      Reader reader = new Reader(SocketLog.unix(socket));
      program.awaitReady();
      program.say("work 2");
      program.say("-u");
      program.say("work 4");
      program.say("+u");
      program.say("-s");
      program.say("work 8");
      program.say("+s");
      program.say("off");
      program.say("work 16");
      program.say("on");
      program.say("work 32");
      program.end();
      reader.awaitEnd();

      reader.assertWholeLogs(2);
      assertEquals(2 + 8 + 32, reader.count(Event.UserMarker.class));
      // Labels of threads that were made while logging was off come with the next log.
      long labels =
          reader.events().subList(0, reader.starts.get(1)).stream()
              .filter(
                  event ->
                      event.event() instanceof Event.ThreadLabel label
                          && label.label().startsWith("worker "))
              .count();
      assertEquals(2 + 4, labels);
    }
  }

  @DebuggeeTest
  void commandsOfTheReaderAreObeyed(String ghc) throws Exception {
    Path socket = directory.resolve("s");
    try (Program program = new Program(ghc, socket, "wait")) {
      Reader reader = new Reader(SocketLog.unix(socket));
      program.awaitReady();
      reader.awaitEvent(event -> event.event() instanceof Event.WallClockTime);
      assertEquals(0, reader.count(Event.HeapProfSampleBegin.class));
      reader.logs.send(reader.source, ControlMessage.REQUEST_HEAP_CENSUS);
      // The census comes with a collection after the command.
      while (reader.count(Event.HeapProfSampleEnd.class) == 0) {
        program.say("figures");
        program.say("flush");
      }
      program.end();
      reader.awaitEnd();
      reader.assertWholeLogs(1);
      assertEquals(1, reader.count(Event.HeapProfSampleBegin.class));
      long sum =
          reader.events().stream()
              .mapToLong(
                  event ->
                      event.event() instanceof Event.HeapProfSampleString entry
                          ? entry.residencyBytes()
                          : 0)
              .sum();
      assertTrue(sum > 1000, () -> "a census of " + sum + " bytes");
    }
  }

  /** The program, and what it says. */
  private final class Program implements AutoCloseable {
    private final Process process;
    private final BufferedReader out;

    Program(String ghc, Path target, String... more) throws IOException {
      List<String> command =
          new ArrayList<>(
              List.of(TestPrograms.require(ghc, "monitored").toString(), target.toString()));
      command.addAll(List.of(more));
      process =
          new ProcessBuilder(command)
              .directory(directory.toFile())
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      out = process.inputReader(StandardCharsets.UTF_8);
      expect("listening=" + target);
    }

    void awaitReady() throws IOException {
      expect("ready");
    }

    private Map<String, Long> expect(@Nullable String last) throws IOException {
      Map<String, Long> numbers = new HashMap<>();
      String line = out.readLine();
      while (line != null && !line.equals(last)) {
        int equals = line.indexOf('=');
        numbers.put(line.substring(0, equals), Long.parseLong(line.substring(equals + 1)));
        line = out.readLine();
      }
      assertEquals(last, line);
      return numbers;
    }

    /** Has it do something, and returns what it counted. */
    Map<String, Long> say(String line) throws IOException {
      process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
      process.getOutputStream().flush();
      return expect("done=" + line);
    }

    /** Ends it, and returns what it counted at last. */
    Map<String, Long> end() throws IOException, InterruptedException {
      process.getOutputStream().close();
      Map<String, Long> numbers = expect(null);
      assertEquals(0, process.waitFor());
      return numbers;
    }

    @Override
    public void close() {
      process.destroyForcibly();
    }
  }

  /** Reads a log as {@code eventlog summary} does, on a thread of its own. */
  private static final class Reader implements LiveLogs.Listener {
    private final LogSource source;
    private final LiveLogs logs;
    private final Thread thread;
    private final EventStats stats = new EventStats();
    private final LiveSummary summary = new LiveSummary();
    private final HeapAnalysis heap = new HeapAnalysis();
    private final GcAnalysis collections = new GcAnalysis();
    private final List<LiveSummary.Line> lines = new ArrayList<>();
    private final List<TimedEvent> events = new ArrayList<>(); // guarded by itself
    // Where in the events each log begins.
    private final List<Integer> starts = new ArrayList<>();
    private volatile @Nullable RuntimeException failure;

    Reader(LogSource source) {
      this.source = source;
      logs =
          new LiveLogs(
              List.of(source),
              new LiveLogs.Options(
                  RetryPolicy.NONE, false, false, Optional.empty(), Duration.ofMillis(200)));
      thread =
          Thread.ofPlatform()
              .daemon()
              .start(
                  () -> {
                    try {
                      logs.run(this, Work.UNATTENDED);
                    } catch (RuntimeException e) {
                      failure = e;
                    }
                  });
    }

    @Override
    public EventVisitor visitor(LogSource from) {
      return EventVisitors.all(
          stats,
          new Collector(),
          new LiveOrder(EventVisitors.all(summary, heap, collections), 64 << 20));
    }

    private final class Collector implements EventVisitor {
      @Override
      public void header(LogHeader header) {
        starts.add(events().size());
      }

      @Override
      public void event(EventCursor event) {
        synchronized (events) {
          events.add(event.toTimedEvent());
          events.notifyAll();
        }
      }
    }

    @Override
    public void tick(long nanoTime) {
      lines.add(summary.line(0));
    }

    @Override
    public void closed(LogSource from, @Nullable SourceUnavailableException problem) {
      lines.add(summary.line(0));
    }

    List<TimedEvent> events() {
      synchronized (events) {
        return List.copyOf(events);
      }
    }

    long count(Class<? extends Event> kind) {
      return events().stream().filter(event -> kind.isInstance(event.event())).count();
    }

    void awaitEvent(Predicate<TimedEvent> wanted) throws InterruptedException {
      int seen = 0;
      synchronized (events) {
        while (true) {
          for (; seen < events.size(); seen++) {
            if (wanted.test(events.get(seen))) {
              return;
            }
          }
          assertTrue(thread.isAlive(), () -> "the log has ended: " + failure);
          events.wait(100);
        }
      }
    }

    void awaitEnd() throws InterruptedException {
      thread.join();
      assertNull(failure);
    }

    void close() throws InterruptedException {
      logs.close();
      thread.join();
    }

    void assertWholeLogs(long number) {
      EventStats.Result result = stats.result();
      assertEquals(number, result.logs());
      assertEquals(0, result.damageCount(), () -> result.damages().toString());
      assertFalse(result.truncated());
    }

    long collections() {
      return lines.stream()
          .flatMap(line -> line.collections().values().stream())
          .mapToLong(Long::longValue)
          .sum();
    }

    long majorCollections() {
      return lines.stream().mapToLong(line -> line.collections().getOrDefault(1, 0L)).sum();
    }

    long copied() {
      return collections.result().generations().stream()
          .mapToLong(GcAnalysis.Generation::copiedBytes)
          .sum();
    }
  }
}
