package org.ghcdebug.client.debuggee;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.protocol.error.TimeLimitException;
import org.ghcdebug.protocol.target.GhcVersion;
import org.ghcdebug.protocol.target.ProfilingMode;
import org.ghcdebug.protocol.target.Target;
import org.ghcdebug.stub.heap.RandomHeap;
import org.ghcdebug.stub.server.StubServer;
import org.junit.jupiter.api.Test;

class PauseBudgetTest {
  private static final Options HELD_FOR_MOMENTS =
      new Options(PauseMode.HOLD, Duration.ofSeconds(20), Duration.ofMillis(100), null);

  @Test
  void aHeldProgramIsResumedWhenItsBudgetIsSpent() throws Exception {
    Target target = new Target(new GhcVersion(910, 3), ProfilingMode.VANILLA);
    Path folder = Files.createTempDirectory(Path.of("/tmp"), "ghcd");
    try (StubServer program = new StubServer(RandomHeap.of(target, 1, 50), folder.resolve("s"));
        Debuggee debuggee =
            Debuggee.open(new TargetSpec.AtPath(folder.resolve("s")), HELD_FOR_MOMENTS)) {
      debuggee.view(Work.UNATTENDED);
      assertInstanceOf(State.Paused.class, debuggee.state());

      assertTrue(program.awaitPaused(false, Duration.ofSeconds(20)));
      while (debuggee.state() instanceof State.Paused) {
        Thread.onSpinWait(); // the program runs an instant before its answer is read
      }

      assertInstanceOf(State.Running.class, debuggee.state());
      assertThrows(TimeLimitException.class, () -> debuggee.view(Work.UNATTENDED));
    } finally {
      Files.delete(folder);
    }
  }
}
