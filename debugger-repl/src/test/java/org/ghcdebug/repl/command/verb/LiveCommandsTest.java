package org.ghcdebug.repl.command.verb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.ghcdebug.client.testing.DebuggeeTest;
import org.ghcdebug.client.testing.RunningProgram;
import org.ghcdebug.client.testing.TestPrograms;
import org.ghcdebug.repl.command.Session;
import org.ghcdebug.repl.testing.MemoryHost;

/** Whole commands against real programs. */
class LiveCommandsTest {
  private final MemoryHost host = new MemoryHost();

  private String run(RunningProgram program, String verb, String... arguments) {
    var all = new ArrayList<>(List.of(verb, program.socket().toString()));
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
}
