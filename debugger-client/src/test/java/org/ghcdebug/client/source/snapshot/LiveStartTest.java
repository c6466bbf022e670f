package org.ghcdebug.client.source.snapshot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.ghcdebug.client.index.HeapCopy;
import org.ghcdebug.client.index.HeapTally;
import org.ghcdebug.client.source.socket.SocketSource;
import org.ghcdebug.client.testing.DebuggeeTest;
import org.ghcdebug.client.testing.HeapFacts;
import org.ghcdebug.client.testing.RunningProgram;
import org.ghcdebug.client.testing.TestPrograms;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.protocol.extension.RtsFigure;
import org.junit.jupiter.api.io.TempDir;

/** Programs that are debugged without being changed, or without a client. */
class LiveStartTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir private Path folder;

  @DebuggeeTest
  void aProgramThatOnlyGainedAFlagIsAttachedTo(String ghc) {
    try (RunningProgram program = TestPrograms.start(ghc, "linked", "500").awaitReady()) {
      try (SocketSource source = SocketSource.connect(program.socket(), PATIENCE)) {
        source.pause();
        try (HeapCopy copy = HeapCopy.take(source, Work.UNATTENDED)) {
          assertTrue(copy.tally().totalCount() > 500, () -> "closures " + copy.tally());
        }
        source.resume();
      }
      program.goOn();
      assertEquals(500L * 501 * 1001 / 6, program.number("sum"));
      assertEquals(0, program.awaitExit());
    }
  }

  @DebuggeeTest
  void withoutTheThreadedRuntimeItWarnsOnceAndRuns(String ghc) {
    try (RunningProgram program = TestPrograms.start(ghc, "unthreaded")) {
      assertEquals(500500, program.number("sum"));
      assertEquals(0, program.awaitExit());
      List<String> warnings =
          program.output().stream().filter(line -> line.contains("-threaded")).toList();
      assertEquals(1, warnings.size(), () -> "output " + program.output());
      assertEquals(2, program.output().size(), () -> "output " + program.output());
    }
  }

  @DebuggeeTest
  void theSnapshotThatAProgramWritesIsItsHeap(String ghc) throws Exception {
    Path file = folder.resolve("snapshot");
    Map<String, String> onSignal =
        Map.of("GHC_DEBUG_SNAPSHOT", file.toString(), "GHC_DEBUG_SNAPSHOT_SIGNAL", "12");
    try (RunningProgram program =
        TestPrograms.start(ghc, "bigmap", onSignal, "2000", "+RTS", "-I0").awaitReady()) {
      signal(program);
      awaitFile(file);
      try (SocketSource live = SocketSource.connect(program.socket(), PATIENCE)) {
        live.pause();
        try (HeapCopy copy = HeapCopy.take(live, Work.UNATTENDED);
            SnapshotSource snapshot = SnapshotSource.open(file);
            HeapCopy read = HeapCopy.take(snapshot, Work.UNATTENDED)) {
          assertTrue(read.tally().missing().isNone(), () -> "missing " + read.tally().missing());
          assertEquals(copy.tally().totalCount(), read.tally().totalCount());
          assertEquals(copy.tally().totalBytes(), read.tally().totalBytes());
          HeapFacts.of(copy).withoutBytes().assertSame(HeapFacts.of(read).withoutBytes());
        }
      }
    }
  }

  @DebuggeeTest
  void eachSignalGivesASnapshotOfItsOwn(String ghc) throws Exception {
    Map<String, String> onSignal =
        Map.of("GHC_DEBUG_SNAPSHOT", folder + "/%n.snapshot", "GHC_DEBUG_SNAPSHOT_SIGNAL", "12");
    try (RunningProgram program =
        TestPrograms.start(ghc, "bigmap", onSignal, "100000", "+RTS", "-I0").awaitReady()) {
      List<HeapTally> tallies = new ArrayList<>();
      for (int number = 1; number <= 3; number++) {
        signal(program);
        Path file = folder.resolve(number + ".snapshot");
        awaitFile(file);
        try (SnapshotSource snapshot = SnapshotSource.open(file);
            HeapCopy read = HeapCopy.take(snapshot, Work.UNATTENDED)) {
          tallies.add(read.tally());
        }
      }
      assertTrue(tallies.getFirst().totalCount() > 100000, () -> "closures " + tallies);
      assertTrue(tallies.getLast().missing().isNone(), () -> "missing " + tallies);
      assertEquals(tallies.getFirst().totalBytes(), tallies.get(1).totalBytes());
      assertEquals(tallies.getFirst().totalBytes(), tallies.get(2).totalBytes());
      program.goOn();
      assertEquals(0, program.awaitExit());
    }
  }

  @DebuggeeTest
  void whatCannotBeWrittenIsSaidAndLeavesNothingBehind(String ghc) throws Exception {
    Path taken = Files.createDirectory(folder.resolve("taken"));
    Map<String, String> onSignal =
        Map.of("GHC_DEBUG_SNAPSHOT", taken.toString(), "GHC_DEBUG_SNAPSHOT_SIGNAL", "12");
    try (RunningProgram program = TestPrograms.start(ghc, "bigmap", onSignal, "100").awaitReady()) {
      signal(program);
      program.awaitLines("ghc-debuggee: could not write " + taken + ": Is a directory", 1);
      assertEquals(List.of("taken"), names(folder));
      program.goOn();
      assertEquals(0, program.awaitExit());
    }
  }

  @DebuggeeTest
  void aSocketToWhichAProgramListensIsLeftToIt(String ghc) throws Exception {
    try (RunningProgram first = TestPrograms.start(ghc, "bigmap", "100").awaitReady()) {
      Map<String, String> same = Map.of("GHC_DEBUG_SOCKET", first.socket().toString());
      try (RunningProgram second = TestPrograms.start(ghc, "linked", same, "500").awaitReady()) {
        second.awaitLines(
            "ghc-debuggee: not listening on " + first.socket() + ": another program listens there",
            1);
        second.goOn();
        assertEquals(0, second.awaitExit());
      }
      try (SocketSource source = SocketSource.connect(first.socket(), PATIENCE)) {
        source.pause();
        source.resume();
      }
    }
  }

  @DebuggeeTest
  void whatPreventsTheStartIsAWarning(String ghc) throws Exception {
    Path longPath = folder.resolve("long".repeat(30));
    Path missing = folder.resolve("missing/socket");
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      String port = Integer.toString(taken.getLocalPort());
      assertRunsOn(
          ghc,
          Map.of("GHC_DEBUG_SOCKET", longPath.toString()),
          "not listening on " + longPath + ": the path is too long for a socket (108 bytes)");
      assertRunsOn(
          ghc,
          Map.of("GHC_DEBUG_SOCKET", missing.toString()),
          "not listening on " + missing + ": No such file or directory");
      assertRunsOn(
          ghc,
          Map.of("GHC_DEBUG_SOCKET", "", "GHC_DEBUG_TCP", port, "GHC_DEBUG_TOKEN", "sesame"),
          "not listening on " + port + ": Address already in use");
      assertRunsOn(
          ghc,
          Map.of("GHC_DEBUG_SOCKET", "", "GHC_DEBUG_TCP", port),
          "not listening on " + port + ": TCP needs a token in GHC_DEBUG_TOKEN");
    }
  }

  private static void assertRunsOn(String ghc, Map<String, String> environment, String warning) {
    try (RunningProgram program =
        TestPrograms.start(ghc, "linked", environment, "500").awaitReady()) {
      program.awaitLines("ghc-debuggee: " + warning, 1);
      program.goOn();
      assertEquals(500L * 501 * 1001 / 6, program.number("sum"));
      assertEquals(0, program.awaitExit());
    }
  }

  @DebuggeeTest
  void theSocketIsItsUsersOnly(String ghc) throws Exception {
    try (RunningProgram program = TestPrograms.start(ghc, "linked", "500").awaitReady()) {
      assertEquals(
          PosixFilePermissions.fromString("rw-------"),
          Files.getPosixFilePermissions(program.socket()));
    }
  }

  @DebuggeeTest
  void aSnapshotIsWrittenOnceSoMuchIsAlive(String ghc) throws Exception {
    Path file = folder.resolve("snapshot");
    Map<String, String> onLimit =
        Map.of("GHC_DEBUG_SNAPSHOT", file.toString(), "GHC_DEBUG_SNAPSHOT_LIMIT", "20M");
    try (RunningProgram program = TestPrograms.start(ghc, "leak", onLimit, "400000")) {
      awaitFile(file);
      try (SnapshotSource snapshot = SnapshotSource.open(file);
          HeapCopy read = HeapCopy.take(snapshot, Work.UNATTENDED)) {
        assertTrue(read.tally().missing().isNone(), () -> "missing " + read.tally().missing());
        assertTrue(Long.parseLong(snapshot.metadata().get("rts.liveBytes")) >= 20 << 20);
      }
      program.awaitReady(); // it went on
    }
  }

  /** The generations themselves do not count what is in blocks with much room left. */
  @DebuggeeTest
  void closuresThatLeaveRoomInTheirBlocksCountForTheLimit(String ghc) throws Exception {
    Path file = folder.resolve("snapshot");
    Map<String, String> onLimit =
        Map.of("GHC_DEBUG_SNAPSHOT", file.toString(), "GHC_DEBUG_SNAPSHOT_LIMIT", "10M");
    try (RunningProgram program =
        TestPrograms.start(ghc, "leaks", onLimit, "pages", "500000").awaitReady()) {
      awaitFile(file);
      try (SocketSource source = SocketSource.connect(program.socket(), PATIENCE)) {
        long alive = source.figures().find(RtsFigure.LIVE_BYTES).getAsLong();
        long held = program.number("holds.bytes");
        assertTrue(alive >= held && alive < held + held / 10, () -> alive + " of " + held);
      }
    }
  }

  @DebuggeeTest
  void whatTheEnvironmentSaysWronglyIsAWarning(String ghc) throws Exception {
    String path = folder.resolve("snapshot").toString();
    assertRunsOn(
        ghc,
        Map.of("GHC_DEBUG_SNAPSHOT", path, "GHC_DEBUG_SNAPSHOT_SIGNAL", "USR2"),
        "GHC_DEBUG_SNAPSHOT_SIGNAL is USR2; expected a signal's number, for instance 12 for"
            + " SIGUSR2, and not 2 for SIGINT: no snapshot is written for a signal");
    assertRunsOn(
        ghc,
        Map.of("GHC_DEBUG_SNAPSHOT", path),
        "neither GHC_DEBUG_SNAPSHOT_LIMIT nor GHC_DEBUG_SNAPSHOT_SIGNAL says when to write "
            + path
            + ": no snapshot is written");
    assertRunsOn(
        ghc,
        Map.of("GHC_DEBUG_IDLE_SECONDS", "soon"),
        "GHC_DEBUG_IDLE_SECONDS is soon; expected a whole number of seconds, 1 or more: it is not"
            + " heeded");
    assertRunsOn(
        ghc,
        Map.of("GHC_DEBUG_TCP", "localhost:4711x", "GHC_DEBUG_TOKEN", "sesame"),
        "not listening on localhost:4711x: the port is not between 1 and 65535");
  }

  private static void signal(RunningProgram program) throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-12", Long.toString(program.process().pid())).start().waitFor();
  }

  private static List<String> names(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }

  /** It appears when it is complete. */
  private static void awaitFile(Path file) throws IOException, InterruptedException {
    long deadlineNanos = System.nanoTime() + PATIENCE.toNanos();
    while (!Files.exists(file)) {
      assertTrue(System.nanoTime() < deadlineNanos, () -> "no " + file);
      Thread.sleep(20);
    }
  }
}
