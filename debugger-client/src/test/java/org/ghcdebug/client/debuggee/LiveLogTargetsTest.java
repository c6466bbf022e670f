package org.ghcdebug.client.debuggee;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.ghcdebug.client.testing.DebuggeeTest;
import org.ghcdebug.client.testing.RunningProgram;
import org.ghcdebug.client.testing.TestPrograms;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.protocol.eventlog.Event;
import org.ghcdebug.protocol.wire.Status;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Files, FIFOs and descriptors that the debuggee library writes the eventlog to. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class LiveLogTargetsTest {
  private static final int ROUNDS = 20_000; // some ten times what a pipe holds
  private static final String KEPT = "what was there before";

  private @TempDir Path directory;

  @DebuggeeTest
  void everyMarkerArrivesThroughAFifo(String ghc) throws Exception {
    everyMarkerArrivesThroughAPipe(ghc, "file ");
  }

  @DebuggeeTest
  void everyMarkerArrivesThroughADescriptor(String ghc) throws Exception {
    everyMarkerArrivesThroughAPipe(ghc, "descriptor ");
  }

  private void everyMarkerArrivesThroughAPipe(String ghc, String command) throws Exception {
    Path fifo = fifo();
    Path copy = directory.resolve("copy");
    try (RunningProgram program = TestPrograms.start(ghc, "logged").awaitReady();
        InputStream pipe = reading(fifo)) {
      obey(program, command + fifo);
      Thread reader = Thread.ofPlatform().daemon().start(() -> copy(pipe, copy));
      obey(program, "work " + ROUNDS);
      obey(program, "stop");
      reader.join(); // the program has closed its end
    }
    assertComplete(CollectedLog.of(copy), ROUNDS);
  }

  @DebuggeeTest
  void aDescriptorOfAFileIsWrittenOnFromWhereItIs(String ghc) throws Exception {
    Path file = directory.resolve("log");
    try (RunningProgram program = TestPrograms.start(ghc, "logged").awaitReady()) {
      Files.createFile(file);
      obey(program, "descriptor " + file);
      obey(program, "work 7");
      obey(program, "stop");
      assertComplete(CollectedLog.of(file), 7);
    }
  }

  @DebuggeeTest
  void aFileBeginsWithAllInfoTablesHoweverMany(String ghc) {
    Path file = directory.resolve("log");
    try (RunningProgram program = TestPrograms.start(ghc, "logged").awaitReady()) {
      obey(program, "tables 150000"); // 30 MB of log
      obey(program, "file " + file);
      obey(program, "work 3");
      obey(program, "stop");
    }
    CollectedLog log = CollectedLog.of(file);
    assertEquals(150_000, log.all(Event.InfoTableProv.class).size());
    assertComplete(log, 3);
  }

  @DebuggeeTest
  void aFifoOfWhichNobodyReadsDoesNotDelayTheEndOfTheProgram(String ghc) throws Exception {
    try (RunningProgram program = startPatient(ghc);
        InputStream unread = reading(fifo())) {
      endWithFullFifo(program);
      assertTrue(unread.read() >= 0);
    }
  }

  @DebuggeeTest
  void norDoesASlowReader(String ghc) throws Exception {
    try (RunningProgram program = startPatient(ghc);
        InputStream pipe = reading(fifo())) {
      Thread.ofPlatform().daemon().start(() -> readSlowly(pipe, program.process()));
      endWithFullFifo(program);
    }
  }

  /** One that would wait for its reader for an hour. */
  private static RunningProgram startPatient(String ghc) {
    var patient = Map.of("GHC_DEBUG_STALL_SECONDS", "3600");
    return TestPrograms.start(ghc, "logged", patient).awaitReady();
  }

  private void endWithFullFifo(RunningProgram program) {
    obey(program, "file " + directory.resolve("fifo"));
    obey(program, "work " + ROUNDS);
    program.endInput();
    assertEquals(0, program.awaitExit());
    assertTrue(
        program.output().stream().anyMatch(line -> line.contains("fifo ends: its reader")),
        program.output()::toString);
  }

  @DebuggeeTest
  void aLogThatCannotBeginLeavesItsFileAlone(String ghc) throws Exception {
    Path own = directory.resolve("own");
    Path other = Files.writeString(directory.resolve("other"), KEPT);
    Path missing = directory.resolve("missing");
    try (RunningProgram program =
        TestPrograms.start(ghc, "logged", "+RTS", "-l", "-ol" + own).awaitReady()) {
      obey(program, "work 5");
      for (Path file : List.of(own, other, missing)) {
        program.say("file " + file);
        program.awaitLines("failed=file " + file, 1);
      }
      program.endInput();
      assertEquals(0, program.awaitExit());
    }
    assertComplete(CollectedLog.of(own), 5);
    assertEquals(KEPT, Files.readString(other));
    assertFalse(Files.exists(missing));
  }

  @DebuggeeTest
  void nothingIsReplacedInAPause(String ghc) throws Exception {
    Path file = Files.writeString(directory.resolve("file"), KEPT);
    Path missing = directory.resolve("missing");
    var hold = new Options(PauseMode.HOLD, Options.DEFAULT.timeout(), null, null);
    try (RunningProgram program = TestPrograms.start(ghc, "logged").awaitReady();
        LogClient client = new LogClient(program.socket())) {
      try (Debuggee debuggee = Debuggee.open(new TargetSpec.AtPath(program.socket()), hold)) {
        debuggee.view(Work.UNATTENDED);
        assertEquals(Status.ALREADY_PAUSED, client.logToFile(file));
        assertEquals(Status.ALREADY_PAUSED, client.logToFile(missing));
      }
      assertEquals(KEPT, Files.readString(file));
      assertFalse(Files.exists(missing));

      assertEquals(Status.OKAY, client.logToFile(file));
      obey(program, "work 6");
      obey(program, "stop");
      assertFalse(CollectedLog.of(file).truncated());
    }
  }

  private static void assertComplete(CollectedLog log, int rounds) {
    assertEquals(
        IntStream.rangeClosed(1, rounds).mapToObj(i -> "round " + i).toList(), log.markers());
    assertFalse(log.truncated());
  }

  private static void obey(RunningProgram program, String line) {
    program.say(line);
    program.awaitLines("done=" + line, 1);
  }

  private Path fifo() throws IOException, InterruptedException {
    Path fifo = directory.resolve("fifo");
    assertEquals(0, new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor());
    return fifo;
  }

  /** Does not wait for a writer, as opening a FIFO to read does. */
  private static InputStream reading(Path fifo) throws IOException {
    try (RandomAccessFile opener = new RandomAccessFile(fifo.toFile(), "rw")) {
      assertTrue(opener.getFD().valid());
      return Files.newInputStream(fifo);
    }
  }

  private static void copy(InputStream from, Path to) {
    try {
      Files.copy(from, to);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void readSlowly(InputStream pipe, Process writer) {
    try {
      while (writer.isAlive() && pipe.read() >= 0) {
        Thread.sleep(100);
      }
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
