package org.ghcdebug.repl.command.verb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.networknt.schema.InputFormat;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.ghcdebug.repl.command.Form;
import org.ghcdebug.repl.command.Registration;
import org.ghcdebug.repl.command.Session;
import org.ghcdebug.repl.command.VerbModel;
import org.ghcdebug.repl.testing.Golden;
import org.ghcdebug.repl.testing.JsonSchemas;
import org.ghcdebug.repl.testing.MemoryHost;
import org.ghcdebug.repl.testing.SmallHeap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whole commands, from their arguments to what they print, against the Java stub. */
class CommandsTest {
  private static final SchemaRegistry SCHEMAS =
      SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);

  @TempDir private Path folder;

  private final SmallHeap program = new SmallHeap();
  private final MemoryHost host = new MemoryHost().withTerminal(100, 1000);

  @AfterEach
  void stop() {
    program.close();
  }

  private int run(String... arguments) {
    try (var session = new Session(host, Verbs.REGISTRY)) {
      return session.interpreter().runSubcommand(List.of(arguments), options -> 0);
    }
  }

  private String target() {
    return program.socket().toString();
  }

  /** The lines that show what every verb answers; the address of the list is $1. */
  static Stream<String> lines() {
    return Stream.of(
        "ps",
        "info",
        "roots",
        "saved",
        "closure $1",
        "tree $1 --depth 4",
        "print $1",
        "stack $2",
        "threads",
        "dump $3 -o target/dumped.bin",
        "infotable $1",
        "source $1",
        "census --by constructor",
        "census --by size --where 'type = CONSTR'",
        "census2 --where 'type = CONSTR'",
        "count",
        "find Customer or 'type = TSO'",
        "retainers 'type = ARR_WORDS'",
        "path $1",
        "parents $1",
        "children $1",
        "dominators",
        "retained $1",
        "strings",
        "arrwords",
        "dups",
        "cafs",
        "suspects",
        "thunks",
        "mutables",
        "frag",
        "typegraph",
        "diff $folder/snapshot $folder/snapshot",
        "trend $folder/snapshot $folder/snapshot",
        "assert 'count(Customer) = 3'",
        "export --as dot --from $1 --depth 2",
        "export --as gml --graph dominators --limit 3",
        "export --as graphml --graph types --from Customer",
        "pause",
        "resume",
        "refresh",
        "snapshot -o $folder/written",
        "snapshot info $folder/snapshot",
        "snapshot verify $folder/snapshot",
        "snapshot redact $folder/snapshot -o $folder/redacted",
        "version",
        "help closure",
        "alias",
        "completion bash",
        "attach $target",
        "demo");
  }

  /** The verb of a line: of its first two words if there is one, else of the first. */
  private static Registration verb(String line) {
    String[] words = line.split(" ");
    return Verbs.REGISTRY
        .find(String.join(" ", Arrays.copyOf(words, Math.min(2, words.length))))
        .or(() -> Verbs.REGISTRY.find(words[0]))
        .orElseThrow();
  }

  private String answerOf(String line) {
    try (var session = new Session(host, Verbs.REGISTRY)) {
      var interpreter = session.interpreter();
      assertEquals(0, interpreter.runLine("attach " + target()));
      assertEquals(0, interpreter.runLine("saved"));
      session.variables().set("target", target());
      session.variables().set("folder", folder.toString());
      assertEquals(0, interpreter.runLine("snapshot -o $folder/snapshot"));
      host.takeOut();
      int code = interpreter.runLine(line);
      assertEquals(0, code, () -> line + ": " + host.takeErr());
      return host.takeOut();
    }
  }

  @ParameterizedTest
  @MethodSource("lines")
  void jsonOfEveryVerbValidatesAgainstItsPublishedSchema(String line) {
    String schema = JsonSchemas.of(verb(line).create().get().shape());

    String json = answerOf(line + " --json");

    assertEquals(List.of(), SCHEMAS.getSchema(schema).validate(json, InputFormat.JSON), () -> json);
  }

  @Test
  void everyVerbThatAnswersIsTriedAbove() {
    List<String> tried = lines().map(line -> verb(line).name()).toList();
    List<String> missing =
        Verbs.REGISTRY.verbs().stream()
            .filter(verb -> VerbModel.of(verb, Form.LINE, false).format() != null)
            .map(verb -> verb.name())
            .filter(name -> !tried.contains(name))
            // Those need no program; EventLogCommandsTest tries them.
            .filter(name -> !name.startsWith("eventlog "))
            .toList();

    assertEquals(List.of(), missing);
  }

  @Test
  void theDumpOfAByteArrayIsItsPayload(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("payload");
    assertEquals(0, run("saved", target(), "--json"));
    String array = host.takeOut().replaceAll("(?s).*\"address\":\"(0x[0-9a-f]+)\".*", "$1");

    assertEquals(0, run("dump", target(), array, "-o", file.toString()));

    assertEquals("bytes", Files.readString(file));
  }

  @Test
  void onlyWhatHasFramesHasAStack() {
    assertEquals(0, run("saved", target(), "--json"));
    String array = host.takeOut().replaceAll("(?s).*\"address\":\"(0x[0-9a-f]+)\".*", "$1");

    assertEquals(2, run("stack", target(), array));

    assertTrue(host.takeErr().contains("expected a TSO"));
  }

  @Test
  void textOfTheVerbs() {
    var text = new StringBuilder();
    lines()
        .filter(
            line ->
                line.matches(
                    "(roots|saved|closure|tree|print|stack|infotable|census|census2|count|find"
                        + "|retain|path|parents|children|domin|thunks|mutables"
                        + "|threads|cafs|strings|arrwords|dups|frag|typegraph|export).*"))
        .forEach(line -> text.append("> ").append(line).append('\n').append(answerOf(line)));

    Golden.check("commands.text", text.toString());
  }

  @Test
  void aSubcommandTakesItsTargetFirstAndResumesTheProgram() {
    assertEquals(0, run("count", target()));
    assertFalse(program.server().isPaused());
    assertEquals(0, run("count", target(), "--pause-mode", "hold"));
    assertFalse(program.server().isPaused());

    List<String> counts = host.takeOut().lines().toList();
    assertEquals(2, counts.size());
    assertEquals(counts.get(0), counts.get(1));
  }

  @Test
  void theTargetMayBeLeftOutOnlyWhereTheEnvironmentNamesIt() {
    assertEquals(2, run("count"));
    assertTrue(host.takeErr().contains("Missing required parameter: 'TARGET'"));

    host.with("GHC_DEBUG_SOCKET", target());
    assertEquals(0, run("count"));
    assertEquals(0, run("count", target()));
    assertEquals(0, run("run", "-", "--keep-going"));
    assertEquals(2, run("count", target(), "more"));
  }

  @Test
  void censusesThatWereSavedCanBeCompared() {
    Path whole = folder.resolve("whole.json");
    Path part = folder.resolve("part.json");
    assertEquals(0, run("census", target(), "--json", "-o", whole.toString()));
    assertEquals(
        0,
        run(
            "census",
            target(),
            "--where",
            "not Customer",
            "--format",
            "ndjson",
            "-o",
            part.toString()));

    assertEquals(0, run("diff", part.toString(), target(), "--format", "csv"));
    assertEquals(
        "key,countBefore,countAfter,countDelta,bytesBefore,bytesAfter,bytesDelta\n"
            + "Main.Customer,0,3,3,0,72,72\n",
        host.takeOut());
    assertEquals(0, run("diff", whole.toString(), target()));
    assertEquals("none\n", host.takeOut());
    assertEquals(0, run("trend", part.toString(), part.toString(), whole.toString()));
    assertTrue(host.takeOut().contains("Main.Customer  yes"));
    assertEquals(2, run("diff", part.toString(), target(), "--where", "Customer"));
  }

  private String saved(String name, String... census) {
    Path file = folder.resolve(name);
    List<String> words = new ArrayList<>(List.of(census[0], target(), "--json"));
    words.addAll(List.of(census).subList(1, census.length));
    words.addAll(List.of("-o", file.toString()));
    assertEquals(0, run(words.toArray(String[]::new)), host::takeErr);
    return file.toString();
  }

  @Test
  void censusesThatWereMadeDifferentlyAreNotCompared() {
    String byType = saved("type.json", "census", "--by", "type");
    String byModule = saved("module.json", "census", "--by", "module");
    String some = saved("some.json", "census", "--by", "type", "--where", "size > 16");
    String pairs = saved("pairs.json", "census2", "--by", "type");

    for (String other : List.of(byModule, some, pairs)) {
      assertEquals(2, run("diff", byType, other), other);
      assertEquals(2, run("trend", byType, byType, other), other);
      assertEquals("", host.takeOut());
    }
    host.takeErr();
    assertEquals(2, run("diff", byType, some));
    assertEquals(
        "error: %s was made by census --by type --where 'size > 16', which cannot be compared with"
                .formatted(some)
            + " census --by type; save it anew, or ask for the same\n",
        host.takeErr());
    assertEquals(2, run("diff", byType, target(), "--by", "module"));
  }

  @Test
  void aTargetIsComparedAsTheSavedCensusWasMade() {
    for (String census :
        List.of(
            saved("type.json", "census", "--by", "type"),
            saved("some.json", "census", "--by", "module", "--where", "size > 16"),
            saved("pairs.json", "census2", "--where", "Customer"))) {
      assertEquals(0, run("diff", census, target(), "--format", "csv"), host::takeErr);
      assertEquals(1, host.takeOut().lines().count(), census);
    }
    assertEquals(
        0, run("diff", folder.resolve("some.json").toString(), target(), "--where", "size > 16"));
    assertEquals("", host.takeErr());
  }

  @Test
  void censusesThatDoNotSayHowTheyWereMadeAreComparedWithAWarning() throws IOException {
    Path old = folder.resolve("old.json");
    String text = Files.readString(Path.of(saved("new.json", "census")));
    assertTrue(text.contains("\"question\":{\"by\":\"constructor\"}"), text);
    Files.writeString(old, text.replaceFirst("\"question\":\\{[^}]*},", ""));

    assertEquals(0, run("diff", old.toString(), target()));
    assertEquals("none\n", host.takeOut());
    assertTrue(host.takeErr().contains("old.json does not say with which --by"));
  }

  @Test
  void aDamagedOrForeignCensusIsRefused() throws IOException {
    Path cut =
        Files.writeString(folder.resolve("cut"), "{\"schema\":\"ghc-debug/census/1\",\"rows\":[");
    Path other = folder.resolve("count.json");
    assertEquals(0, run("count", target(), "--json", "-o", other.toString()));

    assertEquals(5, run("diff", cut.toString(), target()));
    assertTrue(host.takeErr().contains("no JSON: found the end, expected a value"));
    assertEquals(5, run("diff", other.toString(), target()));
    assertTrue(host.takeErr().contains("found the answer of ghc-debug/count/1"));
  }

  @Test
  void anAssertionThatFailsEndsWithOne() {
    assertEquals(0, run("assert", target(), "bytes(Customer) < 1KiB"));
    assertEquals("holds: bytes(Customer) < 1KiB, found 72\n", host.takeOut());
    assertEquals(1, run("assert", target(), "count(Customer) < 3"));
    assertEquals("failed: count(Customer) < 3, found 3\n", host.takeOut());
    assertEquals(1, run("assert", target(), "reachable(Customer, from: Nobody) = 0"));
    assertTrue(host.takeErr().contains("no closure to start from"));
    assertEquals(2, run("assert", target(), "count(Customer)"));
    assertEquals(2, run("assert", target(), "count(siz = 3) = 3"));
  }

  @Test
  void severalAssertionsAreCheckedEach() {
    assertEquals(0, run("assert", target(), "count(Customer) = 3", "bytes(Customer) = 72"));
    assertEquals(2, host.takeOut().lines().count());
    assertEquals(1, run("assert", target(), "count(Customer) = 3", "bytes(Customer) > 72"));
    assertTrue(host.takeOut().contains("failed: bytes(Customer) > 72, found 72"));
    assertEquals(0, runLine("assert count(Customer) = 3"));
  }

  @Test
  void noSuspectsAreSaidToBeNone() {
    assertEquals(0, run("suspects", target()));
    assertTrue(host.takeOut().startsWith("no suspects: "));
    assertEquals(0, run("suspects", target(), "--json"));
    assertTrue(host.takeOut().contains("\"rows\":[\n],\"totals\""));
    assertEquals("", host.takeErr());
  }

  @Test
  void rowsThatALimitLeavesOutAreTold() {
    assertEquals(0, run("census", target(), "--limit", "2"));
    String limited = host.takeOut();
    assertTrue(limited.endsWith(" more rows are left out\n"), limited);
    assertEquals(0, run("find", target(), "Customer", "--limit", "2"));
    assertTrue(host.takeOut().endsWith("--limit stopped before their end\n"));
    assertEquals(0, run("retainers", target(), "Customer or type = ARR_WORDS", "--top", "1"));
    assertTrue(host.takeErr().contains("--top N shows more"));
  }

  @Test
  void aNameThatIsNeitherFileNorProgramIsSaidToBeSo() {
    assertEquals(3, run("count", "nowhere.sock"));
    assertTrue(host.takeErr().contains("no file of that name exists, and no program"));
    assertEquals(3, run("count", "pid:999999999"));
    assertTrue(host.takeErr().contains("no program with that number is running"));
  }

  @Test
  void bashCompletesVerbsTheirSecondWordsAndWhatOptionsTake() throws Exception {
    assertEquals(0, run("completion", "bash"));
    String script = host.takeOut();
    String asks =
        """
        ask() { COMP_WORDS=(ghc-debug "$@"); COMP_CWORD=$#; _ghc_debug; echo "${COMPREPLY[*]}"; }
        complete() { :; }
        ask reta
        ask eventlog sta
        ask snapshot ver
        ask export --gr
        ask census --by mo
        ask census demo --format n
        """;
    Process bash =
        new ProcessBuilder("bash", "-c", script + asks).redirectErrorStream(true).start();

    String answers = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertEquals("retainers retained\nstats\nverify\n--graph\nmodule\nndjson\n", answers);
  }

  @Test
  void scriptsAndThePromptGiveTheSameOutput() throws IOException {
    String lines = "saved\nset list = $1\nprint $list\ntree $list --depth 2\ncensus\nclosure 0x1\n";
    Path script = Files.writeString(folder.resolve("script"), lines);

    int scriptCode = run("run", target(), script.toString());
    String scriptOut = host.takeOut();
    assertTrue(host.takeErr().contains("script:6: "));
    try (var session = new Session(host, Verbs.REGISTRY)) {
      session.interpreter().runLine("attach " + target());
      host.takeOut();
      int promptCode = 0;
      for (String line : lines.lines().toList()) {
        promptCode = session.interpreter().runLine(line);
      }
      assertEquals(scriptCode, promptCode);
      assertEquals(scriptOut, host.takeOut());
    }
    assertEquals(
        scriptCode,
        new Session(host, Verbs.REGISTRY)
            .interpreter()
            .runLines(
                new BufferedReader(new StringReader("attach " + target() + "\n" + lines)),
                "standard input",
                false));
  }

  @Test
  void linesAreRunBeforeThePromptOpens() {
    assertEquals(0, run("attach", target(), "-e", "count", "-e", "pause"));

    assertEquals(3, host.takeOut().lines().count());
    assertFalse(program.server().isPaused());
  }

  @Test
  void thePromptShowsTheState() {
    try (var session = new Session(host, Verbs.REGISTRY)) {
      var interpreter = session.interpreter();
      assertEquals("ghc-debug", session.prompt());
      interpreter.runLine("attach " + target());
      assertEquals("app [running]", session.prompt());
      interpreter.runLine("count");
      assertTrue(session.prompt().matches("app \\[copy \\d\\d:\\d\\d:\\d\\d]"), session.prompt());
      interpreter.runLine("pause");
      assertTrue(program.server().isPaused());
      assertTrue(session.prompt().matches("app \\[paused \\d+ s]"), session.prompt());
      interpreter.runLine("resume");
      assertEquals("app [running]", session.prompt());
    }
    assertFalse(program.server().isPaused());
  }

  @Test
  void whoCannotForkIsCopiedWithAWarning() {
    assertEquals(0, run("count", target(), "--pause-mode", "fork"));
    assertTrue(host.takeErr().contains("not forked but copied"));
  }

  @Test
  void whatIsNotThereIsToldInOneLine() {
    assertEquals(3, run("count", "/nowhere/app.sock"));
    assertEquals(1, host.takeErr().lines().count());
    assertEquals(2, run("count", "core:dump"));
    assertEquals(2, run("closure", target(), "12"));
    assertTrue(host.takeErr().contains("\"12\" is not an address"));
  }

  @Test
  void aValueThatIsNotThereIsAnError() {
    assertEquals(2, run("print", target(), "0x10"));
    assertTrue(host.takeErr().contains("no closure is at 0x0000000000000010"));
  }

  @Test
  void anAddressThatIsTypedWronglyIsToldAsItWasTyped() {
    String file = folder.resolve("payload").toString();
    for (List<String> line :
        List.of(
            List.of("closure", target(), "0x123"),
            List.of("tree", target(), "0x123"),
            List.of("children", target(), "0x123"),
            List.of("stack", target(), "0x123"),
            List.of("print", target(), "0x123"),
            List.of("path", target(), "0x123"),
            List.of("dump", target(), "0x123", "-o", file))) {
      assertEquals(2, run(line.toArray(String[]::new)), line::toString);
      String problem = host.takeErr();
      assertTrue(problem.contains("at 0x0000000000000123"), problem);
    }
  }

  @Test
  void aFolderIsSaidToBeOne() {
    for (List<String> line :
        List.of(
            List.of("census", folder.toString()),
            List.of("diff", target(), folder.toString()),
            List.of("attach", folder.toString()),
            List.of("eventlog", "stats", folder.toString()),
            List.of("eventlog", "tail", folder.toString()))) {
      assertEquals(3, run(line.toArray(String[]::new)), line::toString);
      String problem = host.takeErr();
      assertTrue(problem.startsWith("error: " + folder + ": is a folder; expected "), problem);
    }
  }

  @Test
  void aMistypedSecondWordIsToldWithTheNearestOne() {
    assertEquals(2, run("snapshot", "inf", "x"));
    assertTrue(host.takeErr().contains("; perhaps \"snapshot info\" is meant; see"));
    assertEquals(2, run("snapshot", "x"));
    assertFalse(host.takeErr().contains("perhaps"));
  }

  @Test
  void onlyTheOptionIsUnknownThatIsWithTheNearestOne() {
    assertEquals(2, run("eventlog", "show", "--class", "gc", "--limit", "3", "FILE"));
    assertEquals(
        "error: eventlog show: Unknown option: '--limit'; see \"help eventlog show\"\n",
        host.takeErr());
    assertEquals(2, run("eventlog", "show", "--clas=gc", "FILE"));
    assertTrue(host.takeErr().contains("Unknown option: '--clas', perhaps \"--class\"; see"));
    assertEquals(2, run("count", "--timeot", "3s", target()));
    assertTrue(host.takeErr().contains("Unknown option: '--timeot', perhaps \"--timeout\"; see"));
  }

  @Test
  void whatNothingIsAskedOfIsSaidToBeNone() {
    assertEquals(0, run("retainers", target(), "Nonsense"));
    assertEquals("none\n", host.takeOut());
  }

  @Test
  void limitsOfATreeAreToldAndMakeItIncomplete() {
    assertEquals(0, runLine("tree $1 --limit 2"));
    assertTrue(host.takeErr().contains("only the first 2 closures are shown"));
  }

  @Test
  void whatTheDemoSuggestsFindsTheLeak() {
    assertEquals(0, run("demo"));
    List<String> suggestions =
        host.takeOut().lines().filter(line -> line.startsWith("  ")).toList();
    assertEquals(3, suggestions.size());
    try (var session = new Session(host, Verbs.REGISTRY)) {
      var interpreter = session.interpreter();
      interpreter.runLine("attach demo");
      assertEquals("demo [running]", session.prompt());
      host.takeOut();
      for (String suggestion : suggestions) {
        assertEquals(0, interpreter.runLine(suggestion));
      }
    }
    // The thunks of a lazy modifyIORef, and a chain of them under a mutable variable.
    String found = host.takeOut();
    assertTrue(found.matches("(?s).*<THUNK_1_0> serve \\(leak.hs:.* 20,000 .*"), found);
    assertTrue(found.matches("(?s).*MUT_VAR.*value +Main.serve \\(leak.hs:.*"), found);
    assertEquals("", host.takeErr());
  }

  private int runLine(String line) {
    try (var session = new Session(host, Verbs.REGISTRY)) {
      var interpreter = session.interpreter();
      interpreter.runLine("attach " + target());
      interpreter.runLine("saved");
      return interpreter.runLine(line);
    }
  }
}
