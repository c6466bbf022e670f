package org.ghcdebug.client.source.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.ghcdebug.client.heap.Heap;
import org.ghcdebug.client.source.BlockGroup;
import org.ghcdebug.client.source.BlockSink;
import org.ghcdebug.client.testing.DebuggeeTest;
import org.ghcdebug.client.testing.RunningProgram;
import org.ghcdebug.client.testing.TestPrograms;
import org.ghcdebug.client.value.HaskellPrinter;
import org.ghcdebug.client.value.PrintLimits;
import org.ghcdebug.protocol.closure.Closure;
import org.ghcdebug.protocol.closure.Edge;
import org.ghcdebug.protocol.error.DebuggerException;
import org.ghcdebug.protocol.error.SourceUnavailableException;
import org.ghcdebug.protocol.target.AddressList;
import org.ghcdebug.protocol.target.Target;
import org.junit.jupiter.api.Timeout;

/** Real programs, held still and let go. */
@Timeout(300)
class LiveProgramTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** {@code -Dghcdebug.shortPrograms=500} for the long form. */
  private static final int SHORT_PROGRAMS = Integer.getInteger("ghcdebug.shortPrograms", 40);

  private static SocketSource connect(RunningProgram program) {
    return SocketSource.connect(program.socket(), PATIENCE);
  }

  private static void checkedExit(RunningProgram program) {
    program.goOn();
    assertEquals(0, program.awaitExit());
  }

  @DebuggeeTest
  void savedMapsAreShownInHaskellNotation(String ghc) {
    for (String way : List.of("bigmap", "bigmap-prof")) {
      try (RunningProgram program = TestPrograms.start(ghc, way, "200").awaitReady()) {
        try (SocketSource source = connect(program)) {
          source.pause();
          HaskellPrinter printer =
              new HaskellPrinter(new Heap(source), new PrintLimits(20, 6, 10_000));
          AddressList saved = source.savedObjects();
          assertEquals(
              "fromList [(0,Record 1000000 \"alice\" \"record 0\" Nothing Unrated),(1,Record"
                  + " 1000001 \"bob\" \"record 1\" (Just 500000) (Score 1000002001001)),(2,Record"
                  + " 1000002 \"carol\" \"record 2\" (Just 500001) Unrated),(3,Record 1000003"
                  + " \"dave\" \"record 3\" (Just 500001) (Score 1000006001009)),(4,Record 1000004"
                  + " \"erin\" \"record 4\" Nothing Unrated),(5,Record 1000005 \"frank\" \"record"
                  + " 5\" (Just 500002) <thunk Main.record>),…]",
              printer.print(saved.get(0)));
          assertEquals(
              "fromList [(1,\"one\"),(2,\"two\"),(3,\"three\"),(4,\"four\"),(5,\"five\")]",
              printer.print(saved.get(1)));
        }
        checkedExit(program);
      }
    }
  }

  @DebuggeeTest
  void theLazyHeapHoldsWhatTheProgramSaysItHolds(String ghc) {
    try (RunningProgram program = TestPrograms.start(ghc, "bigmap", "2000").awaitReady()) {
      try (SocketSource source = connect(program)) {
        source.pause();
        Map<String, Integer> counts = countByName(new Heap(source));
        program
            .facts()
            .forEach(
                (key, value) -> {
                  if (key.startsWith("holds.")) {
                    String name = key.substring("holds.".length());
                    assertEquals(Integer.parseInt(value), counts.get(name), name);
                  }
                });
      }
      checkedExit(program);
    }
  }

  private static Map<String, Integer> countByName(Heap heap) {
    Map<String, Integer> counts = new HashMap<>();
    Set<Long> seen = new HashSet<>();
    AddressList level = heap.savedObjects();
    while (!level.isEmpty()) {
      List<Long> next = new ArrayList<>();
      for (Closure closure : heap.closures(level)) {
        assertFalse(closure instanceof Closure.Unknown, closure::toString);
        counts.merge(heap.displayName(closure), 1, Integer::sum);
        for (Edge edge : heap.references(closure)) {
          if (Target.untag(edge.pointer()) != 0 && seen.add(edge.target().address())) {
            next.add(edge.target().address());
          }
        }
      }
      level = AddressList.of(next.stream().mapToLong(Long::longValue).toArray());
    }
    return counts;
  }

  @DebuggeeTest
  void aThousandPausesDoNotChangeTheResultOfABusyProgram(String ghc) {
    try (RunningProgram program = TestPrograms.start(ghc, "busy", "20000")) {
      assertEquals("20000", program.fact("rounds"));
      int whileRunning = 0;
      try (SocketSource source = connect(program)) {
        for (int i = 0; i < 1000; i++) {
          source.pause();
          assertEquals(3, source.savedObjects().size());
          source.resume();
          whileRunning += program.facts().containsKey("result") ? 0 : 1;
        }
      }
      assertEquals(0, program.awaitExit());
      assertTrue(whileRunning > 0);
    }
  }

  @DebuggeeTest
  void aProgramWhoseClientIsKilledGoesOn(String ghc) throws Exception {
    try (RunningProgram program = TestPrograms.start(ghc, "bigmap", "100").awaitReady()) {
      Process client = startHoldingClient(program.socket());
      program.goOn();
      assertFalse(program.process().waitFor(300, TimeUnit.MILLISECONDS), "it is not paused");
      client.destroyForcibly();
      assertEquals(0, program.awaitExit());
    }
  }

  @DebuggeeTest
  void aClientThatExitsResumesTheProgramFirst(String ghc) throws Exception {
    try (RunningProgram program = TestPrograms.start(ghc, "bigmap", "100").awaitReady()) {
      Process client = startHoldingClient(program.socket(), "exit");
      assertEquals(0, client.waitFor());
      try (SocketSource source = connect(program)) {
        source.pause();
        assertFalse(source.wasFoundPaused());
      }
      checkedExit(program);
    }
  }

  private static Process startHoldingClient(Path socket, String... more) throws IOException {
    String classPath =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                classPath,
                HoldingClient.class.getName(),
                socket.toString()));
    command.addAll(List.of(more));
    Process client =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    BufferedReader output =
        new BufferedReader(new InputStreamReader(client.getInputStream(), StandardCharsets.UTF_8));
    assertEquals("paused", output.readLine());
    return client;
  }

  @DebuggeeTest
  void aSinkThatFailsInTheMiddleOfTheBlocksLeavesTheProgramRunning(String ghc) {
    try (RunningProgram program = TestPrograms.start(ghc, "bigmap", "20000").awaitReady()) {
      SocketSource source = connect(program);
      source.pause();
      try {
        source.blocks(
            new BlockSink() {
              @Override
              public void group(BlockGroup group) {}

              @Override
              public void contents(MemorySegment bytes) {
                throw new SourceUnavailableException("test", "disk full");
              }
            });
      } catch (SourceUnavailableException expected) {
        source.close();
      }
      checkedExit(program);
    }
  }

  /**
   * The program says that it is about to pause an instant before it does; a client's pause that
   * comes in between is the same pause, and resuming it ends the program's: then it is tried again.
   */
  @DebuggeeTest
  void aPauseOfTheProgramsOwnIsFoundAndCanBeEnded(String ghc) {
    boolean found = false;
    for (int i = 0; i < 20 && !found; i++) {
      try (RunningProgram program = TestPrograms.start(ghc, "selfpause")) {
        assertEquals("1", program.fact("pausing"));
        try (SocketSource source = connect(program)) {
          source.pause();
          found = source.wasFoundPaused();
          if (found) {
            HaskellPrinter printer = new HaskellPrinter(new Heap(source), PrintLimits.DEFAULT);
            assertEquals("Just 1", printer.print(source.savedObjects().get(0)));
          }
          source.resume();
          endPausesUntil(program, source);
        }
        assertEquals(0, program.awaitExit());
        assertEquals("1", program.fact("resumed"));
      }
    }
    assertTrue(found);
  }

  /** The program's pause may have come after the client's. */
  private static void endPausesUntil(RunningProgram program, SocketSource source) {
    try {
      while (!program.facts().containsKey("resumed")) {
        source.pause();
        source.resume();
      }
    } catch (SourceUnavailableException ended) {
      assertEquals(0, program.awaitExit());
    }
  }

  @DebuggeeTest
  void processesThatAProgramForksBetweenPausesEnd(String ghc) {
    int children = 100;
    try (RunningProgram program =
        TestPrograms.start(ghc, "forks", Integer.toString(children)).awaitReady()) {
      int pauses = pauseUntilItEnds(program);
      assertEquals(0, program.awaitExit());
      assertEquals(children, program.number("children"));
      assertTrue(pauses > children / 10, () -> "only " + pauses + " pauses");
    }
  }

  @DebuggeeTest
  void programsThatEndWhileAClientPausesThemKeepTheirExitCodes(String ghc) {
    int met = 0;
    for (int i = 0; i < SHORT_PROGRAMS; i++) {
      int exitCode = i % 100;
      String rounds = Integer.toString(20 + 20 * exitCode); // when busy, the later ones are met
      try (RunningProgram program =
          TestPrograms.start(ghc, "short", Integer.toString(exitCode), rounds)) {
        met += pauseUntilItEnds(program) > 0 ? 1 : 0;
        assertEquals(exitCode, program.awaitExit());
      }
    }
    assertTrue(met > 0, "no program lived long enough to be paused");
  }

  /** Pauses and resumes until the connection ends; gives the number of pauses. */
  private static int pauseUntilItEnds(RunningProgram program) {
    while (!Files.exists(program.socket())) {
      if (!program.process().isAlive()) {
        return 0;
      }
      Thread.onSpinWait();
    }
    int pauses = 0;
    try (SocketSource source = connect(program)) {
      while (true) {
        source.pause();
        pauses++;
        source.resume();
      }
    } catch (DebuggerException itHasEnded) {
      return pauses;
    }
  }
}
