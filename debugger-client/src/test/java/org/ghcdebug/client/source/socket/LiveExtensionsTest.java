package org.ghcdebug.client.source.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.ghcdebug.client.heap.Heap;
import org.ghcdebug.client.index.HeapCopy;
import org.ghcdebug.client.source.HeapSource;
import org.ghcdebug.client.source.PrefetchCache;
import org.ghcdebug.client.testing.DebuggeeTest;
import org.ghcdebug.client.testing.HeapFacts;
import org.ghcdebug.client.testing.RunningProgram;
import org.ghcdebug.client.testing.TestPrograms;
import org.ghcdebug.client.value.HaskellPrinter;
import org.ghcdebug.client.value.PrintLimits;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.protocol.error.DebuggeeRefusedException;
import org.ghcdebug.protocol.error.SourceUnavailableException;
import org.ghcdebug.protocol.extension.Hello;
import org.ghcdebug.protocol.extension.RtsFigure;
import org.ghcdebug.protocol.wire.Status;

/** What our own debuggee library can do more, on running programs. */
class LiveExtensionsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final String TOKEN = "open sesame";

  private static SocketSource connect(RunningProgram program) {
    return SocketSource.connect(program.socket(), PATIENCE);
  }

  private static RunningProgram busy(String ghc) {
    RunningProgram program = TestPrograms.start(ghc, "busy", "60000");
    program.number("rounds");
    return program;
  }

  @DebuggeeTest
  void saysWhatItIs(String ghc) {
    try (RunningProgram program = TestPrograms.start(ghc, "bigmap", "20000").awaitReady();
        SocketSource source = connect(program)) {
      Hello hello = source.hello().orElseThrow();
      assertEquals(source.target().ghc(), hello.ghc());
      assertEquals(source.target().profiling(), hello.profiling());
      assertEquals(program.process().pid(), hello.pid());
      assertEquals("bigmap", hello.program());
      assertEquals(List.of("20000"), hello.arguments());
      assertTrue(hello.isThreaded() && hello.canPause() && hello.canFork());

      source.pause();
      try (HeapCopy copy = HeapCopy.take(source, Work.UNATTENDED)) {
        long live = source.figures().find(RtsFigure.LIVE_BYTES).orElseThrow();
        long reachable = copy.tally().totalBytes();
        assertTrue(
            Math.abs(live - reachable) < reachable / 4,
            () -> "RTS says %d bytes alive, %d were reached".formatted(live, reachable));
      }
    }
  }

  @DebuggeeTest
  void theHeapIsTheSameByEveryPath(String ghc) throws IOException {
    int port = TestPrograms.freePort();
    Map<String, String> tcp =
        Map.of("GHC_DEBUG_TCP", Integer.toString(port), "GHC_DEBUG_TOKEN", TOKEN);
    for (String name : new String[] {"bigmap", "bigmap-prof", "zoo"}) {
      try (RunningProgram program = TestPrograms.start(ghc, name, tcp, "100").awaitReady();
          SocketSource direct = connect(program);
          SocketSource remote = SocketSource.connect("localhost", port, PATIENCE, TOKEN)) {
        direct.pause();
        remote.pause();
        try (HeapCopy byMemory = HeapCopy.take(direct, Work.UNATTENDED);
            HeapCopy bySocket = HeapCopy.take(remote, Work.UNATTENDED)) {
          assertEquals(Optional.of("process memory"), direct.blockPath());
          assertEquals(Optional.of("socket"), remote.blockPath());
          HeapFacts facts = HeapFacts.of(byMemory).withoutBytes();
          facts.assertSame(HeapFacts.of(bySocket).withoutBytes());
          facts.assertSame(HeapFacts.of(direct, byMemory).withoutBytes());
          HeapSource prefetching = PrefetchCache.over(direct);
          facts.assertSame(HeapFacts.of(prefetching, byMemory).withoutBytes());
          boolean isProfiled = name.endsWith("-prof");
          assertEquals(!isProfiled, byMemory.isDetached());
          assertFalse(bySocket.isDetached());
        }
      }
    }
  }

  @DebuggeeTest
  void overTcpOnlyTheTokenOpens(String ghc) throws IOException {
    int port = TestPrograms.freePort();
    Map<String, String> tcp =
        Map.of("GHC_DEBUG_TCP", Integer.toString(port), "GHC_DEBUG_TOKEN", TOKEN);
    try (RunningProgram program = TestPrograms.start(ghc, "bigmap", tcp, "100").awaitReady()) {
      for (String wrong : new String[] {null, "", "open sesamf", TOKEN + "!"}) {
        SourceUnavailableException refused =
            assertThrows(
                SourceUnavailableException.class,
                () -> SocketSource.connect("127.0.0.1", port, PATIENCE, wrong).close());
        assertTrue(refused.getMessage().contains("GHC_DEBUG_TOKEN"), refused::getMessage);
      }
      try (SocketSource source = SocketSource.connect("127.0.0.1", port, PATIENCE, TOKEN)) {
        assertEquals(3, countOfSaved(source));
      }
      program.goOn();
      assertEquals(0, program.awaitExit());
    }
  }

  private static int countOfSaved(SocketSource source) {
    source.pause();
    return source.savedObjects().size() + 1; // bigmap saves two maps
  }

  @DebuggeeTest
  void aForkedCopyIsFrozenWhileTheProgramGoesOn(String ghc) throws InterruptedException {
    try (RunningProgram program = busy(ghc)) {
      try (SocketSource source = connect(program)) {
        source.fork(Duration.ZERO);
        String frozen = counter(source);
        Thread.sleep(300);
        assertEquals(frozen, counter(source));
        assertEquals(1, program.process().children().count());
        source.resume();

        source.fork(Duration.ZERO);
        assertNotEquals(frozen, counter(source));
      }
      assertEquals(0, program.awaitExit());
    }
  }

  /** The TVar that four threads of {@code busy} count in. */
  private static String counter(SocketSource source) {
    HaskellPrinter printer = new HaskellPrinter(new Heap(source), PrintLimits.DEFAULT);
    return printer.print(source.savedObjects().get(1));
  }

  @DebuggeeTest
  void aPauseEndsByItselfWhenItsBudgetIsSpent(String ghc) throws InterruptedException {
    try (RunningProgram program = busy(ghc);
        SocketSource source = connect(program)) {
      source.pause(Duration.ofMillis(200));
      assertFalse(source.roots().toArray().length == 0);
      Thread.sleep(1000);
      DebuggeeRefusedException late = assertThrows(DebuggeeRefusedException.class, source::roots);
      assertEquals(Status.NOT_PAUSED.code(), late.statusCode());
      assertEquals(0, program.awaitExit());
    }
  }

  @DebuggeeTest
  void othersReadWhatOneHolds(String ghc) {
    try (RunningProgram program = TestPrograms.start(ghc, "bigmap", "100").awaitReady();
        SocketSource holder = connect(program)) {
      holder.pause();
      try (SocketSource reader = connect(program);
          SocketSource another = connect(program);
          SocketSource fourth = connect(program)) {
        for (SocketSource other : List.of(reader, another, fourth)) {
          other.pause();
          assertTrue(other.wasFoundPaused());
          assertEquals(holder.savedObjects(), other.savedObjects());
        }
      }
      assertEquals(2, holder.savedObjects().size());
      holder.resume();
      program.goOn();
      assertEquals(0, program.awaitExit());
    }
  }
}
