package org.ghcdebug.repl.command.verb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.ghcdebug.repl.command.Prompt;
import org.ghcdebug.repl.command.Session;
import org.ghcdebug.repl.testing.MemoryHost;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Events beside a prompt that shows them to the test. */
class EventsTest {
  private final MemoryHost host = new MemoryHost();
  private final Session session = new Session(host, Verbs.REGISTRY);
  private final Screen screen = new Screen();

  @AfterEach
  void close() {
    session.close();
  }

  private static String sample(String name) {
    return Path.of(System.getProperty("ghcdebug.projectRoot", ".."))
        .resolve("debugger-protocol/src/test/resources/eventlog/" + name + ".gz")
        .toString();
  }

  private int line(String text) {
    return session.interpreter().runLine(text);
  }

  /** Where lines appear once somebody types. */
  private static final class Screen implements Prompt {
    private final List<String> shown = new ArrayList<>(); // guarded by itself
    private volatile boolean reading;

    @Override
    public boolean isReading() {
      return reading;
    }

    @Override
    public void printAbove(String text) {
      synchronized (shown) {
        text.lines().forEach(shown::add);
        shown.notifyAll();
      }
    }

    List<String> awaitLast(String end) throws InterruptedException {
      synchronized (shown) {
        while (shown.isEmpty() || !shown.getLast().endsWith(end)) {
          shown.wait();
        }
        return List.copyOf(shown);
      }
    }

    int size() {
      synchronized (shown) {
        return shown.size();
      }
    }
  }

  @Test
  void eventsAreShownAboveThePromptInTimeOrder() throws InterruptedException {
    session.usePrompt(screen);
    screen.reading = true;
    String log = sample("synthetic/two-caps-interleaved.eventlog");
    assertEquals(0, line("events on " + log + " --class scheduler"), host::takeErr);
    List<String> shown = screen.awaitLast(" has ended");

    line("eventlog show " + log + " --class scheduler");
    List<String> expected = host.takeOut().lines().toList();
    assertEquals(log + " is read", shown.getFirst());
    assertEquals(expected, shown.subList(1, shown.size() - 1));
  }

  @Test
  void eventsWaitWhileAVerbRunsAndTooManyAreCounted() throws InterruptedException {
    session.usePrompt(screen);
    String log = sample("ghc-9.6.6/multi-n2.eventlog");
    assertEquals(0, line("events on " + log));
    line("eventlog show " + log);
    List<String> expected = host.takeOut().lines().toList();
    assertEquals(0, screen.size());

    screen.reading = true;
    List<String> shown = screen.awaitLast(" has ended");
    List<String> counts = shown.stream().filter(line -> line.startsWith("… ")).toList();
    long left =
        counts.stream()
            .mapToLong(line -> Long.parseLong(line.split(" ")[1].replace(",", "")))
            .sum();
    assertEquals(expected.size() + 2L, left + shown.size() - counts.size());
    assertEquals(expected.getLast(), shown.get(shown.size() - 2));
  }

  @Test
  void eventsOffEndsThem() {
    session.usePrompt(screen);
    assertEquals(2, line("events off"));
    assertTrue(host.takeErr().contains("events on SOURCE"));
    assertEquals(0, line("events on " + sample("synthetic/minimal.eventlog")));
    assertEquals(0, line("events off"));
    screen.reading = true;
    assertEquals(2, line("events off"));
    assertEquals(0, screen.size());
  }

  @Test
  void withoutAPromptThereIsNoPlaceForThem() {
    assertEquals(2, line("events on " + sample("synthetic/minimal.eventlog")));
    assertTrue(host.takeErr().contains("eventlog tail"));
  }

  @Test
  void tailIsColoredByClassOnlyWhereThatIsWanted() {
    String log = sample("synthetic/minimal.eventlog");
    line("eventlog tail " + log + " --class user --color always");
    assertEquals("\033[32m2500: cap 0: hé\033[0m\n", host.takeOut());
    line("eventlog tail " + log + " --class user");
    assertEquals("2500: cap 0: hé\n", host.takeOut());

    var terminal = new MemoryHost().withTerminal(80, 25).with("TERM", "xterm");
    try (var colored = new Session(terminal, Verbs.REGISTRY)) {
      colored.interpreter().runLine("eventlog tail " + log + " --class user");
      assertEquals("\033[32m2500: cap 0: hé\033[0m\n", terminal.takeOut());
      terminal.with("NO_COLOR", "1");
      colored.interpreter().runLine("eventlog tail " + log + " --class user");
      assertEquals("2500: cap 0: hé\n", terminal.takeOut());
    }
  }
}
