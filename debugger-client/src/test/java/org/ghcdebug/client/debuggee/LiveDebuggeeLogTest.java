package org.ghcdebug.client.debuggee;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.ghcdebug.client.eventlog.source.LogChannel;
import org.ghcdebug.client.eventlog.source.LogReader;
import org.ghcdebug.client.eventlog.source.LogSource;
import org.ghcdebug.client.testing.DebuggeeTest;
import org.ghcdebug.client.testing.RunningProgram;
import org.ghcdebug.client.testing.TestPrograms;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.protocol.error.DebuggeeRefusedException;
import org.ghcdebug.protocol.error.SourceUnavailableException;
import org.ghcdebug.protocol.eventlog.ControlMessage;
import org.ghcdebug.protocol.eventlog.Event;
import org.ghcdebug.protocol.eventlog.EventClass;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The eventlog that the debuggee library sends and writes, of programs that know what is in it. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class LiveDebuggeeLogTest {
  private @TempDir Path directory;

  @DebuggeeTest
  void everyMarkerArrivesOverTheDebugSocket(String ghc) throws Exception {
    try (RunningProgram program = start(ghc)) {
      say(program, "work 3", 1); // before there is a log
      Reader reader = new Reader(program.socket());
      say(program, "work 2000", 1);
      program.endInput();

      reader.awaitEnd();
      assertEquals(0, program.awaitExit());
      assertEquals(rounds(2000), reader.markers());
      assertTrue(reader.labels().contains("main loop"), reader.labels()::toString);
      assertFalse(reader.truncated());
    }
  }

  @DebuggeeTest
  void oneLogAtATimeAndAnotherAfterwards(String ghc) throws Exception {
    try (RunningProgram program = start(ghc)) {
      Reader gone = new Reader(program.socket());
      var refused = assertThrows(SourceUnavailableException.class, () -> open(program.socket()));
      assertTrue(refused.getMessage().contains("another client"), refused.getMessage());
      say(program, "file " + directory.resolve("log"), "failed", 1);
      gone.close();

      Reader next = null;
      for (int i = 0; next == null; i++) { // the program notices the end a moment later
        try {
          next = new Reader(program.socket());
        } catch (SourceUnavailableException busy) {
          assertTrue(i < 500, busy.getMessage());
          Thread.sleep(10);
        }
      }
      say(program, "work 7", 1);
      say(program, "stop", 1);
      next.awaitEnd();
      assertEquals(rounds(7), next.markers());
      assertFalse(next.truncated());
    }
  }

  @DebuggeeTest
  void classesAndCensusesAreSwitchedByTheReader(String ghc) throws Exception {
    try (RunningProgram program = start(ghc)) {
      Reader reader = new Reader(program.socket());
      say(program, "work 1", 1);
      reader.send(ControlMessage.eventClass(EventClass.USER, false));
      say(program, "work 2", 1);
      reader.send(ControlMessage.eventClass(EventClass.USER, true));
      say(program, "work 3", 1);
      reader.send(ControlMessage.REQUEST_HEAP_CENSUS);
      assertThrows(
          SourceUnavailableException.class,
          () -> reader.send(new ControlMessage("somebody else's", 1)));
      say(program, "stop", 1);
      reader.awaitEnd();

      List<String> expected = new ArrayList<>(rounds(1));
      expected.addAll(rounds(3));
      assertEquals(expected, reader.markers());
      assertEquals(1, reader.count(Event.HeapProfSampleBegin.class));
    }
  }

  @DebuggeeTest
  void theProgramWritesFilesByItself(String ghc) throws Exception {
    Path file = directory.resolve("log");
    try (RunningProgram program = start(ghc)) {
      say(program, "file " + directory.resolve("missing/log"), "failed", 1);
      say(program, "file " + file, 1);
      say(program, "work 5", 1);
      say(program, "flush", 1);
      say(program, "-user", 1);
      say(program, "work 4", 1);
      say(program, "+user", 1);
      say(program, "census", 1);
      say(program, "work 2", 1);
      say(program, "stop", 1);
      say(program, "file " + file, 2); // the former one is complete before this replaces it
      say(program, "work 5", 2);
      program.endInput();
      assertEquals(0, program.awaitExit());
    }
    CollectedLog log = CollectedLog.of(file);
    assertEquals(rounds(5), log.markers());
    assertFalse(log.truncated());
  }

  @DebuggeeTest
  void aLogBeginsWithAllInfoTablesHoweverMany(String ghc) throws Exception {
    try (RunningProgram program = start(ghc)) {
      say(program, "tables 150000", 1); // 30 MB of log
      Reader reader = new Reader(program.socket());
      say(program, "work 3", 1);
      say(program, "stop", 1);
      reader.awaitEnd();
      assertEquals(150_000, reader.count(Event.InfoTableProv.class));
      assertTrue(reader.labels().contains("main loop"), reader.labels()::toString);
      assertEquals(rounds(3), reader.markers());
      assertFalse(reader.truncated());
    }
  }

  @DebuggeeTest
  void aClientThatReadsNothingDoesNotDelayTheEndOfTheProgram(String ghc) {
    var patient = Map.of("GHC_DEBUG_STALL_SECONDS", "3600");
    try (RunningProgram program = TestPrograms.start(ghc, "logged", patient).awaitReady();
        DebuggeeLog log = open(program.socket())) {
      assertNotNull(log);
      say(program, "work 100000", 1);
      program.endInput();
      assertEquals(0, program.awaitExit());
    }
  }

  @DebuggeeTest
  void aReaderThatLeavesInAPauseLeavesNoLogBehind(String ghc) throws Exception {
    var hold = new Options(PauseMode.HOLD, Options.DEFAULT.timeout(), null, null);
    try (RunningProgram program = start(ghc);
        LogClient client = new LogClient(program.socket())) {
      Reader gone = new Reader(program.socket());
      try (Debuggee debuggee = Debuggee.open(new TargetSpec.AtPath(program.socket()), hold)) {
        debuggee.view(Work.UNATTENDED);
        assertEquals(LogClient.LOG_TO_CLIENT, client.logGoesTo());
        gone.close();
        int to;
        do {
          to = client.logGoesTo();
        } while (to == LogClient.LOG_TO_CLIENT);
        assertEquals(LogClient.LOG_NOWHERE, to);
      }
      say(program, "work 3", 1); // goes on into what the RTS still writes
      Reader next = new Reader(program.socket());
      say(program, "work 4", 1);
      say(program, "stop", 1);
      next.awaitEnd();
      assertEquals(rounds(4), next.markers());
      assertFalse(next.truncated());
    }
  }

  @DebuggeeTest
  void programsWithoutAHeapProfileAndPausedOnesRefuse(String ghc) throws Exception {
    try (RunningProgram program = TestPrograms.start(ghc, "busy", "100000000")) {
      program.fact("rounds");
      Reader reader = new Reader(program.socket());
      var refused =
          assertThrows(
              DebuggeeRefusedException.class,
              () -> reader.send(ControlMessage.REQUEST_HEAP_CENSUS));
      assertTrue(refused.getMessage().contains("-hT"), refused.getMessage());
      reader.close();
      var hold = new Options(PauseMode.HOLD, Options.DEFAULT.timeout(), null, null);
      try (Debuggee debuggee = Debuggee.open(new TargetSpec.AtPath(program.socket()), hold)) {
        debuggee.view(Work.UNATTENDED);
        var paused = assertThrows(SourceUnavailableException.class, () -> open(program.socket()));
        assertTrue(paused.getMessage().contains("paused"), paused.getMessage());
      }
      program.goOn();
      assertEquals(0, program.awaitExit());
    }
  }

  private static RunningProgram start(String ghc) {
    return TestPrograms.start(ghc, "logged").awaitReady();
  }

  private static void say(RunningProgram program, String line, int times) {
    say(program, line, "done", times);
  }

  private static void say(RunningProgram program, String line, String answer, int times) {
    program.say(line);
    program.awaitLines(answer + "=" + line, times);
  }

  private static List<String> rounds(int number) {
    return IntStream.rangeClosed(1, number).mapToObj(i -> "round " + i).toList();
  }

  private static DebuggeeLog open(Path socket) {
    return DebuggeeLog.open(new TargetSpec.AtPath(socket), Options.DEFAULT);
  }

  /** Reads the log of a debuggee on a thread of its own. */
  private static final class Reader {
    private final DebuggeeLog log;
    private final CollectedLog collector = new CollectedLog();
    private final Thread thread;
    private volatile @Nullable RuntimeException failure;

    Reader(Path socket) {
      log = open(socket);
      LogSource source =
          new LogSource() {
            @Override
            public String name() {
              return socket.toString();
            }

            @Override
            public LogChannel open() {
              return log;
            }
          };
      thread = Thread.ofPlatform().daemon().start(() -> read(source));
    }

    private void read(LogSource source) {
      try {
        LogReader.read(source, collector, Work.UNATTENDED);
      } catch (RuntimeException e) {
        failure = e;
      }
    }

    void send(ControlMessage message) {
      log.send(message);
    }

    void awaitEnd() throws InterruptedException {
      thread.join();
      assertEquals(null, failure);
    }

    void close() throws InterruptedException {
      log.close();
      thread.join();
      assertNotNull(failure);
    }

    boolean truncated() {
      return collector.truncated();
    }

    List<String> markers() {
      return collector.markers();
    }

    List<String> labels() {
      return collector.labels();
    }

    int count(Class<? extends Event> kind) {
      return collector.all(kind).size();
    }
  }
}
