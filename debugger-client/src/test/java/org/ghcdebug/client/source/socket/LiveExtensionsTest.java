package org.ghcdebug.client.source.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.ghcdebug.client.heap.Heap;
import org.ghcdebug.client.index.HeapCopy;
import org.ghcdebug.client.source.BlockGroup;
import org.ghcdebug.client.source.BlockSink;
import org.ghcdebug.client.source.HeapSource;
import org.ghcdebug.client.source.PrefetchCache;
import org.ghcdebug.client.testing.DebuggeeTest;
import org.ghcdebug.client.testing.HeapFacts;
import org.ghcdebug.client.testing.RawClient;
import org.ghcdebug.client.testing.RunningProgram;
import org.ghcdebug.client.testing.TestPrograms;
import org.ghcdebug.client.value.HaskellPrinter;
import org.ghcdebug.client.value.PrintLimits;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.protocol.closure.Closure;
import org.ghcdebug.protocol.error.DebuggeeRefusedException;
import org.ghcdebug.protocol.error.SourceUnavailableException;
import org.ghcdebug.protocol.extension.ExtensionAnswers;
import org.ghcdebug.protocol.extension.ExtensionCommand;
import org.ghcdebug.protocol.extension.ExtensionRequest;
import org.ghcdebug.protocol.extension.Hello;
import org.ghcdebug.protocol.extension.PauseState;
import org.ghcdebug.protocol.extension.PauseWay;
import org.ghcdebug.protocol.extension.RtsFigure;
import org.ghcdebug.protocol.extension.RtsFigures;
import org.ghcdebug.protocol.target.AddressList;
import org.ghcdebug.protocol.wire.Request;
import org.ghcdebug.protocol.wire.Status;
import org.junit.jupiter.api.Timeout;

/** What our own debuggee library can do more, on running programs. */
@Timeout(300)
class LiveExtensionsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final String TOO_SHORT = "it spun for too short a time";
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
      for (String loopback : loopbacks()) {
        try (SocketSource source = SocketSource.connect(loopback, port, PATIENCE, TOKEN)) {
          assertEquals(3, countOfSaved(source));
        }
      }
      program.goOn();
      assertEquals(0, program.awaitExit());
    }
  }

  /** Of IPv4, and of IPv6 where the machine has it. */
  private static List<String> loopbacks() {
    try (ServerSocket _ = new ServerSocket(0, 1, InetAddress.getByName("::1"))) {
      return List.of("127.0.0.1", "::1");
    } catch (IOException e) {
      System.out.println("LiveExtensionsTest: not tried by IPv6: " + e.getMessage());
      return List.of("127.0.0.1");
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

  /** How {@code zoo} says what a thread does -> how the library does. */
  private static final Map<String, String> STATES =
      Map.of(
          "BlockedOnMVar", "blocked on MVar 0x[0-9a-f]{16}( \\(reading it\\))?",
          "BlockedOnBlackHole",
              "waits for a thunk that another thread evaluates, message 0x[0-9a-f]{16}",
          "BlockedOnSTM", "blocked in an STM transaction",
          "BlockedOnForeignCall", "in (a|an interruptible) foreign call",
          "BlockedOnException", "throws an exception to another thread, message 0x[0-9a-f]{16}",
          "ThreadFinished", "finished",
          "ThreadDied", "killed");

  private record LiveThread(
      long address, long id, long capability, long blockInfo, long stackBytes, String why) {}

  /** By label. */
  private static Map<String, LiveThread> threads(RawClient client) throws IOException {
    RawClient.Answer answer = client.ask(RawClient.THREADS);
    assertEquals(Status.OKAY, answer.status(), answer::reason);
    Map<String, LiveThread> threads = new HashMap<>();
    ByteBuf in = answer.payload();
    while (in.isReadable()) {
      long address = in.readLongLE();
      long id = in.readLongLE();
      in.skipBytes(3 * Integer.BYTES); // what_next, why_blocked, flags
      long capability = in.readUnsignedInt();
      long blockInfo = in.readLongLE();
      long stackBytes = in.readLongLE();
      String label = text(in);
      threads.put(label, new LiveThread(address, id, capability, blockInfo, stackBytes, text(in)));
    }
    return threads;
  }

  private static String text(ByteBuf in) {
    return in.readCharSequence(in.readInt(), StandardCharsets.UTF_8).toString();
  }

  /** What the program says that its threads do, as patterns, by label. */
  private static Map<String, String> expectedStates(RunningProgram program) {
    Map<String, String> expected = new TreeMap<>();
    program
        .facts()
        .forEach(
            (key, value) -> {
              if (key.startsWith("thread.")) {
                expected.put(key.substring("thread.".length()), STATES.get(value));
              }
            });
    return expected;
  }

  private static void assertStates(Map<String, String> expected, Map<String, LiveThread> threads) {
    expected.forEach(
        (label, pattern) -> {
          LiveThread thread = threads.get(label);
          assertNotNull(thread, label);
          assertTrue(thread.why.matches(pattern), () -> label + ": " + thread.why);
          if (thread.why.contains("0x")) {
            assertTrue(
                thread.why.contains("0x%016x".formatted(thread.blockInfo)), thread::toString);
          }
        });
  }

  @DebuggeeTest
  void threadsSayWhyTheyAreBlocked(String ghc) throws IOException {
    for (String name : new String[] {"zoo", "zoo-prof"}) {
      try (RunningProgram program = TestPrograms.start(ghc, name).awaitReady();
          RawClient client = new RawClient(program)) {
        assertEquals(Status.NOT_PAUSED, client.ask(RawClient.THREADS).status());
        client.ask(new Request.Pause());
        Map<String, LiveThread> threads = threads(client);
        Map<String, String> expected = expectedStates(program);
        assertEquals(29, expected.size());
        assertStates(expected, threads);
        assertEquals("not blocked", threads.get("runnable").why);

        // Who waits for the same, waits for the same.
        long never = threads.get("taker").blockInfo;
        for (String same : List.of("deep", "bigFrame", "masked", "bound", "locked")) {
          assertEquals("blocked on MVar 0x%016x".formatted(never), threads.get(same).why, same);
        }
        assertEquals(
            "blocked on MVar 0x%016x (reading it)".formatted(never), threads.get("reader").why);
        try (SocketSource source = connect(program)) {
          source.pause();
          Closure mvar = new Heap(source).closure(never);
          assertTrue(mvar instanceof Closure.MVar, () -> "blocked on " + mvar);
        }
        long full = threads.get("putter").blockInfo;
        assertEquals(full, threads.get("secondPutter").blockInfo);
        assertNotEquals(never, full);

        assertEquals(1, threads.get("locked").capability); // forkOn 1
        assertTrue(threads.get("deep").stackBytes > 20_000 * Long.BYTES);
        assertTrue(threads.get("taker").stackBytes <= 32 << 10);
        Set<Long> roots = new HashSet<>();
        ExtensionAnswers.roots(
                client.ask(new ExtensionRequest.Plain(ExtensionCommand.ROOTS2)).payload())
            .stream()
            .filter(root -> root.kind() == ExtensionAnswers.Root.THREAD)
            .forEach(root -> roots.add(root.address()));
        Set<Long> ids = new HashSet<>();
        for (LiveThread thread : threads.values()) {
          assertTrue(ids.add(thread.id), thread::toString);
          assertTrue(roots.contains(thread.address), thread::toString);
          assertTrue(thread.capability < 2, thread::toString);
        }
      }
    }
  }

  /**
   * Nothing was collected in {@code zoo} since its thread <q>waitingForInner</q> ended, which
   * nothing refers to.
   */
  @DebuggeeTest
  void garbageIsCollectedOnRequest(String ghc) throws IOException {
    try (RunningProgram program = TestPrograms.start(ghc, "zoo").awaitReady();
        RawClient client = new RawClient(program)) {
      RtsFigures before = figures(client);
      assertEquals(Status.OKAY, client.ask(new Request.Pause()).status());
      Map<String, String> expected = expectedStates(program);
      Map<String, LiveThread> threads = threads(client);
      assertStates(expected, threads);
      assertEquals("finished", threads.get("waitingForInner").why);
      ExtensionRequest major = new ExtensionRequest.Gc(true, PATIENCE);
      assertEquals(Status.ALREADY_PAUSED, client.ask(major).status());
      assertEquals(Status.OKAY, client.ask(new Request.Resume()).status());
      assertCollections(before, figures(client), 0, 0);

      assertTook(client.ask(new ExtensionRequest.Gc(false, PATIENCE)));
      RtsFigures afterMinor = figures(client);
      assertCollections(before, afterMinor, 1, 0);
      assertTook(client.ask(major));
      RtsFigures afterMajor = figures(client);
      assertCollections(afterMinor, afterMajor, 1, 1);

      assertEquals(Status.OKAY, client.ask(new Request.Pause()).status());
      Map<String, LiveThread> left = threads(client);
      assertFalse(left.containsKey("waitingForInner"));
      assertStates(expected, left);
      assertEquals(Status.OKAY, client.ask(new Request.Resume()).status());

      // The same before a pause, in one request.
      Duration none = Duration.ZERO;
      assertEquals(
          Status.OKAY,
          client.ask(new ExtensionRequest.Pause(PauseWay.HOLD, true, none, PATIENCE)).status());
      assertCollections(afterMajor, figures(client), 1, 1);
      assertEquals(Status.OKAY, client.ask(new Request.Resume()).status());
      program.goOn();
      assertEquals("reached", program.fact("end"));
      assertEquals(0, program.awaitExit());
    }
  }

  private static RtsFigures figures(RawClient client) throws IOException {
    return RtsFigures.decode(
        client.ask(new ExtensionRequest.Plain(ExtensionCommand.RTS_FIGURES)).payload());
  }

  private static void assertCollections(RtsFigures before, RtsFigures after, int all, int majors) {
    assertEquals(all, difference(RtsFigure.COLLECTIONS, before, after));
    assertEquals(majors, difference(RtsFigure.MAJOR_COLLECTIONS, before, after));
  }

  private static long difference(RtsFigure figure, RtsFigures before, RtsFigures after) {
    return after.find(figure).orElseThrow() - before.find(figure).orElseThrow();
  }

  private static void assertTook(RawClient.Answer answer) {
    assertEquals(Status.OKAY, answer.status(), answer::reason);
    long nanos = answer.payload().readLongLE();
    assertTrue(nanos > 0 && nanos < PATIENCE.toNanos(), () -> nanos + " ns");
  }

  /** Four thousand millions of steps take seconds; the limit is a fraction of one. */
  @DebuggeeTest
  void aPauseIsGivenUpAndTheThreadNamedThatDoesNotStop(String ghc) throws Exception {
    Duration limit = Duration.ofMillis(200);
    ExtensionRequest hold = new ExtensionRequest.Pause(PauseWay.HOLD, false, Duration.ZERO, limit);
    try (RunningProgram program =
            TestPrograms.start(ghc, "stall", "1000", "spin", "4").awaitReady();
        RawClient client = new RawClient(program)) {
      RawClient.Answer answer;
      while ((answer = client.ask(hold)).status() == Status.OKAY) { // it does not spin yet
        assertEquals(Status.OKAY, client.ask(new Request.Resume()).status());
        assertFalse(program.facts().containsKey("spun"), TOO_SHORT);
      }
      long spinner = threadThatDoesNotStop(answer);
      ExtensionRequest fork =
          new ExtensionRequest.Pause(PauseWay.FORK, false, Duration.ZERO, limit);
      for (ExtensionRequest other : List.of(hold, fork, new ExtensionRequest.Gc(true, limit))) {
        assertEquals(spinner, threadThatDoesNotStop(client.ask(other)));
      }
      assertEquals(PauseState.Stage.RUNNING, client.state().stage());
      assertFalse(program.facts().containsKey("spun"), TOO_SHORT);
      assertEquals(Status.NOT_PAUSED, client.ask(new Request.Roots()).status());

      // With patience there is a pause, when the loop is over.
      assertEquals(Status.OKAY, client.ask(new Request.Pause()).status());
      assertEquals(Status.OKAY, client.ask(new Request.Resume()).status());
      program.fact("spun");
      program.goOn();
      program.number("gap");
      assertEquals(Status.OKAY, client.ask(new Request.Pause()).status());
      assertEquals(threads(client).get("spinner").id, spinner);
      assertEquals(Status.OKAY, client.ask(new Request.Resume()).status());
      program.process().getOutputStream().close();
      assertEquals(1000, program.number("entries"));
      assertEquals(0, program.awaitExit());
    }
  }

  private static long threadThatDoesNotStop(RawClient.Answer answer) {
    assertEquals(Status.TIMED_OUT, answer.status(), answer::reason);
    Matcher reason =
        Pattern.compile(
                "Haskell thread ([0-9]+) \\(spinner\\) on capability [01] does not stop: .*")
            .matcher(answer.reason());
    assertTrue(reason.matches(), answer::reason);
    return Long.parseLong(reason.group(1));
  }

  @DebuggeeTest
  void aHeapIsNotDetachedFromAPauseThatIsOver(String ghc) throws Exception {
    try (RunningProgram program = TestPrograms.start(ghc, "bigmap", "100").awaitReady();
        RawClient watcher = new RawClient(program);
        SocketSource source = connect(program)) {
      source.pause(Duration.ofMillis(100));
      while (watcher.state().isPaused()) {
        Thread.sleep(10);
      }
      DebuggeeRefusedException late =
          assertThrows(DebuggeeRefusedException.class, () -> source.detach(_ -> 0));
      assertEquals(Status.NOT_PAUSED.code(), late.statusCode());
      assertTrue(late.getMessage().contains("budget was spent"), late::getMessage);
    }
  }

  @DebuggeeTest
  void blocksThatAreManyAreAskedForInSeveralRequests(String ghc) {
    try (RunningProgram program = TestPrograms.start(ghc, "stall", "600000").awaitReady();
        SocketSource source = connect(program)) {
      source.pause();
      Groups all = new Groups();
      long bytes = source.blocksOverSocket(all);
      assertTrue(all.starts.size() > Batch.MAX_REQUEST_SIZE, () -> all.starts.size() + " groups");
      Groups asked = new Groups();
      long[] starts = all.starts.stream().mapToLong(Long::longValue).toArray();
      assertEquals(bytes, source.blocksInBatches(AddressList.of(starts), asked));
      assertEquals(all.starts, asked.starts);
      assertEquals(all.bytes, asked.bytes);
    }
  }

  private static final class Groups implements BlockSink {
    final List<Long> starts = new ArrayList<>();
    long bytes;

    @Override
    public void group(BlockGroup group) {
      starts.add(group.startAddr());
    }

    @Override
    public void contents(MemorySegment contents) {
      bytes += contents.byteSize();
    }
  }
}
