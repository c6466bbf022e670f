package org.ghcdebug.client.source.socket;

import static org.ghcdebug.client.testing.RawClient.CONTROL;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.ghcdebug.client.testing.DebuggeeTest;
import org.ghcdebug.client.testing.RawClient;
import org.ghcdebug.client.testing.RunningProgram;
import org.ghcdebug.client.testing.TestPrograms;
import org.ghcdebug.protocol.extension.BlockBatchDecoder;
import org.ghcdebug.protocol.extension.BlockDescriptor;
import org.ghcdebug.protocol.extension.BlockListDecoder;
import org.ghcdebug.protocol.extension.ExtensionAnswers;
import org.ghcdebug.protocol.extension.ExtensionCommand;
import org.ghcdebug.protocol.extension.ExtensionRequest;
import org.ghcdebug.protocol.extension.PauseResult;
import org.ghcdebug.protocol.extension.PauseState;
import org.ghcdebug.protocol.extension.PauseState.End;
import org.ghcdebug.protocol.extension.PauseState.Holder;
import org.ghcdebug.protocol.extension.PauseState.Stage;
import org.ghcdebug.protocol.extension.PauseWay;
import org.ghcdebug.protocol.target.AddressList;
import org.ghcdebug.protocol.wire.Request;
import org.ghcdebug.protocol.wire.Status;
import org.junit.jupiter.api.Timeout;

/** Several clients of one running program: who holds it, who waits, who is dropped. */
@Timeout(120)
class LiveClientsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** How many of each the library serves at once. */
  private static final int CLIENTS = 32;

  private static final int STRANGERS = 8;

  private static final byte RELEASE = 0;
  private static final byte TAKE_OVER = 1;

  private static final ExtensionRequest ALL_BLOCKS =
      new ExtensionRequest.BlockContents(AddressList.of());

  private static ExtensionRequest hold(Duration budget) {
    return new ExtensionRequest.Pause(PauseWay.HOLD, false, budget, PATIENCE);
  }

  private static ExtensionRequest plain(ExtensionCommand command) {
    return new ExtensionRequest.Plain(command);
  }

  private static void assertState(RawClient client, Stage stage, Holder holder) throws IOException {
    PauseState state = client.state();
    assertEquals(stage, state.stage(), state::toString);
    assertEquals(holder, state.holder(), state::toString);
  }

  /** The program goes on, and the pause before ended so. */
  private static void awaitEnd(RawClient client, End end) throws Exception {
    long deadlineNanos = System.nanoTime() + PATIENCE.toNanos();
    PauseState state;
    while ((state = client.state()).stage() != Stage.RUNNING || state.lastEnd() != end) {
      PauseState last = state;
      assertTrue(System.nanoTime() < deadlineNanos, () -> "never " + end + ": " + last);
      Thread.sleep(10);
    }
  }

  @DebuggeeTest
  void aClientThatNeverReadsHoldsUpNobody(String ghc) throws Exception {
    // It must not be dropped for it while this looks.
    Map<String, String> patient = Map.of("GHC_DEBUG_STALL_SECONDS", "3600");
    try (RunningProgram program = TestPrograms.start(ghc, "stall", patient, "50000").awaitReady();
        RawClient reader = new RawClient(program);
        RawClient another = new RawClient(program);
        RawClient fourth = new RawClient(program);
        RawClient deaf = new RawClient(program)) {
      long deadlineNanos = System.nanoTime() + PATIENCE.toNanos();
      assertEquals(Status.OKAY, deaf.ask(hold(Duration.ofSeconds(8))).status());
      deaf.send(ALL_BLOCKS);

      List<List<Long>> read = new ArrayList<>();
      for (RawClient other : List.of(reader, another, fourth)) {
        assertState(other, Stage.PAUSED, Holder.OTHER_CLIENT);
        read.add(groups(other.ask(ALL_BLOCKS)));
      }
      assertTrue(read.get(0).size() > 10, () -> read.get(0).size() + " groups");
      assertEquals(1, read.stream().distinct().count());

      awaitEnd(reader, End.BUDGET_SPENT);
      while (gap(program) < 1_000_000) { // it runs again, and notes how long it did not
        assertTrue(System.nanoTime() < deadlineNanos, () -> "it was not held: " + gaps(program));
      }

      // The others go on as if it were not there, one of them in control.
      assertEquals(Status.OKAY, another.ask(hold(Duration.ZERO)).status());
      BlockListDecoder list = new BlockListDecoder();
      list.body(another.ask(plain(ExtensionCommand.BLOCK_LIST)).payload());
      assertEquals(
          list.descriptors().stream().map(BlockDescriptor::startAddr).toList(),
          groups(fourth.ask(ALL_BLOCKS)));
      assertEquals(Status.OKAY, another.ask(new Request.Resume()).status());
      gap(program);

      // What it did not take in time is not completed with what is not so any more.
      assertEquals(Status.EXPIRED, deaf.read().status());
      assertState(deaf, Stage.RUNNING, Holder.NOBODY);

      // Nor does the program's end wait for it.
      assertEquals(Status.OKAY, deaf.ask(hold(Duration.ofMillis(200))).status());
      deaf.send(ALL_BLOCKS);
      awaitEnd(reader, End.BUDGET_SPENT);
      program.process().getOutputStream().close();
      assertEquals(50_000, program.number("entries"));
      assertEquals(0, program.awaitExit());
    }
  }

  /** The start addresses of the groups whose contents an answer has, all of it. */
  private static List<Long> groups(RawClient.Answer answer) {
    assertEquals(Status.OKAY, answer.status(), answer::reason);
    List<Long> starts = new ArrayList<>();
    BlockBatchDecoder decoder =
        new BlockBatchDecoder(
            "blocks",
            new BlockBatchDecoder.Sink() {
              @Override
              public void group(BlockDescriptor group) {
                starts.add(group.startAddr());
              }

              @Override
              public void contents(ByteBuf bytes) {}
            });
    decoder.body(answer.payload());
    decoder.finish();
    assertFalse(answer.payload().isReadable());
    return starts;
  }

  /** What {@code stall} says of its longest gap since the last time, in microseconds. */
  private static long gap(RunningProgram program) throws Exception {
    int before = gaps(program).size();
    program.goOn();
    long deadlineNanos = System.nanoTime() + PATIENCE.toNanos();
    while (gaps(program).size() == before) {
      assertTrue(System.nanoTime() < deadlineNanos, () -> "it does not run: " + program.output());
      Thread.sleep(10);
    }
    return gaps(program).get(before);
  }

  private static List<Long> gaps(RunningProgram program) {
    return program.output().stream()
        .filter(line -> line.startsWith("gap="))
        .map(line -> Long.parseLong(line.substring("gap=".length())))
        .toList();
  }

  @DebuggeeTest
  void controlIsHandedOver(String ghc) throws Exception {
    try (RunningProgram program = TestPrograms.start(ghc, "bigmap", "100").awaitReady();
        RawClient watcher = new RawClient(program)) {
      try (RawClient second = new RawClient(program)) {
        try (RawClient first = new RawClient(program)) {
          assertEquals(Status.NOT_PAUSED, first.ask(CONTROL, TAKE_OVER).status());
          assertEquals(Status.NOT_PAUSED, first.ask(CONTROL, RELEASE).status());

          assertEquals(Status.OKAY, first.ask(hold(Duration.ZERO)).status());
          assertOnlyReads(second);
          assertState(second, Stage.PAUSED, Holder.OTHER_CLIENT);

          assertEquals(Status.OKAY, first.ask(CONTROL, RELEASE).status());
          assertState(first, Stage.PAUSED, Holder.NOBODY);
          assertEquals(Status.OKAY, second.ask(CONTROL, TAKE_OVER).status());
          assertState(second, Stage.PAUSED, Holder.THIS_CLIENT);
          assertOnlyReads(first);
        }
        awaitClients(watcher, 2);
        assertState(
            second, Stage.PAUSED, Holder.THIS_CLIENT); // the first one's end was not its end
        assertEquals(Status.OKAY, second.ask(new Request.Roots()).status());
      }
      awaitEnd(watcher, End.CLIENT_GONE);
      program.goOn();
      assertEquals(105, program.number("size"));
      assertEquals(0, program.awaitExit());
    }
  }

  /** It does not control the pause: it can read, but neither end nor take it. */
  private static void assertOnlyReads(RawClient client) throws IOException {
    for (byte way : new byte[] {RELEASE, TAKE_OVER}) {
      RawClient.Answer refused = client.ask(CONTROL, way);
      assertEquals(Status.BUSY, refused.status());
      assertNotEquals("", refused.reason());
    }
    assertEquals(Status.BUSY, client.ask(new Request.Resume()).status());
    assertEquals(Status.ALREADY_PAUSED, client.ask(new Request.Pause()).status());
    RawClient.Answer roots = client.ask(plain(ExtensionCommand.ROOTS2));
    assertEquals(Status.OKAY, roots.status());
    assertFalse(ExtensionAnswers.roots(roots.payload()).isEmpty());
  }

  private static void awaitClients(RawClient client, int count) throws Exception {
    long deadlineNanos = System.nanoTime() + PATIENCE.toNanos();
    long connected;
    while ((connected = connected(client)) != count) {
      long last = connected;
      assertTrue(System.nanoTime() < deadlineNanos, () -> "still connected: " + last);
      Thread.sleep(10);
    }
  }

  private static long connected(RawClient client) throws IOException {
    return client.ask(plain(ExtensionCommand.STATE)).payload().skipBytes(4).readUnsignedInt();
  }

  @DebuggeeTest
  void aReleasedPauseIsAnybodys(String ghc) throws Exception {
    try (RunningProgram program = TestPrograms.start(ghc, "bigmap", "100").awaitReady();
        RawClient watcher = new RawClient(program)) {
      try (RawClient other = new RawClient(program)) {
        try (RawClient maker = new RawClient(program)) {
          assertEquals(Status.OKAY, maker.ask(hold(Duration.ZERO)).status());
          assertEquals(Status.OKAY, maker.ask(CONTROL, RELEASE).status());
          assertEquals(Status.OKAY, other.ask(new Request.Resume()).status());
          assertState(watcher, Stage.RUNNING, Holder.NOBODY);
          assertEquals(End.RESUMED, watcher.state().lastEnd());

          assertEquals(Status.OKAY, maker.ask(hold(Duration.ZERO)).status());
          assertEquals(Status.OKAY, maker.ask(CONTROL, RELEASE).status());
          assertEquals(Status.ALREADY_PAUSED, other.ask(hold(Duration.ZERO)).status());
          assertState(other, Stage.PAUSED, Holder.THIS_CLIENT);
          assertEquals(Status.OKAY, other.ask(CONTROL, RELEASE).status());
          assertState(maker, Stage.PAUSED, Holder.NOBODY);
        }
        awaitClients(watcher, 2);
        assertState(watcher, Stage.PAUSED, Holder.NOBODY); // one that read in it is still there
      }
      awaitEnd(watcher, End.CLIENT_GONE);
      program.goOn();
      assertEquals(0, program.awaitExit());
    }
  }

  @DebuggeeTest
  void aForkThatWaitedItsTurnSaysThatItForked(String ghc) throws Exception {
    for (PauseWay way : List.of(PauseWay.FORK, PauseWay.FORK_OR_HOLD)) {
      try (RunningProgram program = TestPrograms.start(ghc, "bigmap", "100").awaitReady();
          RawClient holder = new RawClient(program);
          RawClient forker = new RawClient(program)) {
        assertEquals(Status.OKAY, holder.ask(hold(Duration.ZERO)).status());
        forker.send(new ExtensionRequest.Pause(way, false, Duration.ZERO, PATIENCE));
        Thread.sleep(300); // it is told to wait, most likely
        assertEquals(Status.OKAY, holder.ask(new Request.Resume()).status());

        RawClient.Answer forked = forker.read();
        assertEquals(Status.OKAY, forked.status(), forked::reason);
        assertTrue(PauseResult.decode(forked.payload()).isFork());
        assertState(forker, Stage.FROZEN, Holder.THIS_CLIENT);
        assertState(holder, Stage.RUNNING, Holder.NOBODY);
        assertEquals(Status.OKAY, forker.ask(new Request.Resume()).status());
        program.goOn();
        assertEquals(105, program.number("size"));
        assertEquals(0, program.awaitExit());
      }
    }
  }

  @DebuggeeTest
  void aForkedCopyOfAnIdleClientEnds(String ghc) throws Exception {
    Map<String, String> impatient = Map.of("GHC_DEBUG_IDLE_SECONDS", "1");
    try (RunningProgram program = TestPrograms.start(ghc, "bigmap", impatient, "100").awaitReady();
        RawClient idle = new RawClient(program)) {
      RawClient.Answer forked =
          idle.ask(new ExtensionRequest.Pause(PauseWay.FORK, false, Duration.ZERO, PATIENCE));
      assertEquals(Status.OKAY, forked.status());
      long copy = PauseResult.decode(forked.payload()).pid();

      assertTrue(idle.isAtEnd());

      assertTrue(ProcessHandle.of(copy).isEmpty());
      program.goOn();
      assertEquals(105, program.number("size"));
      assertEquals(0, program.awaitExit());
    }
  }

  @DebuggeeTest
  void whoHasNotShownATokenTakesNoPlaceFromTheOthers(String ghc) throws Exception {
    int port = TestPrograms.freePort();
    Map<String, String> byTcp =
        Map.of("GHC_DEBUG_TCP", Integer.toString(port), "GHC_DEBUG_TOKEN", "open sesame");
    List<RawClient> connected = new ArrayList<>();
    try (RunningProgram program = TestPrograms.start(ghc, "bigmap", byTcp, "100").awaitReady()) {
      for (int i = 0; i < STRANGERS; i++) {
        connected.add(new RawClient(new InetSocketAddress("localhost", port)));
      }
      for (int i = 0; i < CLIENTS; i++) {
        RawClient client = new RawClient(program);
        connected.add(client);
        assertState(client, Stage.RUNNING, Holder.NOBODY);
      }
      program.goOn();
      assertEquals(0, program.awaitExit());
    } finally {
      for (RawClient client : connected) {
        client.close();
      }
    }
  }

  @DebuggeeTest
  void anIdleClientIsDroppedAndItsPauseWithIt(String ghc) throws Exception {
    Map<String, String> impatient = Map.of("GHC_DEBUG_IDLE_SECONDS", "1");
    try (RunningProgram program = TestPrograms.start(ghc, "bigmap", impatient, "100").awaitReady();
        RawClient busy = new RawClient(program);
        RawClient silent = new RawClient(program);
        RawClient holder = new RawClient(program)) {
      assertEquals(Status.OKAY, holder.ask(hold(Duration.ZERO)).status());
      awaitEnd(busy, End.CLIENT_GONE);
      awaitClients(busy, 1);
      assertTrue(holder.isAtEnd());
      assertTrue(silent.isAtEnd());
      assertThrows(IOException.class, holder::state);

      assertTrue(busy.isAtEnd()); // now that it is idle, too
      try (RawClient next = new RawClient(program)) {
        assertState(next, Stage.RUNNING, Holder.NOBODY);
      }
      program.goOn();
      assertEquals(105, program.number("size"));
      assertEquals(0, program.awaitExit());
    }
  }
}
