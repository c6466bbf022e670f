package org.ghcdebug.repl.shell;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.ghcdebug.repl.command.Session;
import org.ghcdebug.repl.command.verb.Verbs;
import org.ghcdebug.repl.testing.MemoryHost;
import org.ghcdebug.repl.testing.SmallHeap;
import org.jline.reader.Candidate;
import org.jline.reader.Parser.ParseContext;
import org.jline.reader.impl.DefaultParser;
import org.jline.terminal.impl.DumbTerminal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShellTest {
  private final MemoryHost host = new MemoryHost();
  private final Session session = new Session(host, Verbs.REGISTRY);

  private String type(String text) throws IOException {
    var screen = new ByteArrayOutputStream();
    try (var terminal =
        new DumbTerminal(
            "test",
            "dumb",
            new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)),
            screen,
            StandardCharsets.UTF_8)) {
      new Shell(session, terminal).run();
    }
    return screen.toString(StandardCharsets.UTF_8);
  }

  @Test
  void linesAreRunUntilTheEndOfInput() throws IOException {
    String screen = type("version --format csv\nnope\nset x = !1\nversion --format csv\n");

    assertTrue(screen.startsWith("ghc-debug> "), screen);
    assertEquals(4, host.takeOut().lines().count());
    assertTrue(host.takeErr().startsWith("error: no verb \"nope\""));
  }

  @Test
  void quitEndsIt() throws IOException {
    type("quit\nversion\n");

    assertEquals("", host.takeOut());
  }

  @Test
  void linesAreRemembered(@TempDir Path state) throws IOException {
    host.with("XDG_STATE_HOME", state.toString());
    type("version\n");

    assertEquals("version\n", Files.readString(state.resolve("ghc-debug/history")));
  }

  @Test
  void ctrlCBetweenALineAndItsVerbStopsTheVerb() {
    session.beginLine();
    session.interruptLine();
    assertEquals(130, session.interpreter().runLine("version"));
    assertEquals("error: version was canceled\n", host.takeErr());

    session.beginLine();
    assertEquals(0, session.interpreter().runLine("version"));
  }

  private List<String> complete(String line) {
    var candidates = new ArrayList<Candidate>();
    var parsed = new DefaultParser().parse(line, line.length(), ParseContext.COMPLETE);
    new LineCompleter(session).complete(null, parsed, candidates);
    return candidates.stream().map(Candidate::value).toList();
  }

  @Test
  void verbsOptionsAndTheirValuesAreCompleted() {
    session.interpreter().runLine("alias mine = version");
    session.interpreter().runLine("set root = 0x10");

    assertTrue(complete("vers").containsAll(List.of("version", "mine")));
    assertTrue(complete("version --f").containsAll(List.of("--format", "--json", "-o")));
    assertEquals(
        List.of("text", "json", "ndjson", "csv", "tsv", "md"), complete("version --format "));
    assertTrue(complete("help v").contains("version"));
    assertEquals(List.of("$root"), complete("print $"));
  }

  @Test
  void namesInTheHeapAreCompleted() {
    try (var program = new SmallHeap()) {
      session.interpreter().runLine("attach " + program.socket());
      assertTrue(complete("find ").contains("size"));
      assertFalse(complete("find ").contains("Main.Customer"));

      session.interpreter().runLine("count Nothing");

      assertTrue(
          complete("find ").containsAll(List.of("Main.Customer", "GHC.Types", "Main.ageOf")));
      assertTrue(complete("census --where ").contains("Main.Customer"));
      session.close();
    }
  }
}
