package org.ghcdebug.repl.command.verb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.ghcdebug.protocol.eventlog.ControlMessage;
import org.ghcdebug.protocol.eventlog.EventClass;
import org.ghcdebug.repl.command.Prompt;
import org.ghcdebug.repl.command.Session;
import org.ghcdebug.repl.testing.MemoryHost;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
  void commandsReachTheProgramWhoseEventsAreShown(@TempDir Path directory) throws Exception {
    session.usePrompt(screen);
    screen.reading = true;
    Path socket = directory.resolve("s");
    try (var server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      server.bind(UnixDomainSocketAddress.of(socket));
      assertEquals(2, line("events send census"));
      assertEquals(0, line("events on " + socket));
      try (SocketChannel program = server.accept()) {
        screen.awaitLast(" is read");
        assertEquals(2, line("events send nonsense"));
        assertEquals(2, line("events send x=on"));
        assertEquals(0, line("events send census heap=off gc=on user=off my-space:7"));
        List<ControlMessage> received = receive(program, 5);
        assertEquals(
            List.of(
                ControlMessage.REQUEST_HEAP_CENSUS,
                ControlMessage.STOP_HEAP_PROFILING,
                ControlMessage.eventClass(EventClass.GC, true),
                ControlMessage.eventClass(EventClass.USER, false),
                new ControlMessage("my-space", 7)),
            received);
      }
      screen.awaitLast(" has ended");
      assertEquals(3, line("events send census"));
    }
  }

  @Test
  void tailAndSummarySendWhatTheyAreAskedTo(@TempDir Path directory) throws Exception {
    for (String verb : List.of("tail", "summary")) {
      Path socket = directory.resolve(verb);
      try (var server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
        server.bind(UnixDomainSocketAddress.of(socket));
        var program =
            CompletableFuture.supplyAsync(
                () -> {
                  try (SocketChannel client = server.accept()) {
                    return receive(client, 2);
                  } catch (IOException e) {
                    throw new UncheckedIOException(e);
                  }
                });
        line("eventlog " + verb + " " + socket + " --send census,time=on");
        assertEquals(
            List.of(ControlMessage.REQUEST_HEAP_CENSUS, ControlMessage.START_PROFILING),
            program.join());
      }
    }
    assertEquals(
        2, line("eventlog tail " + sample("synthetic/minimal.eventlog") + " --send census"));
    assertTrue(host.takeErr().contains("only a socket does"));
  }

  private static List<ControlMessage> receive(SocketChannel from, int count) throws IOException {
    List<ControlMessage> received = new ArrayList<>();
    var parser = new ControlMessage.Parser();
    ByteBuffer bytes = ByteBuffer.allocate(256);
    while (received.size() < count && from.read(bytes.clear()) > 0) {
      received.addAll(parser.push(bytes.array(), bytes.position()));
    }
    return received;
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
