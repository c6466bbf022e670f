package org.ghcdebug.repl.command.verb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.networknt.schema.InputFormat;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.ghcdebug.repl.command.Session;
import org.ghcdebug.repl.testing.JsonSchemas;
import org.ghcdebug.repl.testing.MemoryHost;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The verbs of eventlogs, as sub-commands, on recorded logs. */
class EventLogCommandsTest {
  private static final SchemaRegistry SCHEMAS =
      SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);

  private @TempDir Path directory;
  private final MemoryHost host = new MemoryHost();

  private int run(String... arguments) {
    try (var session = new Session(host, Verbs.REGISTRY)) {
      return session.interpreter().runSubcommand(List.of(arguments), options -> 0);
    }
  }

  private static String sample(String name) {
    return Path.of(System.getProperty("ghcdebug.projectRoot", ".."))
        .resolve("debugger-protocol/src/test/resources/eventlog/" + name + ".gz")
        .toString();
  }

  static Stream<String> verbs() {
    return Stream.of("stats", "show", "validate", "tail", "summary");
  }

  @ParameterizedTest
  @MethodSource("verbs")
  void jsonOfEveryVerbValidatesAgainstItsPublishedSchema(String verb) {
    String schema =
        JsonSchemas.of(
            Verbs.REGISTRY.find("eventlog " + verb).orElseThrow().create().get().shape());

    int code = run("eventlog", verb, sample("ghc-9.6.6/sched-default.eventlog"), "--json");

    assertTrue(code == 0 || verb.equals("validate") && code == 1, host::takeErr);
    String json = host.takeOut();
    assertEquals(List.of(), SCHEMAS.getSchema(schema).validate(json, InputFormat.JSON), () -> json);
  }

  @Test
  void statsCountsTheKindsAndTheTotals() {
    assertEquals(0, run("eventlog", "stats", sample("synthetic/minimal.eventlog"), "--json"));
    String json = host.takeOut();
    assertTrue(
        json.contains("{\"event\":\"EventBlock\",\"id\":18,\"count\":2,\"bytes\":48}"), json);
    assertTrue(
        json.contains(
            "\"totals\":{\"events\":9,\"bytes\":187,\"durationNanos\":2920,\"truncated\":false}"),
        json);
  }

  @Test
  void damageIsToldAndGivesItsExitCode() {
    assertEquals(
        5,
        run(
            "eventlog",
            "stats",
            sample("corrupt/ghc-9.6.6-nonthreaded-hc-p-race.eventlog"),
            "--json"));
    String json = host.takeOut();
    assertTrue(json.contains("\"complete\":false"), json);
    assertTrue(json.contains("55 bytes were skipped in 2 places"), json);
    assertTrue(json.contains("GHC issue #25165"), json);
  }

  @Test
  void showChoosesAndOrdersEvents() {
    assertEquals(
        0,
        run(
            "eventlog",
            "show",
            sample("synthetic/two-caps-interleaved.eventlog"),
            "--cap",
            "1",
            "--grep",
            "running"));
    assertEquals(
        "2000: cap 1: running thread 2\n"
            + "3000: cap 1: running thread 2\n"
            + "9000: cap 1: running thread 2\n",
        host.takeOut());
    assertEquals(
        0,
        run("eventlog", "show", sample("synthetic/minimal.eventlog"), "--class", "user,scheduler"));
    assertEquals(
        "1000: cap 0: creating thread 1\n2000: cap 0: running thread 1\n2500: cap 0: hé\n"
            + "3000: cap 0: stopping thread 1 (thread finished)\n",
        host.takeOut());
    assertEquals(2, run("eventlog", "show", sample("synthetic/minimal.eventlog"), "--class", "x"));
    assertEquals(2, run("eventlog", "show", sample("synthetic/minimal.eventlog"), "--grep", "("));
  }

  @Test
  void validateFailsOnALogAttachedLate() {
    assertEquals(
        1,
        run(
            "eventlog",
            "validate",
            sample("live/ghc-9.6.6-hT-2-late-attach-control.bin"),
            "--json"));
    assertTrue(host.takeOut().contains("\"automaton\":\"threads\""));
  }

  @Test
  void summaryOfAFileHasALineForEachSecond() {
    assertEquals(
        0,
        run(
            "eventlog",
            "summary",
            sample("live/ghc-9.6.6-hT-2-late-attach-control.bin"),
            "--format",
            "ndjson"));
    // From 5.76 s to 12.13 s.
    assertEquals(7, host.takeOut().lines().count());
  }

  @Test
  void convertWritesEveryFormat() throws IOException {
    String log = sample("ghc-9.10.3/prof-time.eventlog");
    for (String format : List.of("ndjson", "csv", "chrome", "speedscope", "folded", "hp")) {
      Path file = directory.resolve(format);
      assertEquals(
          0, run("eventlog", "convert", log, "--as", format, "-o", file.toString()), format);
      assertTrue(Files.size(file) > 50, format);
    }
    assertTrue(Files.readString(directory.resolve("hp")).startsWith("JOB "));
    assertTrue(Files.readString(directory.resolve("chrome")).startsWith("{\"displayTimeUnit\""));
    assertTrue(Files.readString(directory.resolve("folded")).contains("Main:main"));
    assertEquals(2, run("eventlog", "convert", log, "--as", "x"));
  }

  @Test
  void whatIsNotThereGivesItsExitCode() {
    assertEquals(3, run("eventlog", "stats", "/nowhere/app.eventlog"));
  }
}
