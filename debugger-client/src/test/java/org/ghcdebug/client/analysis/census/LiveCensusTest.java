package org.ghcdebug.client.analysis.census;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.ghcdebug.client.collections.LongList;
import org.ghcdebug.client.debuggee.Debuggee;
import org.ghcdebug.client.debuggee.HeapView;
import org.ghcdebug.client.debuggee.Options;
import org.ghcdebug.client.debuggee.State;
import org.ghcdebug.client.debuggee.TargetSpec;
import org.ghcdebug.client.index.HeapCopy;
import org.ghcdebug.client.index.HeapTally;
import org.ghcdebug.client.query.Filter;
import org.ghcdebug.client.source.socket.SocketSource;
import org.ghcdebug.client.testing.DebuggeeTest;
import org.ghcdebug.client.testing.RunningProgram;
import org.ghcdebug.client.testing.TestPrograms;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.protocol.closure.ClosureType;
import org.ghcdebug.protocol.closure.InfoTable;
import org.ghcdebug.protocol.target.AddressList;
import org.jspecify.annotations.Nullable;

class LiveCensusTest {
  private static final String HOLDS = "holds.";

  @DebuggeeTest
  void countsWhatASmallProgramSaysItHolds(String ghc) {
    assertCountsWhatTheProgramHolds(ghc, "bigmap", "100");
  }

  @DebuggeeTest
  void countsWhatAMiddlingProgramSaysItHolds(String ghc) {
    assertCountsWhatTheProgramHolds(ghc, "bigmap", "10000");
  }

  @DebuggeeTest
  void countsWhatALargeProgramSaysItHolds(String ghc) {
    assertCountsWhatTheProgramHolds(ghc, "bigmap", "1000000");
  }

  @DebuggeeTest
  void countsWhatAProfiledProgramSaysItHolds(String ghc) {
    assertCountsWhatTheProgramHolds(ghc, "bigmap-prof", "10000");
  }

  @DebuggeeTest
  void everyNameThatIsShownIsAFilterThatCountsTheSame(String ghc) {
    for (String program : List.of("zoo", "leak", "list", "bigmap")) {
      try (RunningProgram running = TestPrograms.start(ghc, program, "10").awaitReady();
          Debuggee debuggee =
              Debuggee.open(new TargetSpec.AtPath(running.socket()), Options.DEFAULT)) {
        HeapView view = debuggee.view(Work.UNATTENDED);
        Map<String, Long> shown = new TreeMap<>();
        for (HeapTally.Entry entry : view.tally(Work.UNATTENDED).entries()) {
          String row = CensusKey.CLOSURE.of(entry.info(), view.heap());
          String type = "<" + entry.info().type() + ">";
          new HashSet<>(List.of(row, type, view.heap().displayName(entry.info())))
              .forEach(name -> shown.merge(name, entry.count(), Long::sum));
        }
        Map<String, Long> counted = new TreeMap<>();
        for (String name : shown.keySet()) {
          var selection = view.select(Filter.parse(name), Work.UNATTENDED);
          counted.put(name, view.tally(selection, Work.UNATTENDED).totalCount());
        }
        assertEquals(shown, counted, program);
      }
    }
  }

  private static void assertCountsWhatTheProgramHolds(String ghc, String program, String argument) {
    try (RunningProgram running = TestPrograms.start(ghc, program, argument).awaitReady();
        Debuggee debuggee =
            Debuggee.open(new TargetSpec.AtPath(running.socket()), Options.DEFAULT)) {
      HeapView view = debuggee.view(Work.UNATTENDED);
      assertInstanceOf(State.Copied.class, debuggee.state());

      CensusResult census =
          Census.by(CensusKey.CONSTRUCTOR, view.heap(), view.tally(Work.UNATTENDED));

      assertTrue(census.missing().isNone(), () -> census.missing().toString());
      Map<String, Long> counts =
          census.rows().stream()
              .collect(Collectors.toMap(CensusResult.Row::key, CensusResult.Row::count));
      Map<String, Long> expected = held(running.facts());
      assertFalse(expected.isEmpty());
      Map<String, Long> counted = new TreeMap<>(counts);
      counted.keySet().retainAll(expected.keySet());
      assertEquals(expected, counted);
    }
  }

  private static Map<String, Long> held(Map<String, String> facts) {
    Map<String, Long> held = new TreeMap<>();
    facts.forEach(
        (key, value) -> {
          if (key.startsWith(HOLDS)) {
            held.put(key.substring(HOLDS.length()), Long.parseLong(value));
          }
        });
    return held;
  }

  @DebuggeeTest
  void addsUpToTheSizesThatTheProgramReports(String ghc) {
    assertSizesAreTheProgramsOwn(ghc, "bigmap");
  }

  @DebuggeeTest
  void addsUpToTheSizesThatAProfiledProgramReports(String ghc) {
    assertSizesAreTheProgramsOwn(ghc, "bigmap-prof");
  }

  private static void assertSizesAreTheProgramsOwn(String ghc, String program) {
    try (RunningProgram running = TestPrograms.start(ghc, program, "300").awaitReady();
        SocketSource source = SocketSource.connect(running.socket(), Duration.ofSeconds(30))) {
      source.pause();
      try (HeapCopy copy = HeapCopy.take(source, Work.UNATTENDED)) {
        LongList addresses = new LongList();
        copy.eachReachable(addresses::add);
        assertTrue(addresses.size() > 2000, () -> addresses.size() + " closures");

        assertEquals(
            bytesByTypeOfCommand5(source, AddressList.of(addresses.toArray())),
            bytesByType(copy.tally()));
      }
    }
  }

  private static Map<ClosureType, Long> bytesByTypeOfCommand5(
      SocketSource source, AddressList addresses) {
    List<long @Nullable []> closures = source.closures(addresses);
    long[] infoAddrs = closures.stream().mapToLong(words -> assertPresent(words)[0]).toArray();
    List<@Nullable InfoTable> infos = source.infoTables(AddressList.of(infoAddrs));
    Map<ClosureType, Long> bytes = new TreeMap<>();
    for (int i = 0; i < infoAddrs.length; i++) {
      bytes.merge(
          assertPresent(infos.get(i)).type(),
          (long) Long.BYTES * assertPresent(closures.get(i)).length,
          Long::sum);
    }
    return bytes;
  }

  private static <T> T assertPresent(@Nullable T value) {
    assertNotNull(value);
    return value;
  }

  private static Map<ClosureType, Long> bytesByType(HeapTally tally) {
    return tally.entries().stream()
        .collect(
            Collectors.groupingBy(
                entry -> entry.info().type(),
                TreeMap::new,
                Collectors.summingLong(HeapTally.Entry::bytes)));
  }
}
