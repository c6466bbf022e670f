package org.ghcdebug.repl.command.verb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.networknt.schema.InputFormat;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.ghcdebug.repl.command.Session;
import org.ghcdebug.repl.testing.JsonSchemas;
import org.ghcdebug.repl.testing.MemoryHost;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

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
    return Stream.of("stats", "show", "validate", "simulate", "profile", "tail", "summary");
  }

  private static void assertMatchesSchema(String verb, String json) {
    String schema =
        JsonSchemas.of(
            Verbs.REGISTRY.find("eventlog " + verb).orElseThrow().create().get().shape());
    assertEquals(List.of(), SCHEMAS.getSchema(schema).validate(json, InputFormat.JSON), () -> json);
  }

  @ParameterizedTest
  @MethodSource("verbs")
  void jsonOfEveryVerbValidatesAgainstItsPublishedSchema(String verb) {
    int code = run("eventlog", verb, sample("ghc-9.6.6/sched-default.eventlog"), "--json");

    assertTrue(code == 0 || verb.equals("validate") && code == 1, host::takeErr);
    assertMatchesSchema(verb, host.takeOut());
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
  void aLogWithoutSamplesIsSaidToHaveNone() {
    String log = sample("ghc-9.6.6/sched-default.eventlog");
    for (String format : List.of("folded", "speedscope", "hp")) {
      assertEquals(0, run("eventlog", "convert", log, "--as", format));
      String warning = host.takeErr();
      assertTrue(warning.startsWith("warning: the log has no samples of "), warning);
    }
    run("eventlog", "convert", sample("ghc-9.10.3/prof-time.eventlog"), "--as", "folded");
    assertEquals("", host.takeErr());
  }

  @Test
  void whatIsConvertedIsNotChangedOnTheWay() {
    String log = sample("ghc-9.6.6/heap-hT.eventlog");
    run("eventlog", "convert", log, "--as", "hp");
    String hp = host.takeOut();
    assertTrue(hp.contains("\nTSO\t"), hp);
    host.withTerminal(80, 25);
    run("eventlog", "convert", log, "--as", "hp");
    assertTrue(host.takeOut().contains("\nTSO    "));
  }

  @Test
  void heapProfilesByInfoTableHaveNames() {
    String log = sample("ghc-9.10.3/heap-hi.eventlog");
    assertEquals(0, run("eventlog", "convert", log, "--as", "hp"));
    String hp = host.takeOut();
    assertTrue(hp.contains("Main:"), hp);
    assertTrue(hp.contains("(Heap.hs:"), hp);
    long bytes =
        hp.lines()
            .filter(line -> line.contains("\t"))
            .mapToLong(line -> Long.parseLong(line.substring(line.indexOf('\t') + 1)))
            .sum();
    run("eventlog", "show", log, "--class", "profiling", "--format", "ndjson", "--grep", "0x");
    long sampled =
        host.takeOut()
            .lines()
            .map(line -> JsonMapper.shared().readTree(line).get("text").asString())
            .mapToLong(text -> Long.parseLong(text.replaceAll(".*residency (\\d+).*", "$1")))
            .sum();
    assertEquals(sampled, bytes);
  }

  @ParameterizedTest
  @CsvSource({
    "chrome, chrome-trace, ghc-9.6.6/multi-n2.eventlog",
    "chrome, chrome-trace, ghc-9.10.3/heap-nonmoving.eventlog",
    "chrome, chrome-trace, live/ghc-9.6.6-hT-2-late-attach-control.bin",
    "speedscope, speedscope, ghc-9.6.6/prof-time.eventlog",
    "speedscope, speedscope, ghc-9.10.3/prof-time.eventlog",
    "speedscope, speedscope, ghc-9.10.3/class-gc.eventlog"
  })
  void convertedFilesFollowTheFormatsOfTheirTools(String as, String format, String log)
      throws IOException {
    assertEquals(0, run("eventlog", "convert", sample(log), "--as", as), host::takeErr);
    String json = host.takeOut();
    String schema =
        new String(
            EventLogCommandsTest.class
                .getResourceAsStream("/formats/" + format + ".schema.json")
                .readAllBytes(),
            StandardCharsets.UTF_8);
    assertEquals(List.of(), SCHEMAS.getSchema(schema).validate(json, InputFormat.JSON));
  }

  @Test
  void tailSaysThatACompressedFileCannotBeFollowed() throws IOException {
    byte[] whole = Files.readAllBytes(Path.of(sample("ghc-9.6.6/sched-default.eventlog")));
    Path growing =
        Files.write(directory.resolve("growing.gz"), Arrays.copyOf(whole, whole.length / 2));
    run("eventlog", "tail", growing.toString());
    assertTrue(host.takeOut().lines().count() > 10);
    assertTrue(host.takeErr().contains("gzip -dc | ghc-debug eventlog tail -"));
    run("eventlog", "tail", sample("ghc-9.6.6/sched-default.eventlog"));
    assertEquals("", host.takeErr());
  }

  @Test
  void whatIsNotThereGivesItsExitCode() {
    assertEquals(3, run("eventlog", "stats", "/nowhere/app.eventlog"));
  }

  @Test
  void simulateTellsEveryStepThatIsAskedFor() {
    assertEquals(
        0,
        run(
            "eventlog",
            "simulate",
            sample("synthetic/minimal.eventlog"),
            "--automaton",
            "threads,threadrun"));
    assertEquals(
        """
        1000: threads: thread 1: INITIAL -> QUEUED by CreateThread
        2000: threads: thread 1: QUEUED -> RUNNING by RunThread
        2000: threadrun: thread 1: not running -> runs on capability 0 by RunThread
        3000: threads: thread 1: RUNNING -> FINAL by StopThread
        3000: threadrun: thread 1: runs on capability 0 -> not running by StopThread
        """,
        host.takeOut());
    assertEquals(
        0,
        run(
            "eventlog",
            "simulate",
            sample("synthetic/two-caps-interleaved.eventlog"),
            "--thread",
            "3",
            "--json"));
    String json = host.takeOut();
    assertTrue(json.contains("\"subject\":\"thread 3\""), json);
    assertFalse(json.contains("\"subject\":\"thread 1\""), json);
    assertEquals(
        2, run("eventlog", "simulate", sample("synthetic/minimal.eventlog"), "--automaton", "x"));
  }

  @Test
  void simulateFindsTheViolationsThatValidateFinds() throws IOException {
    String log = sample("live/ghc-9.6.6-hT-2-late-attach-control.bin");
    run("eventlog", "validate", log, "--json");
    JsonNode validated = JsonMapper.shared().readTree(host.takeOut()).get("totals");
    run("eventlog", "simulate", log, "--json");
    JsonNode simulated = JsonMapper.shared().readTree(host.takeOut()).get("totals");
    long violations = 0;
    for (String automaton :
        List.of("threads", "threadPool", "threadRun", "taskPool", "tasks", "sparks")) {
      violations += validated.get(automaton).asLong();
    }
    assertTrue(violations > 0);
    assertEquals(violations, simulated.get("violations").asLong());
    assertEquals(validated.get("events").asLong(), simulated.get("events").asLong());
  }

  @Test
  void profileHasTheTimesOfEachThread() {
    assertEquals(
        0, run("eventlog", "profile", sample("synthetic/minimal.eventlog"), "--format", "csv"));
    assertEquals(
        "thread,label,state,runs,runningNanos,queuedNanos,foreignNanos,blockedNanos,blockedOn,"
            + "firstNanos,lastNanos\n1,,finished,1,1000,1000,0,0,,1000,3000\n",
        host.takeOut().replace("\r", ""));
    assertEquals(
        0, run("eventlog", "profile", sample("ghc-9.6.6/multi-n2.eventlog"), "--sparks", "--json"));
    JsonNode sparks = JsonMapper.shared().readTree(host.takeOut());
    run("eventlog", "stats", sample("ghc-9.6.6/multi-n2.eventlog"), "--format", "csv");
    assertTrue(
        host.takeOut().contains("CreateSparkThread,15," + sparks.get("rows").size() + ","),
        sparks::toString);
    assertTrue(sparks.get("rows").size() > 0);
    assertEquals(
        0, run("eventlog", "profile", sample("ghc-9.6.6/class-gc.eventlog"), "--sparks", "--json"));
    assertEquals(0, JsonMapper.shared().readTree(host.takeOut()).get("rows").size());
  }

  @Test
  void aThreadOfWhichOnlyItsLabelIsKnownIsNotSaidToHaveFinished() throws IOException {
    var log = new ByteArrayOutputStream();
    try (var out = new DataOutputStream(log)) {
      out.writeBytes("hdrbhetbetb\0");
      out.writeShort(44); // ThreadLabel
      out.writeShort(-1);
      out.writeInt(0);
      out.writeInt(0);
      out.writeBytes("ete\0hetehdredatb");
      out.writeShort(44);
      out.writeLong(1000);
      out.writeShort(6);
      out.writeInt(7);
      out.writeBytes("io");
      out.writeShort(-1);
    }
    Path file = Files.write(directory.resolve("log"), log.toByteArray());

    assertEquals(0, run("eventlog", "profile", file.toString(), "--columns", "label,state"));

    assertTrue(host.takeOut().contains("io     unknown\n"));
  }

  @Test
  void mergeWritesOneLogOfLogsOfDifferentGhcs() throws IOException {
    Path merged = directory.resolve("merged.eventlog");
    assertEquals(
        0,
        run(
            "eventlog",
            "merge",
            sample("ghc-9.6.6/sched-default.eventlog"),
            sample("ghc-9.10.3/heap-nonmoving.eventlog"),
            "-o",
            merged.toString(),
            "--json"));
    String json = host.takeOut();
    assertMatchesSchema("merge", json);
    JsonNode answer = JsonMapper.shared().readTree(json);
    assertEquals(
        answer.get("totals").get("events").asLong(),
        answer.get("rows").get(0).get("events").asLong()
            + answer.get("rows").get(1).get("events").asLong());
    assertEquals(0, run("eventlog", "show", merged.toString(), "--format", "ndjson"));
    long[] last = {Long.MIN_VALUE};
    long events =
        host.takeOut()
            .lines()
            .map(line -> JsonMapper.shared().readTree(line).get("timeNanos").asLong())
            .peek(
                time -> {
                  assertTrue(time >= last[0]);
                  last[0] = time;
                })
            .count();
    assertEquals(answer.get("totals").get("events").asLong(), events);
    assertFalse(Files.exists(directory.resolve("merged.eventlog.partial")));
  }

  @Test
  void mergeRefusesWhatItCannotAlignAndLeavesNothing() {
    Path merged = directory.resolve("merged.eventlog");
    String log = sample("ghc-9.6.6/sched-default.eventlog");
    assertEquals(
        5,
        run("eventlog", "merge", log, sample("synthetic/empty.eventlog"), "-o", merged.toString()));
    assertTrue(host.takeErr().contains("wall-clock"));
    assertFalse(Files.exists(merged));
    assertEquals(2, run("eventlog", "merge", log, "-o", merged.toString()));
    assertEquals(2, run("eventlog", "merge", log, log));
    host.takeErr();
    assertEquals(3, run("eventlog", "merge", log, log, "-o", "/nowhere/merged"));
    assertEquals(
        "error: /nowhere/merged: cannot be written (no such file or directory); write to another"
            + " file\n",
        host.takeErr());
  }

  @Test
  void replayServesTheLogAndTellsWhatHappened() throws Exception {
    Path socket = directory.resolve("s");
    String log = sample("live/ghc-9.6.6-hT-2-late-attach-control.bin");
    var tailed = new MemoryHost();
    var tail =
        CompletableFuture.supplyAsync(
            () -> {
              try (var session = new Session(tailed, Verbs.REGISTRY)) {
                int code;
                do {
                  // Until the server listens on its socket.
                  code =
                      session
                          .interpreter()
                          .runSubcommand(
                              List.of("eventlog", "show", socket.toString(), "--format", "ndjson"),
                              options -> 0);
                } while (code == 3);
                return code;
              }
            },
            task -> Thread.ofPlatform().daemon().start(task));
    assertEquals(
        0, run("eventlog", "replay", log, "--to", socket.toString(), "--speed", "1000", "--json"));
    String json = host.takeOut();
    assertMatchesSchema("replay", json);
    assertTrue(json.contains("\"what\":\"a reader came\""), json);
    assertTrue(json.contains("\"bytes\":127055"), json);
    tail.join();
    run("eventlog", "show", log, "--format", "ndjson");
    assertEquals(host.takeOut(), tailed.takeOut());
    assertFalse(Files.exists(socket));
  }

  @Test
  void replayDoesNotWriteOverAFile() throws IOException {
    Path file = Files.writeString(directory.resolve("precious"), "x");
    assertEquals(
        2,
        run("eventlog", "replay", sample("synthetic/minimal.eventlog"), "--to", file.toString()));
    assertEquals("x", Files.readString(file));
  }
}
