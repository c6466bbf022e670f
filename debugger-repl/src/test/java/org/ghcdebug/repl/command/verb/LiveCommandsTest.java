package org.ghcdebug.repl.command.verb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.ghcdebug.client.debuggee.SnapshotFile;
import org.ghcdebug.client.testing.DebuggeeTest;
import org.ghcdebug.client.testing.RunningProgram;
import org.ghcdebug.client.testing.TestPrograms;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.repl.command.Session;
import org.ghcdebug.repl.testing.MemoryHost;
import org.junit.jupiter.api.io.TempDir;

/** Whole commands against real programs. */
class LiveCommandsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final MemoryHost host = new MemoryHost();

  private String run(RunningProgram program, String verb, String... arguments) {
    return run(program.socket(), verb, arguments);
  }

  private String run(Path socketOrFile, String verb, String... arguments) {
    var all = new ArrayList<>(List.of(verb, socketOrFile.toString()));
    all.addAll(List.of(arguments));
    try (var session = new Session(host, Verbs.REGISTRY)) {
      int code = session.interpreter().runSubcommand(all, options -> 0);
      assertEquals(0, code, () -> all + ": " + host.takeErr());
    }
    assertEquals("", host.takeErr());
    return host.takeOut();
  }

  @DebuggeeTest
  void censusCountsWhatTheProgramSaysItHolds(String ghc) {
    try (var program = TestPrograms.start(ghc, "bigmap", "100").awaitReady()) {
      String json = run(program, "census", "--by", "constructor", "--json");

      for (String constructor : List.of("Data.Map.Internal.Bin", "Main.Record", "Main.Score")) {
        String row =
            "{\"key\":\"%s\",\"count\":%d,"
                .formatted(constructor, program.number("holds." + constructor));
        assertTrue(json.contains(row), () -> row + " in " + json);
      }
      assertTrue(json.contains("\"complete\":true,\"warnings\":[]"), json);
    }
  }

  @DebuggeeTest
  void printShowsASavedMapInHaskellsNotation(String ghc) {
    try (var program = TestPrograms.start(ghc, "bigmap", "100").awaitReady()) {
      String expected =
          "fromList [(1,\"one\"),(2,\"two\"),(3,\"three\"),(4,\"four\"),(5,\"five\")]\n";

      assertEquals(expected, run(program, "run", "-e", "saved > /dev/null", "-e", "print $2"));
      assertTrue(
          run(program, "run", "-e", "saved > /dev/null", "-e", "tree $2 --depth 2")
              .contains("Data.Map.Internal.Bin"));
    }
  }

  @DebuggeeTest
  void retainersShowTheCacheThatHoldsTheSessions(String ghc) {
    try (var program = TestPrograms.start(ghc, "leak", "500").awaitReady()) {
      String text = run(program, "retainers", "Main.Session", "--limit", "1");

      String sessions = program.number("holds.Main.Session") + " closures";
      assertTrue(
          text.matches(
              "(?s).*saved: Main.Server .*MUT_VAR.*Data.Map.Internal.Bin.*Main.Session .*<- "
                  + sessions
                  + ".*"),
          text);
    }
  }

  @DebuggeeTest
  void theRootOfTheDominatorsRetainsWhatACensusCounts(String ghc) {
    try (var program = TestPrograms.start(ghc, "leak", "500").awaitReady()) {
      String json = run(program, "run", "-e", "count --json", "-e", "dominators --json");

      String bytes = json.replaceAll("(?s).*?\"totals\":\\{[^}]*\"bytes\":([0-9]+).*", "$1");
      assertTrue(json.contains("\"totals\":{\"retainedBytes\":" + bytes + "}"), json);
    }
  }

  private String suspects(String ghc, String program, String... arguments) {
    try (var running = TestPrograms.start(ghc, program, arguments).awaitReady()) {
      return run(running, "suspects");
    }
  }

  @DebuggeeTest
  void suspectsNamesThePlantedLeakFirst(String ghc) {
    assertMatches("8.% .* a Map of 10,001 entries", suspects(ghc, "leak", "20000"));
    assertMatches(
        "[56].% .* 100,000 thunks Main.observe .leaks.hs:.*foldl'",
        suspects(ghc, "leaks", "accumulator"));
    assertMatches(
        "9.% .* lists of 100,000 cells .* held by the top-level value",
        suspects(ghc, "leaks", "caf"));
    assertMatches(
        "9.% .* a Map of 1,000 entries .* The 1,000 Text .* show 7.8 KiB of 9.6 MiB",
        suspects(ghc, "leaks", "slices"));
    assertMatches(
        "9.% .* lists of .* held by thread . \"worker\" .waits for an MVar. -> its stack",
        suspects(ghc, "leaks", "blocked"));
  }

  @DebuggeeTest
  void suspectsOfARedactedSnapshotSaysNothingOfSlices(String ghc, @TempDir Path folder) {
    Path file = folder.resolve("file");
    Path redacted = folder.resolve("redacted");
    try (var running = TestPrograms.start(ghc, "leaks", "slices").awaitReady()) {
      run(running, "snapshot", "-o", file.toString());
    }
    SnapshotFile.redact(file, redacted, Work.UNATTENDED);

    assertMatches(
        "9.% .* a Map of 1,000 entries .* The 1,000 Text .* show ", run(file, "suspects"));
    String found = run(redacted, "suspects");
    assertMatches("9.% .* a Map of 1,000 entries ", found);
    assertFalse(found.contains("show"), found);
  }

  @DebuggeeTest
  void suspectsNamesNothingInAHealthyProgram(String ghc) {
    assertMatches("no suspects: ", suspects(ghc, "leaks", "healthy"));
    assertMatches("no suspects: ", suspects(ghc, "leak", "20000", "fixed"));
  }

  /**
   * The snapshot falls into the middle of the program's work, perhaps of an insertion, which has
   * the parts of the map on a stack.
   */
  @DebuggeeTest
  void suspectsExplainsTheSnapshotOfAProgramWhoseMemoryRanLow(String ghc, @TempDir Path folder)
      throws Exception {
    Path file = folder.resolve("low");
    var onLimit = Map.of("GHC_DEBUG_SNAPSHOT", file.toString(), "GHC_DEBUG_SNAPSHOT_LIMIT", "10M");
    try (var program = TestPrograms.start(ghc, "leak", onLimit, "200000").awaitReady()) {
      awaitFile(file);

      String text = run(file, "suspects");
      assertMatches(
          "[0-9]+% of the heap, [^\n"
              + "]*: a Map of [0-9,]+ entries [^\n"
              + "]*\n"
              + " *held by [^\n"
              + "]*\n"
              + " *made of [^\n"
              + "]* Main.Session ",
          text);
      Matcher chain =
          Pattern.compile(
                  "% of the heap, .* ([0-9,]+) thunks Main.serve .leak.hs:.* hang one on"
                      + " another.*\n"
                      + " *held by .*Main.Server -> IORef\n")
              .matcher(text);
      assertTrue(chain.find(), text);
      long served = Long.parseLong(chain.group(1).replace(",", ""));
      assertTrue(served <= 200_000, text);
      long visitors = served / 2; // each came twice, and the newest perhaps once
      run(file, "assert", "count(Main.Session) >= " + visitors);
      run(file, "assert", "count(Main.Session) <= " + (visitors + 2));

      program.goOn();
      assertEquals(200_000, program.number("served"));
      assertEquals(0, program.awaitExit());
    }
  }

  private static void awaitFile(Path file) throws InterruptedException {
    long deadlineNanos = System.nanoTime() + PATIENCE.toNanos();
    while (!Files.exists(file)) { // it appears when it is complete
      assertTrue(System.nanoTime() < deadlineNanos, () -> "no " + file);
      Thread.sleep(20);
    }
  }

  private static void assertMatches(String regex, String text) {
    assertTrue(text.matches("(?s)" + regex + ".*"), text);
  }

  @DebuggeeTest
  void thunksShowTheChainThatTheCounterHolds(String ghc) {
    try (var program = TestPrograms.start(ghc, "leak", "500").awaitReady()) {
      String json = run(program, "thunks", "--json");

      assertTrue(json.contains("\"count\":500,"), json);
      assertTrue(
          json.matches("(?s).*\"depth\":500,\"head\":\"0x[0-9a-f]+\",\"holder\":\"MUT_VAR_.*"),
          json);
    }
  }

  @DebuggeeTest
  void mutablesShowWhatTheSessionsKeepAlive(String ghc) {
    try (var program = TestPrograms.start(ghc, "leak", "500").awaitReady()) {
      String first = run(program, "mutables", "--top", "1");

      assertMatches(".*IORef +MUT_VAR_[A-Z]+ +Data.Map.Internal.Bin +Main.Server", first);
    }
  }

  @DebuggeeTest
  void anEventlogIsNotWaitedForOnADebuggeesSocket(String ghc) {
    try (var program = TestPrograms.start(ghc, "bigmap", "100").awaitReady();
        var session = new Session(host, Verbs.REGISTRY)) {
      for (String verb : List.of("stats", "show", "validate", "profile")) {
        int code =
            session
                .interpreter()
                .runSubcommand(
                    List.of("eventlog", verb, program.socket().toString()), options -> 0);

        assertEquals(3, code, verb);
        assertMatches("error: .*found a debuggee .GHC " + ghc, host.takeErr());
      }
    }
  }

  @DebuggeeTest
  void theEventlogOfADebuggeeIsFollowedUntilItEnds(String ghc) throws Exception {
    try (var program = TestPrograms.start(ghc, "logged").awaitReady()) {
      assertFollowed(program, program.socket().toString());
    }
  }

  @DebuggeeTest
  void theEventlogIsFollowedByTcpWithTheTokenOfAFile(String ghc, @TempDir Path directory)
      throws Exception {
    int port = TestPrograms.freePort();
    Map<String, String> tcp =
        Map.of("GHC_DEBUG_TCP", Integer.toString(port), "GHC_DEBUG_TOKEN", "open sesame");
    Path token = Files.writeString(directory.resolve("token"), "open sesame\n");
    String source = "tcp://127.0.0.1:" + port;
    try (var program = TestPrograms.start(ghc, "logged", tcp).awaitReady();
        var session = new Session(host, Verbs.REGISTRY)) {
      assertEquals(
          3,
          session.interpreter().runSubcommand(List.of("eventlog", "tail", source), options -> 0));
      assertMatches("error: .*GHC_DEBUG_TOKEN", host.takeErr());

      assertFollowed(program, source, "--token-file", token.toString());
    }
  }

  /** The program ends its log until the verb has begun to follow it. */
  private void assertFollowed(RunningProgram program, String... sourceAndOptions) throws Exception {
    List<String> words = new ArrayList<>(List.of("eventlog", "tail"));
    words.addAll(List.of(sourceAndOptions));
    try (var session = new Session(host, Verbs.REGISTRY)) {
      var follower =
          new FutureTask<>(() -> session.interpreter().runSubcommand(words, options -> 0));
      Thread.ofPlatform().start(follower);
      while (!follower.isDone()) {
        program.say("stop");
        Thread.sleep(300);
      }

      assertEquals(0, follower.get(), host::takeErr);
      String events = host.takeOut();
      assertTrue(events.contains("has label \"main loop\""), events);
    }
  }

  @DebuggeeTest
  void whoHoldsTheProgramIsSaidWhenTimeIsUp(String ghc) {
    try (var program = TestPrograms.start(ghc, "bigmap", "100").awaitReady();
        var holder = new Session(host, Verbs.REGISTRY);
        var other = new Session(host, Verbs.REGISTRY)) {
      assertEquals(0, holder.interpreter().runLine("attach " + program.socket()));
      assertEquals(0, holder.interpreter().runLine("pause"));

      int code =
          other
              .interpreter()
              .runSubcommand(
                  List.of("count", program.socket().toString(), "--timeout", "400ms"),
                  options -> 0);

      // Waiting for a turn takes three quarters of it; a fast machine counts in the rest.
      if (code != 0) {
        assertEquals(6, code);
        assertMatches(
            "error: .*ghc-debug for the JVM .process [0-9]+. holds the program", host.takeErr());
      }
    }
  }

  @DebuggeeTest
  void everyVerbLeavesTheProgramRunning(String ghc) {
    try (var program = TestPrograms.start(ghc, "bigmap", "100").awaitReady()) {
      run(program, "count");
      run(program, "count", "--pause-mode", "hold");
      run(program, "pause");
      run(program, "attach", "-e", "pause", "-e", "roots --top 1");
      program.goOn();

      assertEquals(0, program.awaitExit());
    }
  }

  @DebuggeeTest
  void whoMayNotForkIsCopiedWithTheReason(String ghc) {
    var bigmap = TestPrograms.require(ghc, "bigmap").toString();
    try (var program = TestPrograms.start(ghc, "without", "fork", bigmap, "100").awaitReady()) {
      String json = run(program, "count", "Map.Bin", "--pause-mode", "fork", "--json", "-q");

      String count = "{\"count\":%d,".formatted(program.number("holds.Data.Map.Internal.Bin"));
      assertTrue(json.contains(count), () -> count + " in " + json);
      assertMatches(
          ".*\"complete\":true,\"warnings\":\\[\"not forked but copied under a pause: [^\"]*"
              + "fork: Resource temporarily unavailable\"]",
          json);
      program.goOn();
      assertEquals(0, program.awaitExit());
    }
  }

  @DebuggeeTest
  void filtersFindWhatTheProgramSaysItHolds(String ghc) {
    try (var program = TestPrograms.start(ghc, "bigmap", "1000").awaitReady()) {
      long bins = program.number("holds.Data.Map.Internal.Bin");
      long records = program.number("holds.Main.Record");

      run(program, "assert", "count(Map.Bin) = " + bins);
      run(program, "assert", "count(containers:Data.Map.Internal.Bin and size = 48) = " + bins);
      run(program, "assert", "count(not (Map.Bin or not constructor = Bin)) = 0");
      run(program, "assert", "bytes(Map.Bin) = %d".formatted(48 * bins));
      run(program, "assert", "reachable(Record, from: root = saved) = " + records);
      run(program, "assert", "retained(root = saved) >= %d".formatted(48 * bins));
      assertEquals(records + 1, run(program, "find", "Record", "--format", "csv").lines().count());
    }
  }

  @DebuggeeTest
  void everyCensusOfOneHeapAddsUpToTheSame(String ghc) {
    try (var program = TestPrograms.start(ghc, "bigmap-prof", "100").awaitReady()) {
      var lines = new ArrayList<String>();
      for (String key :
          List.of(
              "type",
              "constructor",
              "closure",
              "module",
              "package",
              "source",
              "generation",
              "size",
              "ccs")) {
        lines.add("-e");
        lines.add("census --by %s --json".formatted(key));
      }
      lines.addAll(List.of("-e", "census2 --json", "-e", "count --json"));

      String answers = run(program, "run", lines.toArray(String[]::new));

      List<String> totals =
          Pattern.compile("\"totals\":\\{(\"count\":\\d+,\"bytes\":\\d+)")
              .matcher(answers)
              .results()
              .map(result -> result.group(1))
              .toList();
      assertEquals(11, totals.size(), answers);
      assertEquals(1, totals.stream().distinct().count(), totals::toString);
    }
  }

  @DebuggeeTest
  void aHeapDiffersFromItselfByNothing(String ghc, @TempDir Path folder) {
    try (var program = TestPrograms.start(ghc, "bigmap", "100").awaitReady()) {
      String snapshot = folder.resolve("heap").toString();
      run(program, "snapshot", "-o", snapshot);

      try (var session = new Session(host, Verbs.REGISTRY)) {
        int code =
            session
                .interpreter()
                .runSubcommand(
                    List.of("diff", snapshot, snapshot, "--by", "closure", "--format", "csv"),
                    options -> 0);
        assertEquals(0, code, host::takeErr);
      }
      assertEquals(1, host.takeOut().lines().count());
    }
  }
}
