package org.ghcdebug.repl.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.ghcdebug.protocol.error.CanceledException;
import org.ghcdebug.protocol.error.DebuggeeRefusedException;
import org.ghcdebug.protocol.error.LimitExceededException;
import org.ghcdebug.protocol.error.MalformedDataException;
import org.ghcdebug.protocol.error.SourceUnavailableException;
import org.ghcdebug.protocol.error.TimeLimitException;
import org.ghcdebug.protocol.error.UnsupportedTargetException;
import org.ghcdebug.repl.render.Column;
import org.ghcdebug.repl.render.Shape;
import org.ghcdebug.repl.render.Summary;
import org.ghcdebug.repl.render.View;
import org.ghcdebug.repl.testing.MemoryHost;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

class InterpreterTest {
  @Command(name = "echo")
  private static final class Echo implements Verb {
    @Parameters(arity = "0..*", paramLabel = "WORD")
    private List<String> words = List.of();

    @Override
    public Shape<?, ?> shape() {
      return Shape.text("echo");
    }

    @Override
    public boolean needsTarget() {
      return false;
    }

    @Override
    public View<?, ?> run(Session session) {
      return View.of(Shape.text("echo"), words);
    }
  }

  @Command(name = "list")
  private static final class Rows implements Verb {
    private static final Shape<Long, Void> SHAPE =
        Shape.table(
            "list",
            List.<Column<Long>>of(
                new Column.Address<>("address", n -> n * 16), new Column.Count<>("count", n -> n)));

    @Option(names = "--rows")
    private long rows = 3;

    @Override
    public Shape<?, ?> shape() {
      return SHAPE;
    }

    @Override
    public boolean needsTarget() {
      return false;
    }

    @Override
    public View<?, ?> run(Session session) {
      return View.of(
          SHAPE,
          LongStream.rangeClosed(1, rows).boxed().toList(),
          Summary.of(false, List.of("one row is missing"), null));
    }
  }

  @Command(name = "fail")
  private record Fail(RuntimeException failure) implements Verb {
    @Override
    public Shape<?, ?> shape() {
      return Shape.NOTHING;
    }

    @Override
    public boolean needsTarget() {
      return false;
    }

    @Override
    public View<?, ?> run(Session session) {
      throw failure;
    }
  }

  private final MemoryHost host = new MemoryHost();

  private Session session(RuntimeException failure) {
    return new Session(
        host,
        new Registry(
            List.of(
                Registration.of("echo", Section.PROMPT, Echo::new),
                Registration.of("list", Section.PROMPT, Rows::new),
                Registration.of("two words", Section.PROMPT, Rows::new),
                Registration.onlyInLines("line", Section.PROMPT, Echo::new),
                Registration.of("fail", Section.PROMPT, () -> new Fail(failure)))));
  }

  private final Session session = session(new IllegalStateException("broken"));

  private int line(String text) {
    return session.interpreter().runLine(text);
  }

  private int subcommand(String... arguments) {
    return session.interpreter().runSubcommand(List.of(arguments), options -> 0);
  }

  static Stream<Arguments> failures() {
    return Stream.of(
        Arguments.of(new UsageException("what"), 2),
        Arguments.of(new SourceUnavailableException("a.sock", "is not there"), 3),
        Arguments.of(new UnsupportedTargetException("GHC 7.10", "9.2 to 9.14"), 4),
        Arguments.of(new DebuggeeRefusedException("ROOTS", 0x100, "not paused"), 4),
        Arguments.of(new MalformedDataException("file", 12, "no magic"), 5),
        Arguments.of(new TimeLimitException(Duration.ofSeconds(1), "too slow"), 6),
        Arguments.of(new LimitExceededException("rows", 2, 1, "ask for less"), 7),
        Arguments.of(new CanceledException("fail"), 130),
        Arguments.of(new IllegalStateException("multi\nline"), 70));
  }

  @ParameterizedTest
  @MethodSource("failures")
  void everyFailureIsOneLineAndAnExitCode(RuntimeException failure, int code) {
    var interpreter = session(failure).interpreter();

    assertEquals(code, interpreter.runSubcommand(List.of("fail"), options -> 0));
    String err = host.takeErr();
    assertTrue(err.startsWith("error: "), err);
    assertEquals(1, err.lines().count(), err);

    interpreter.runSubcommand(List.of("fail", "-vv"), options -> 0);
    assertTrue(host.takeErr().contains("\tat org.ghcdebug"), "-vv adds the stack trace");
    assertEquals("", host.takeOut());
  }

  @Test
  void answersGoToStandardOutputAndWarningsToStandardError() {
    assertEquals(0, line("list --rows 2"));
    assertEquals(
        """
        #  address             count
        1  0x0000000000000010      1
        2  0x0000000000000020      2
        """,
        host.takeOut());
    assertEquals("warning: one row is missing\n", host.takeErr());

    line("list -q");
    assertEquals("", host.takeErr());
  }

  @Test
  void numberedRowsAndTheLastAddressAreVariables() {
    line("list -q");
    host.takeOut();

    assertEquals(0, line("echo $2 '$2' \"$_\""));
    assertEquals("0x0000000000000020\n$2\n0x0000000000000030\n", host.takeOut());
    assertEquals(2, line("echo $4"));
    assertEquals("error: $4 is not set: the last answer's rows are $1 to $3\n", host.takeErr());
  }

  @Test
  void rowsAreChosenSortedAndCutByOptions() {
    line("list --sort count --top 1 --columns count,address --format csv");

    assertEquals("count,address\n3,0x0000000000000030\n", host.takeOut());
  }

  @Test
  void optionsThatDoNotApplyAreUsageErrors() {
    assertEquals(2, line("echo --top 3"));
    assertEquals("error: echo: Unknown option: '--top'; see \"help echo\"\n", host.takeErr());
    assertEquals(2, line("list --sort size"));
    assertEquals("error: no column \"size\"; the columns are address, count\n", host.takeErr());
    assertEquals(2, line("list --top 0"));
    assertEquals("error: --top 0: expected at least 1\n", host.takeErr());
    assertEquals(2, line("list --json --format csv"));
  }

  @Test
  void anUnknownVerbIsToldWithTheNearestOne() {
    assertEquals(2, subcommand("lisst"));
    assertEquals(
        "error: no verb \"lisst\", perhaps \"list\"; \"ghc-debug help\" lists them\n",
        host.takeErr());
    assertEquals(2, subcommand("line"));
    assertEquals(2, subcommand());
    host.takeErr();
    assertEquals(2, subcommand("two"));
    assertEquals(
        "error: \"two\" is the first word of verbs; expected one of words behind it; \"ghc-debug"
            + " help\" lists them\n",
        host.takeErr());
    assertEquals(2, subcommand("two", "wrds", "x"));
    assertEquals(
        "error: no verb \"two wrds\", perhaps \"two words\"; expected one of words behind two\n",
        host.takeErr());
  }

  @Test
  void verbsMayHaveTwoWords() {
    assertEquals(0, line("two words --rows 1 --columns count"));
    assertEquals(2, line("two"));
  }

  @Test
  void answersOfLinesGoToFilesAndShellCommands(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("out.txt");

    line("echo one two > " + file);
    line("echo one two | tr a-z A-Z");

    assertEquals("one\ntwo\n", Files.readString(file));
    assertEquals("ONE\nTWO\n", host.takeOut());
    assertEquals(3, line("echo > " + folder.resolve("none/out.txt")));
    assertTrue(host.takeErr().contains("no such file or directory"));
  }

  @Test
  void aFullDiskIsAnErrorAndAClosedPipeIsTheEnd() {
    host.failWith("No space left on device");
    assertEquals(3, line("echo a"));
    assertTrue(host.takeErr().contains("standard output: cannot be written (No space left"));
    assertFalse(session.isLeaving());

    host.failWith("Broken pipe");
    assertEquals(0, line("echo a"));
    assertEquals("", host.takeErr());
    assertTrue(session.isLeaving());
  }

  @Test
  void aliasesStandForTheBeginningOfALine() {
    session.defineAlias("e", List.of("echo", "a b"));
    session.defineAlias("echo", List.of("echo", "-v"));
    session.defineAlias("shout", List.of("echo x | tr a-z A-Z"));

    line("e c");
    line("shout");

    assertEquals("a b\nc\nX\n", host.takeOut());
  }

  @Test
  void aScriptStopsAtItsFirstFailureAndSaysWhereThatWas(@TempDir Path folder) throws IOException {
    Path script = folder.resolve("script");
    Files.writeString(script, "#!/usr/bin/env ghc-debug\necho 1\n\nnope\necho 2\nlist --sort x\n");
    var interpreter = session.interpreter();

    assertEquals(2, interpreter.runFile(script, false));
    assertEquals("1\n", host.takeOut());
    assertTrue(host.takeErr().startsWith("error: " + script + ":4: no verb \"nope\""));

    assertEquals(2, interpreter.runFile(script, true));
    assertEquals("1\n2\n", host.takeOut());
    assertTrue(host.takeErr().contains(script + ":6: no column"));
  }

  @Test
  void standardInputIsAScript() {
    host.withInput("echo a\necho b");

    assertEquals(0, session.interpreter().runFile(Path.of("-"), false));
    assertEquals("a\nb\n", host.takeOut());
  }

  @Test
  void onlyTextThatIsLongerThanTheTerminalIsPaged() {
    host.withTerminal(80, 5);

    line("list --rows 2");
    assertEquals(List.of(), host.pages());
    line("list --rows 20 --json");
    line("list --rows 20 --no-pager");
    assertEquals(List.of(), host.pages());
    host.takeOut();
    line("list --rows 20");

    assertEquals(21, host.pages().getFirst().size());
    assertEquals("", host.takeOut());
  }

  @Test
  void colorsAreForTerminalsUnlessAskedFor() {
    line("list --color always");
    assertTrue(host.takeOut().contains("\u001b["));
    line("list");
    assertFalse(host.takeOut().contains("\u001b["));
    host.withTerminal(80, 50).with("TERM", "xterm");
    line("list");
    assertTrue(host.takeOut().contains("\u001b["));
    host.with("NO_COLOR", "1");
    line("list");
    assertFalse(host.takeOut().contains("\u001b["));
  }
}
