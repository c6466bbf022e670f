package org.ghcdebug.client.junit;

import static org.ghcdebug.client.junit.HeapAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.ghcdebug.client.debuggee.TargetSpec;
import org.ghcdebug.client.testing.DebuggeeTest;
import org.ghcdebug.client.testing.TestPrograms;
import org.ghcdebug.protocol.error.SourceUnavailableException;
import org.ghcdebug.protocol.error.TimeLimitException;
import org.ghcdebug.protocol.target.GhcVersion;
import org.ghcdebug.protocol.target.ProfilingMode;
import org.ghcdebug.protocol.target.Target;
import org.ghcdebug.stub.heap.HaskellValues;
import org.ghcdebug.stub.heap.HeapBuilder;
import org.ghcdebug.stub.server.StubServer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

class HaskellProgramTest {
  private static final Path SHELL = Path.of("/bin/sh");

  private static HaskellProgram shell(String script) {
    return HaskellProgram.start(SHELL, "-c", script);
  }

  private static String failure(HaskellProgram program) {
    return String.valueOf(
            assertThrows(SourceUnavailableException.class, program::launch).getMessage())
        .replaceAll("pid \\d+", "pid N");
  }

  @Test
  void aProgramThatEndsTooEarlyShowsWhatItPrinted() {
    assertEquals(
        """
        sh (pid N): ended with exit code 3 before it could be attached to; it printed:
          cannot open
            the database\
        """
            .replace("\n", System.lineSeparator()),
        failure(shell("echo cannot open; echo '  the database' >&2; exit 3")));
    assertEquals(
        "sh (pid N): ended with exit code 0 before it printed \"ready\"; it printed nothing",
        failure(shell("exit 0").readyWhenPrinted("ready")));
  }

  @Test
  void aProgramThatIsNotThereCannotBeStarted() {
    String message = failure(HaskellProgram.start(Path.of("/nowhere/server")));
    assertTrue(message.startsWith("/nowhere/server: cannot be started: "), message);
  }

  @Test
  void aProgramThatCannotBeAttachedToIsKilledInTime() {
    HaskellProgram program = shell("echo $$; exec sleep 100").withTimeout(Duration.ofMillis(300));
    String message =
        String.valueOf(assertThrows(TimeLimitException.class, program::launch).getMessage());
    assertTrue(
        message.contains(
            "could not be attached to within 300 ms (it made no socket): is it linked with"
                + " ghc-debuggee, with the threaded RTS, and its main wrapped in withDebuggee?"),
        message);
    long pid = Long.parseLong(message.lines().toList().getLast().strip());
    assertFalse(ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false));
  }

  @Test
  void aProgramThatIsNotReadyInTimeSaysWhatWasAwaited() {
    HaskellProgram program =
        shell("echo starting; exec sleep 100")
            .readyWhenPrinted("ready")
            .withTimeout(Duration.ofMillis(300));
    assertEquals(
        "sh (pid N) did not print \"ready\" within 300 ms; it printed:%n  starting".formatted(),
        String.valueOf(assertThrows(TimeLimitException.class, program::launch).getMessage())
            .replaceAll("pid \\d+", "pid N"));
  }

  @Test
  void whatWasNotStartedIsNotWaitedFor() {
    HaskellProgram attached = HaskellProgram.attach("pid:1");
    assertThrows(IllegalStateException.class, () -> attached.readyWhenPrinted("ready"));
    assertThrows(IllegalStateException.class, attached::output);
    assertThrows(IllegalStateException.class, attached::heap);
    assertThrows(IllegalStateException.class, () -> shell("exit 0").send("line"));
  }

  @Test
  void anAttachedProgramGoesOn(@TempDir Path folder) throws IOException, InterruptedException {
    HeapBuilder builder =
        new HeapBuilder(new Target(new GhcVersion(910, 3), ProfilingMode.VANILLA));
    HaskellValues values = new HaskellValues(builder);
    builder.save(values.just(values.integral(1000)));
    Path socket = folder.resolve("s");
    HaskellProgram program = HaskellProgram.attach(new TargetSpec.AtPath(socket));
    try (StubServer server = new StubServer(builder.build(), socket)) {
      try (HaskellProgram launched = program.launch()) {
        ProgramHeap first = launched.heap();
        assertThat(first).hasExactly(1, "Just").hasNone("Nothing");
        assertFalse(server.isPaused());
        ProgramHeap second = launched.heap();
        assertThat(second.fromSaved()).since(first).grewByAtMost(0);
        assertThrows(SourceUnavailableException.class, first::fromSaved);
        assertThrows(IllegalStateException.class, launched::launch);
      }
      assertTrue(server.awaitPaused(false, Duration.ofSeconds(10)));
      assertThrows(IllegalStateException.class, program::heap);
    }
  }

  @DebuggeeTest
  void aStartedProgramCanBeDrivenAndIsGoneAfterwards(String ghc) {
    Path leak = TestPrograms.require(ghc, "leak");
    Process process;
    try (HaskellProgram program =
        HaskellProgram.start(leak, "100").readyWhenPrinted("ready").launch()) {
      process = program.process();
      assertThat(program.heap()).hasExactly(51, "Main.Session");
      program.send("100");
      assertEquals(
          "holds.Main.Session=101",
          program.awaitLine(line -> line.startsWith("holds.Main.Session")));
      program.awaitLine("ready");
      assertThat(program.heap()).hasExactly(101, "Main.Session");
      program.endInput();
      program.awaitLine("served=200");
      String message =
          String.valueOf(
              assertThrows(SourceUnavailableException.class, () -> awaitTheEnd(program))
                  .getMessage());
      assertTrue(message.contains("ended with exit code 0 before its heap was read"), message);
      assertTrue(message.endsWith("  served=200"), message);
    }
    assertFalse(process.isAlive());
  }

  private static void awaitTheEnd(HaskellProgram program) throws InterruptedException {
    program.process().waitFor();
    program.heap();
  }

  private static final List<Long> pids = new ArrayList<>();

  /** One for all tests of a class. */
  static class SharedCase {
    @RegisterExtension
    static final HaskellProgram program =
        HaskellProgram.start(Path.of(System.getProperty("leak", "/nowhere")), "10")
            .readyWhenPrinted("ready");

    @Test
    void first() {
      pids.add(program.process().pid());
    }

    @Test
    void second() {
      pids.add(program.process().pid());
    }

    @Nested
    class Inner {
      @Test
      void third() {
        pids.add(program.process().pid());
      }
    }
  }

  /** One for each test. */
  static class OwnCase {
    @RegisterExtension
    final HaskellProgram program =
        HaskellProgram.start(Path.of(System.getProperty("leak", "/nowhere")), "10")
            .readyWhenPrinted("ready");

    @Test
    void first() {
      pids.add(program.process().pid());
    }

    @Test
    void second() {
      pids.add(program.process().pid());
    }
  }

  @Test
  void aStaticProgramServesAClassAndOthersOneTest() {
    Path leak = TestPrograms.require(TestPrograms.ghcVersions().getFirst(), "leak");
    System.setProperty("leak", leak.toString());
    try {
      assertEquals(3, run(SharedCase.class).getTestsSucceededCount());
      assertEquals(1, pids.stream().distinct().count());
      pids.clear();
      assertEquals(2, run(OwnCase.class).getTestsSucceededCount());
      assertEquals(2, pids.stream().distinct().count());
      assertTrue(pids.stream().allMatch(pid -> ProcessHandle.of(pid).isEmpty()));
    } finally {
      System.clearProperty("leak");
    }
  }

  private static TestExecutionSummary run(Class<?> testClass) {
    SummaryGeneratingListener listener = new SummaryGeneratingListener();
    LauncherFactory.create()
        .execute(
            LauncherDiscoveryRequestBuilder.request().selectors(selectClass(testClass)).build(),
            listener);
    return listener.getSummary();
  }
}
