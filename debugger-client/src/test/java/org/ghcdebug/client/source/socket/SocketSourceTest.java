package org.ghcdebug.client.source.socket;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.ghcdebug.client.source.BlockGroup;
import org.ghcdebug.client.source.BlockSink;
import org.ghcdebug.client.source.HeapSource.FrameAddress;
import org.ghcdebug.client.source.HeapSource.FunArguments;
import org.ghcdebug.client.testing.Snapshots;
import org.ghcdebug.protocol.error.CanceledException;
import org.ghcdebug.protocol.error.DebuggeeRefusedException;
import org.ghcdebug.protocol.error.MalformedDataException;
import org.ghcdebug.protocol.error.SourceUnavailableException;
import org.ghcdebug.protocol.error.TimeLimitException;
import org.ghcdebug.protocol.target.AddressList;
import org.ghcdebug.protocol.target.GhcVersion;
import org.ghcdebug.protocol.target.ProfilingMode;
import org.ghcdebug.protocol.target.Target;
import org.ghcdebug.protocol.wire.Command;
import org.ghcdebug.stub.heap.BuiltHeap;
import org.ghcdebug.stub.heap.Code;
import org.ghcdebug.stub.heap.RandomHeap;
import org.ghcdebug.stub.server.Fault;
import org.ghcdebug.stub.server.Personality;
import org.ghcdebug.stub.server.StubServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
class SocketSourceTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final Duration SHORT = Duration.ofMillis(300);
  private static final BuiltHeap HEAP =
      RandomHeap.of(new Target(new GhcVersion(906, 6), ProfilingMode.VANILLA), 5, 500);

  private Path folder = Path.of("/tmp");

  @BeforeEach
  void makeFolder() throws IOException {
    folder = Files.createTempDirectory(Path.of("/tmp"), "ghcd");
  }

  @AfterEach
  void removeFolder() throws IOException {
    Files.deleteIfExists(socket());
    Files.delete(folder);
  }

  private Path socket() {
    return folder.resolve("s");
  }

  private StubServer server(Personality personality) throws IOException {
    return new StubServer(HEAP, personality, socket());
  }

  private StubServer server() throws IOException {
    return server(Personality.GHC_DEBUGGEE);
  }

  private SocketSource connect(Duration timeout) {
    return SocketSource.connect(socket(), timeout);
  }

  private static AddressList allClosures() {
    return AddressList.of(
        HEAP.allClosures().stream().mapToLong(closure -> closure.address().address()).toArray());
  }

  private static final BlockSink IGNORING =
      new BlockSink() {
        @Override
        public void group(BlockGroup group) {}

        @Override
        public void contents(MemorySegment bytes) {}
      };

  @ParameterizedTest
  @EnumSource(Personality.class)
  void pausesOnlyWhenAskedAndResumesWhenClosed(Personality personality) throws Exception {
    try (StubServer server = server(personality)) {
      try (SocketSource source = connect(PATIENCE)) {
        assertFalse(server.isPaused());
        source.pause();
        source.pause();
        assertTrue(server.isPaused());
        assertEquals(1, server.served(Command.PAUSE));
        source.resume();
        source.resume();
        assertFalse(server.isPaused());
        source.pause();
      }
      assertTrue(server.awaitPaused(false, PATIENCE));
      assertEquals(2, server.served(Command.RESUME));
    }
  }

  @ParameterizedTest
  @EnumSource(Personality.class)
  void aPauseThatIsFoundIsUsedAndOnlyResumeEndsIt(Personality personality) throws Exception {
    try (StubServer server = server(personality)) {
      server.programPauses();
      try (SocketSource source = connect(PATIENCE)) {
        source.pause();
        assertTrue(source.isPaused());
        assertTrue(source.wasFoundPaused());
        assertEquals(HEAP.savedObjects(), source.savedObjects());
      }
      assertEquals(0, server.served(Command.RESUME));
      server.programPauses();
      try (SocketSource source = connect(PATIENCE)) {
        source.pause();
        source.resume();
        assertTrue(server.awaitPaused(false, PATIENCE));
      }
    }
  }

  @Test
  void readingTheHeapOfARunningProgramIsRefused() throws Exception {
    try (StubServer _ = server();
        SocketSource source = connect(PATIENCE)) {
      var refused = assertThrows(DebuggeeRefusedException.class, source::roots);
      assertEquals(0x102, refused.statusCode());
      assertThrows(DebuggeeRefusedException.class, () -> source.blocks(IGNORING));
      assertThrows(DebuggeeRefusedException.class, () -> source.closures(AddressList.of()));
      assertThrows(DebuggeeRefusedException.class, () -> source.stackBitmaps(List.of()));
    }
  }

  @Test
  void namesAndSourcePositionsOfKnownCodeAreReadWhileItRuns() throws Exception {
    AddressList infos = AddressList.of(HEAP.allCode().stream().mapToLong(Code::infoAddr).toArray());
    try (StubServer server = server();
        SocketSource source = connect(PATIENCE)) {
      assertThrows(DebuggeeRefusedException.class, () -> source.constructorNames(infos));
      source.pause();
      source.infoTables(infos);
      var names = source.constructorNames(infos);
      source.resume();
      int asked = server.served(Command.CON_DESCR);
      assertEquals(names, source.constructorNames(infos));
      assertEquals(2 * asked, server.served(Command.CON_DESCR));
      source.sourceInfos(infos);
    }
  }

  @Test
  void onlyConstructorsAreAskedForTheirNames() throws Exception {
    AddressList infos = AddressList.of(HEAP.allCode().stream().mapToLong(Code::infoAddr).toArray());
    long constructors =
        HEAP.allCode().stream()
            .filter(code -> code.type().isConstructor() && code.pointers() + code.nonPointers() > 0)
            .count();
    try (StubServer server = server();
        SocketSource source = connect(PATIENCE)) {
      source.pause();
      source.constructorNames(infos);
      assertEquals(constructors, server.served(Command.CON_DESCR));
    }
  }

  @Test
  void longListsAreSplitAndKeepTheirOrder() throws Exception {
    AddressList closures = allClosures();
    long[] many = new long[40_000];
    for (int i = 0; i < many.length; i++) {
      many[i] = i % 7 == 0 ? i % 4096 : closures.get(i % closures.size());
    }
    try (StubServer server = server(Personality.GHC_DEBUG_07);
        SocketSource source = connect(PATIENCE)) {
      source.pause();
      var read = source.closures(AddressList.of(many));
      for (int i = 0; i < many.length; i++) {
        if (i % 7 == 0) {
          assertNull(read.get(i));
        } else {
          assertEquals(HEAP.closure(many[i])[0], read.get(i)[0]);
        }
      }
      assertTrue(server.served(Command.CLOSURES) < 10);
    }
  }

  @Test
  void manySingleRequestsDoNotDeadlock() throws Exception {
    List<FunArguments> functions = Snapshots.allFunctions(HEAP);
    List<FunArguments> many = Collections.nCopies(100_000, functions.getFirst());
    try (StubServer server = server();
        SocketSource source = connect(PATIENCE)) {
      source.pause();
      var bitmaps = source.funBitmaps(many);
      assertEquals(100_000, server.served(Command.FUN_BITMAP));
      assertEquals(1, bitmaps.stream().distinct().count());
      source.stackBitmaps(Collections.nCopies(1000, new FrameAddress(0x4200000000L, 0)));
    }
  }

  @Test
  void answersThatComeByteByByteAreTheSame() throws Exception {
    try (StubServer server = server();
        SocketSource source = connect(PATIENCE)) {
      source.pause();
      AddressList some = AddressList.copyOfRange(allClosures().toArray(), 0, 40);
      var expected = source.closures(some);
      server.inject(Command.CLOSURES, new Fault.Dribble(Duration.ZERO));
      var dribbled = source.closures(some);
      for (int i = 0; i < expected.size(); i++) {
        assertArrayEquals(expected.get(i), dribbled.get(i));
      }
    }
  }

  @Test
  void aPauseWithoutAnswerTimesOutWithAdviceAndIsWithdrawn() throws Exception {
    try (StubServer server = server()) {
      SocketSource source = connect(SHORT);
      server.inject(Command.PAUSE, new Fault.Stall(0));
      var timeout = assertThrows(TimeLimitException.class, source::pause);
      assertTrue(timeout.getMessage().contains("no answer to PAUSE within 0.3 s"));
      assertTrue(timeout.getMessage().contains("does not allocate"));
      assertFalse(source.isPaused());
      assertThrows(TimeLimitException.class, source::pause);
      assertEquals(1, server.served(Command.PAUSE));
      source.close();
      assertThrows(SourceUnavailableException.class, source::pause);
    }
  }

  @Test
  void aSinkThatThrowsLeavesTheConnectionInStep() throws Exception {
    try (StubServer server = server();
        SocketSource source = connect(PATIENCE)) {
      source.pause();
      var stop = new CanceledException("test");
      BlockSink failing =
          new BlockSink() {
            @Override
            public void group(BlockGroup group) {}

            @Override
            public void contents(MemorySegment bytes) {
              throw stop;
            }
          };
      assertEquals(stop, assertThrows(CanceledException.class, () -> source.blocks(failing)));
      assertEquals(HEAP.savedObjects(), source.savedObjects());
      assertThrows(CanceledException.class, () -> source.blocks(failing));
      source.resume();
      assertTrue(server.awaitPaused(false, PATIENCE));
    }
  }

  @Test
  void anInterruptEndsTheWait() throws Exception {
    StubServer server = server();
    SocketSource source = connect(PATIENCE);
    source.pause();
    server.inject(Command.ROOTS, new Fault.Stall(3));
    Thread reader = Thread.currentThread();
    CompletableFuture.delayedExecutor(200, TimeUnit.MILLISECONDS).execute(reader::interrupt);
    assertThrows(CanceledException.class, source::roots);
    assertFalse(Thread.interrupted());
    server.close();
    source.close();
  }

  @Test
  void closingFromAnotherThreadEndsACallSoon() throws Exception {
    StubServer server = server();
    SocketSource source = connect(PATIENCE);
    source.pause();
    server.inject(Command.ROOTS, new Fault.Stall(0));
    CompletableFuture<AddressList> call = CompletableFuture.supplyAsync(source::roots);
    while (server.served(Command.ROOTS) == 0) {
      Thread.onSpinWait();
    }
    Thread closer = Thread.ofPlatform().start(source::close);
    var failed = assertThrows(ExecutionException.class, () -> call.get(2, TimeUnit.SECONDS));
    assertEquals(SourceUnavailableException.class, failed.getCause().getClass());
    server.close();
    closer.join();
  }

  @Test
  void aLostConnectionIsReportedOnceAndForAll() throws Exception {
    try (StubServer server = server();
        SocketSource source = connect(PATIENCE)) {
      source.pause();
      server.inject(Command.CLOSURES, new Fault.Disconnect(100));
      assertThrows(SourceUnavailableException.class, () -> source.closures(allClosures()));
      var after = assertThrows(SourceUnavailableException.class, source::roots);
      assertTrue(after.getMessage().contains("connect anew"));
      assertTrue(server.awaitPaused(false, PATIENCE));
    }
  }

  @Test
  void aPayloadThatIsTooShortIsMalformedAndTheNextAnswerIsRead() throws Exception {
    try (StubServer server = server();
        SocketSource source = connect(PATIENCE)) {
      source.pause();
      server.inject(Command.CLOSURES, new Fault.ShortPayload(3));
      server.inject(Command.INFO_TABLES, new Fault.ShortPayload(3));
      server.inject(Command.ALL_BLOCKS, new Fault.ShortPayload(3));
      AddressList infos = AddressList.of(HEAP.allCode().iterator().next().infoAddr());
      assertThrows(MalformedDataException.class, () -> source.closures(allClosures()));
      assertThrows(MalformedDataException.class, () -> source.infoTables(infos));
      assertThrows(MalformedDataException.class, () -> source.blocks(IGNORING));
      server.healFaults();
      assertEquals(HEAP.savedObjects(), source.savedObjects());
    }
  }

  @Test
  void aSecondClientIsToldThatOneIsServedAtATime() throws Exception {
    try (StubServer _ = server();
        SocketSource first = connect(PATIENCE)) {
      var timeout = assertThrows(TimeLimitException.class, () -> connect(SHORT));
      assertTrue(timeout.getMessage().contains("one client at a time"));
      first.pause();
      assertEquals(HEAP.savedObjects(), first.savedObjects());
    }
  }

  @Test
  void socketsThatAreNotThereAreExplained() throws Exception {
    var none = assertThrows(SourceUnavailableException.class, () -> connect(PATIENCE));
    assertTrue(none.getMessage().contains("no such socket"));
    Files.writeString(socket(), "text");
    var file = assertThrows(SourceUnavailableException.class, () -> connect(PATIENCE));
    assertTrue(file.getMessage().contains("not a socket"));
    Path tooLong = folder.resolve("x".repeat(120));
    var length =
        assertThrows(
            SourceUnavailableException.class, () -> SocketSource.connect(tooLong, PATIENCE));
    assertTrue(length.getMessage().contains("107 bytes"));
    assertThrows(
        SourceUnavailableException.class, () -> SocketSource.connect("no.such.invalid", 1, SHORT));
  }
}
