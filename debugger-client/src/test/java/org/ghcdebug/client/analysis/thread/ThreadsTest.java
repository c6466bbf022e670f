package org.ghcdebug.client.analysis.thread;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.ghcdebug.client.debuggee.Debuggee;
import org.ghcdebug.client.debuggee.Options;
import org.ghcdebug.client.debuggee.PauseMode;
import org.ghcdebug.client.debuggee.TargetSpec;
import org.ghcdebug.client.heap.Heap;
import org.ghcdebug.client.testing.DebuggeeTest;
import org.ghcdebug.client.testing.RunningProgram;
import org.ghcdebug.client.testing.StubHeapSource;
import org.ghcdebug.client.testing.TestPrograms;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.protocol.closure.BlockReason;
import org.ghcdebug.protocol.target.GhcVersion;
import org.ghcdebug.protocol.target.ProfilingMode;
import org.ghcdebug.protocol.target.Target;
import org.ghcdebug.stub.heap.HeapBuilder;
import org.ghcdebug.stub.heap.Ref;
import org.ghcdebug.stub.heap.Slot;
import org.junit.jupiter.api.Test;

class ThreadsTest {
  private final HeapBuilder builder =
      new HeapBuilder(new Target(new GhcVersion(906, 6), ProfilingMode.VANILLA));

  private Map<String, ThreadInfo> threads() {
    return byLabel(Threads.of(new Heap(new StubHeapSource(builder.build())), Work.UNATTENDED));
  }

  private static Map<String, ThreadInfo> byLabel(List<ThreadInfo> threads) {
    return threads.stream()
        .filter(thread -> !thread.label().isEmpty())
        .collect(Collectors.toMap(ThreadInfo::label, Function.identity()));
  }

  private Ref holding(Ref held) {
    return builder.stack(0, builder.frame(builder.returnAddress("P"), held), builder.stopFrame());
  }

  private Ref messageAbout(Ref blackHole) {
    Ref none = builder.mVar(null);
    return builder.prim(builder.primitive(false, 3, 0), none, none, blackHole);
  }

  @Test
  void tellsWhoWaitsForWhoseEvaluation() {
    Ref owner = builder.declare();
    Ref waiting =
        builder.thread(
            builder.stack(0, builder.stopFrame()),
            "waiting",
            BlockReason.BLACK_HOLE,
            messageAbout(builder.blackHole(owner, 0)));
    builder.define(owner, builder.thread(holding(waiting), "owner"));

    Map<String, ThreadInfo> threads = threads();

    assertEquals(ThreadState.BLOCKED, threads.get("waiting").state());
    assertEquals(List.of(threads.get("owner").address()), waits(threads.get("waiting")));
    assertEquals(ThreadState.RUNNABLE, threads.get("owner").state());
    assertEquals(List.of(), threads.get("waiting").cycle());
    assertEquals(2, threads.get("owner").frames());
    assertEquals(3 * 8, threads.get("owner").stackBytes());
  }

  @Test
  void findsThreadsThatEvaluateEachOthersThunks() {
    Ref one = builder.declare();
    Ref other = builder.declare();
    Ref empty = builder.stack(0, builder.stopFrame());
    builder.define(
        one,
        builder.thread(
            empty, "one", BlockReason.BLACK_HOLE, messageAbout(builder.blackHole(other, 0))));
    builder.define(
        other,
        builder.thread(
            empty, "other", BlockReason.BLACK_HOLE, messageAbout(builder.blackHole(one, 0))));
    builder.thread(
        empty, "victim", BlockReason.BLACK_HOLE, messageAbout(builder.blackHole(one, 0)));

    Map<String, ThreadInfo> threads = threads();

    long oneId = threads.get("one").id();
    long otherId = threads.get("other").id();
    assertEquals(List.of(oneId, otherId), threads.get("one").cycle());
    assertEquals(List.of(otherId, oneId), threads.get("other").cycle());
    assertEquals(List.of(), threads.get("victim").cycle());
  }

  @Test
  void suspectsThreadsThatHoldEachOthersMVars() {
    Ref left = builder.mVar(null);
    Ref right = builder.mVar(null);
    Ref free = builder.mVar(null);
    builder.thread(holding(left), "one", BlockReason.MVAR, right);
    builder.thread(
        holding(builder.fun(builder.function("P", 1, 0), right)), "other", BlockReason.MVAR, left);
    builder.thread(holding(free), "third", BlockReason.MVAR, free);

    Map<String, ThreadInfo> threads = threads();

    assertEquals(List.of(threads.get("other").address()), waits(threads.get("one")));
    assertEquals(2, threads.get("one").cycle().size());
    assertEquals(List.of(), waits(threads.get("third")));
  }

  @Test
  void countsFramesOfAllChunks() {
    Ref older = builder.stack(3, builder.updateFrame(builder.mVar(null)), builder.stopFrame());
    Ref newer =
        builder.stack(
            5,
            builder.frame(builder.returnAddress("N"), Slot.word(1)),
            builder.underflowFrame(older));
    builder.thread(newer, "main");

    ThreadInfo main = threads().get("main");

    assertEquals(4, main.frames());
    assertEquals(8 * (2 + 2 + 2 + 1), main.stackBytes());
    assertTrue(main.isStackComplete());
  }

  private static List<Long> waits(ThreadInfo thread) {
    return LongStream.of(thread.waitsFor().toArray()).boxed().toList();
  }

  private static final Map<String, ThreadState> STATES =
      Map.of(
          "BlockedOnMVar", ThreadState.BLOCKED,
          "BlockedOnSTM", ThreadState.BLOCKED,
          "BlockedOnException", ThreadState.BLOCKED,
          "BlockedOnBlackHole", ThreadState.BLOCKED,
          "BlockedOnForeignCall", ThreadState.FOREIGN_CALL,
          "ThreadFinished", ThreadState.FINISHED,
          "ThreadDied", ThreadState.KILLED);

  @DebuggeeTest
  void saysOfALiveProgramWhatTheProgramSays(String ghc) {
    for (PauseMode mode : new PauseMode[] {PauseMode.COPY, PauseMode.HOLD}) {
      try (RunningProgram running = TestPrograms.start(ghc, "zoo").awaitReady();
          Debuggee debuggee =
              Debuggee.open(
                  new TargetSpec.AtPath(running.socket()),
                  new Options(mode, Options.DEFAULT.timeout(), null, Options.DEFAULT.token()))) {
        Map<String, ThreadInfo> threads =
            byLabel(Threads.of(debuggee.view(Work.UNATTENDED).heap(), Work.UNATTENDED));

        Map<String, ThreadState> expected =
            running.facts().entrySet().stream()
                .filter(fact -> fact.getKey().startsWith("thread."))
                .collect(
                    Collectors.toMap(
                        fact -> fact.getKey().substring("thread.".length()),
                        fact -> STATES.get(fact.getValue())));
        assertEquals(
            expected,
            expected.keySet().stream()
                .collect(
                    Collectors.toMap(Function.identity(), label -> threads.get(label).state())));
        assertTrue(threads.get("deep").frames() > 20_000, () -> threads.get("deep").toString());
        assertTrue(threads.get("deep").stackBytes() > 8 * 20_000);
        assertWaits(threads, "waitingForCaf", "evaluatingCaf");
        assertWaits(threads, "waitingForOuter", "owner");
        assertWaits(threads, "throwing", "foreign");
        threads.values().forEach(it -> assertTrue(it.isStackComplete(), () -> mode + " " + it));
      }
    }
  }

  private static void assertWaits(Map<String, ThreadInfo> threads, String waiting, String other) {
    assertEquals(List.of(threads.get(other).address()), waits(threads.get(waiting)), waiting);
  }
}
