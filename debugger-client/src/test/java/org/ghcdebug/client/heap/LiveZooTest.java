package org.ghcdebug.client.heap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.ghcdebug.client.heap.ZooReading.Zoo;
import org.ghcdebug.client.source.socket.SocketSource;
import org.ghcdebug.client.testing.RunningProgram;
import org.ghcdebug.client.testing.TestPrograms;
import org.ghcdebug.protocol.closure.BlockReason;
import org.ghcdebug.protocol.closure.Closure;
import org.ghcdebug.protocol.closure.ClosureType;
import org.ghcdebug.protocol.closure.FrameList;
import org.ghcdebug.protocol.closure.TsoFlag;
import org.ghcdebug.protocol.closure.WhatNext;
import org.ghcdebug.protocol.error.DebuggeeRefusedException;
import org.ghcdebug.protocol.target.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every closure type and stack frame that a program can make, read from running programs of each
 * GHC and way. What the test program promises to hold is in its facts, so a type that it does not
 * make any more fails here.
 */
@Tag("debuggee")
class LiveZooTest {
  private static final String NON_MOVING = "--nonmoving-gc";

  /**
   * The checked programs compare, for every closure that is asked for, the size that the stub
   * computes with that of the RTS's closure_sizeW, and end at a difference.
   */
  static List<Zoo> zoos() {
    List<Zoo> zoos = new ArrayList<>();
    for (String ghc : TestPrograms.ghcVersions()) {
      zoos.add(new Zoo(ghc, "zoo-checked", List.of()));
      zoos.add(new Zoo(ghc, "zoo-checked-prof", List.of()));
      zoos.add(new Zoo(ghc, "zoo-dynamic", List.of()));
      if (!refusesNonMoving(ghc)) {
        zoos.add(new Zoo(ghc, "zoo-checked", List.of("+RTS", NON_MOVING)));
      }
    }
    return zoos;
  }

  static List<String> ghcsThatRefuseNonMoving() {
    return TestPrograms.ghcVersions().stream().filter(LiveZooTest::refusesNonMoving).toList();
  }

  /** GHC 9.10's RTS deadlocks, so the stub does not pause it. */
  private static boolean refusesNonMoving(String ghc) {
    return ghc.startsWith("9.10.");
  }

  @ParameterizedTest
  @MethodSource("zoos")
  void readsEveryClosure(Zoo zoo) {
    ZooReading reading = ZooReading.of(zoo);

    assertTrue(reading.missing.isNone(), reading.missing::toString);
    List<String> unknown =
        reading
            .all(Closure.Unknown.class)
            .map(closure -> closure.info() + closure.problem())
            .toList();
    assertEquals(List.of(), unknown);
    assertEquals(
        reading.tallied.values().stream().mapToLong(ZooReading.Total::count).sum(),
        reading.closures.size());
  }

  @ParameterizedTest
  @MethodSource("zoos")
  void theProgramMakesEveryTypeThatCanLast(Zoo zoo) {
    ZooReading reading = ZooReading.of(zoo);

    Set<String> left = new TreeSet<>();
    for (ClosureType type : ClosureType.values()) {
      left.add(type.name());
    }
    reading.words("makes").forEach(left::remove);
    reading.words("frames").forEach(left::remove);
    assertEquals(Set.of("ANN_FRAME", "INVALID_OBJECT", "UNKNOWN", "WHITEHOLE"), left);
  }

  @ParameterizedTest
  @MethodSource("zoos")
  void meetsEveryClosureTypeThatTheProgramMakes(Zoo zoo) {
    ZooReading reading = ZooReading.of(zoo);

    Set<String> absent = new TreeSet<>(reading.words("makes"));
    reading.tallied.keySet().forEach(type -> absent.remove(type.name()));
    assertEquals(Set.of(), absent);
  }

  @ParameterizedTest
  @MethodSource("zoos")
  void meetsEveryTypeOfStackFrameThatTheProgramMakes(Zoo zoo) {
    ZooReading reading = ZooReading.of(zoo);

    Set<String> absent = new TreeSet<>(reading.words("frames"));
    reading.frames().forEach(frame -> absent.remove(frame.info().type().name()));
    assertEquals(Set.of(), absent);
  }

  @ParameterizedTest
  @MethodSource("zoos")
  void meetsTheFramesOfTheRtsThatTheProgramPromises(Zoo zoo) {
    ZooReading reading = ZooReading.of(zoo);

    Set<Long> met =
        reading.frames().map(frame -> frame.info().address().address()).collect(Collectors.toSet());
    Map<String, Long> promised = facts(reading, "frame.", Long::decode);
    assertFalse(promised.isEmpty());
    promised.values().removeAll(met);
    assertEquals(Map.of(), promised);
  }

  @ParameterizedTest
  @MethodSource("zoos")
  void stacksEndExactly(Zoo zoo) {
    List<String> problems =
        ZooReading.of(zoo)
            .frameLists()
            .filter(frames -> !frames.isComplete())
            .map(FrameList::problem)
            .toList();

    assertEquals(List.of(), problems);
  }

  @ParameterizedTest
  @MethodSource("zoos")
  void countsAndSizesAreTheProgramsOwn(Zoo zoo) {
    ZooReading reading = ZooReading.of(zoo);

    assertEquals(reading.reported, reading.tallied);
  }

  @ParameterizedTest
  @MethodSource("zoos")
  void theWalkerReportsTheEdgesOfTheDecodedClosure(Zoo zoo) {
    ZooReading reading = ZooReading.of(zoo);

    assertEquals(List.of(), reading.unresolved);
    reading.closures.forEach(
        (address, closure) ->
            assertEquals(closure.edges(), reading.walked.get(address), closure::toString));
  }

  @ParameterizedTest
  @MethodSource("zoos")
  void constructorsAreThoseThatTheProgramHolds(Zoo zoo) {
    ZooReading reading = ZooReading.of(zoo);

    Map<String, Long> held = facts(reading, "holds.", Long::valueOf);
    assertFalse(held.isEmpty());
    Map<String, Long> counted = new TreeMap<>(reading.constructors);
    counted.keySet().retainAll(held.keySet());
    assertEquals(held, counted);
  }

  @ParameterizedTest
  @MethodSource("zoos")
  void threadsAreInTheStateThatTheProgramSays(Zoo zoo) {
    ZooReading reading = ZooReading.of(zoo);

    Map<String, String> expected = facts(reading, "thread.", Function.identity());
    assertEquals(29, expected.size());
    Map<String, String> shown = new TreeMap<>();
    reading.all(Closure.Tso.class).forEach(tso -> shown.put(label(reading, tso), state(tso)));
    assertEquals("running", shown.get("runnable"));
    shown.keySet().retainAll(expected.keySet());
    assertEquals(expected, shown);
  }

  /** As GHC.Conc.threadStatus says it. */
  private static String state(Closure.Tso tso) {
    return switch (tso.whatNext()) {
      case COMPLETE -> "ThreadFinished";
      case KILLED -> "ThreadDied";
      case RUN_COMPILED, RUN_INTERPRETED, UNKNOWN ->
          switch (tso.blockReason()) {
            case MVAR, MVAR_READ -> "BlockedOnMVar";
            case BLACK_HOLE -> "BlockedOnBlackHole";
            case STM -> "BlockedOnSTM";
            case FOREIGN_CALL, INTERRUPTIBLE_FOREIGN_CALL -> "BlockedOnForeignCall";
            case THROW_TO -> "BlockedOnException";
            case NOT_BLOCKED -> "running";
            default -> tso.blockReason().toString();
          };
    };
  }

  private static String label(ZooReading reading, Closure.Tso tso) {
    return reading.labels.getOrDefault(tso.address().address(), "");
  }

  @ParameterizedTest
  @MethodSource("zoos")
  void threadsAreBlockedAndFlaggedAsTheyWereMade(Zoo zoo) {
    ZooReading reading = ZooReading.of(zoo);

    Map<String, Closure.Tso> threads = new TreeMap<>();
    reading.all(Closure.Tso.class).forEach(tso -> threads.put(label(reading, tso), tso));
    assertEquals(BlockReason.MVAR_READ, threads.get("reader").blockReason());
    assertEquals(
        BlockReason.INTERRUPTIBLE_FOREIGN_CALL, threads.get("interruptible").blockReason());
    assertTrue(threads.get("locked").flags().contains(TsoFlag.LOCKED));
    assertTrue(threads.get("limited").flags().contains(TsoFlag.ALLOCATION_LIMIT));
    assertTrue(threads.get("masked").flags().contains(TsoFlag.BLOCKS_EXCEPTIONS));
    assertFalse(threads.get("unmasked").flags().contains(TsoFlag.BLOCKS_EXCEPTIONS));
    assertNotEquals(0, threads.get("bound").bound());
    assertEquals(WhatNext.KILLED, threads.get("killed").whatNext());
    assertTrue(threads.get("deep").stackWords() > 20_000);
  }

  @ParameterizedTest
  @MethodSource("zoos")
  void computationsThatWereCutOffGoOnWhereTheyStopped(Zoo zoo) {
    ZooReading reading = ZooReading.of(zoo);

    Map<Class<?>, List<Closure>> first =
        reading
            .all(Closure.ApStack.class)
            .map(apStack -> reading.closures.get(Target.untag(apStack.fun())))
            .collect(Collectors.groupingBy(Closure::getClass));
    assertTrue(first.containsKey(Closure.Constr.class), "stg_dummy_ret: " + first.keySet());
    assertTrue(first.containsKey(Closure.ApStack.class), "next chunk: " + first.keySet());
    assertTrue(first.containsKey(Closure.BlackHole.class), "black hole: " + first.keySet());
  }

  @ParameterizedTest
  @MethodSource("zoos")
  void compactRegionsAreAsLargeAsTheProgramSays(Zoo zoo) {
    ZooReading reading = ZooReading.of(zoo);

    assertEquals(
        Long.parseLong(reading.facts.get("compact.bytes")),
        8
            * reading
                .all(Closure.CompactNfData.class)
                .mapToLong(Closure.CompactNfData::totalWords)
                .sum());
  }

  @ParameterizedTest
  @MethodSource("ghcsThatRefuseNonMoving")
  void aPauseIsRefusedWhereItWouldDeadlock(String ghc) {
    try (RunningProgram running = TestPrograms.start(ghc, "zoo", "+RTS", NON_MOVING).awaitReady();
        SocketSource source = SocketSource.connect(running.socket(), Duration.ofSeconds(30))) {
      DebuggeeRefusedException refusal =
          assertThrows(DebuggeeRefusedException.class, source::pause);

      assertTrue(refusal.getMessage().contains("PAUSE"), refusal.getMessage());
      running.goOn();
      assertEquals("reached", running.fact("end"));
    }
  }

  private static <V> Map<String, V> facts(
      ZooReading reading, String prefix, Function<String, V> parse) {
    Map<String, V> facts = new TreeMap<>();
    reading.facts.forEach(
        (key, value) -> {
          if (key.startsWith(prefix)) {
            facts.put(key.substring(prefix.length()), parse.apply(value));
          }
        });
    return facts;
  }
}
