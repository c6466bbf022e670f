package org.ghcdebug.client.eventlog.export;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.ghcdebug.client.eventlog.EventLogSamples;
import org.ghcdebug.client.eventlog.LogInfo;
import org.ghcdebug.client.eventlog.source.FileLog;
import org.ghcdebug.client.eventlog.source.LogChannel;
import org.ghcdebug.client.eventlog.source.LogReader;
import org.ghcdebug.client.eventlog.source.LogSource;
import org.ghcdebug.client.eventlog.source.SocketLog;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.protocol.error.CanceledException;
import org.ghcdebug.protocol.error.SourceUnavailableException;
import org.ghcdebug.protocol.eventlog.ControlMessage;
import org.ghcdebug.protocol.eventlog.Event;
import org.ghcdebug.protocol.eventlog.EventClass;
import org.ghcdebug.protocol.eventlog.EventType;
import org.ghcdebug.protocol.eventlog.TimedEvent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Replays: to readers in memory, which do what they do at a known byte, and to real ones. */
class ReplayTest {
  private static final String LATE = "live/ghc-9.6.6-hT-2-late-attach-control";

  private @TempDir Path directory;

  private Path log(String name) throws IOException {
    return Files.write(directory.resolve("log"), EventLogSamples.bytes(name));
  }

  private static LogReplay replay(Path log) {
    return new LogReplay(log, LogReplay.blockEnds(log, Work.UNATTENDED), (_, _, _) -> {});
  }

  /** Readers that leave when they have had enough, the next one coming at once. */
  private static final class Readers implements LogReplay.Sink {
    private final List<ByteArrayOutputStream> received =
        new ArrayList<>(List.of(new ByteArrayOutputStream()));
    private final List<LogReplay.Signal> signals = new ArrayList<>();
    private final int piecesEach;
    private int pieces;

    Readers(int piecesEach, LogReplay.Signal... first) {
      this.piecesEach = piecesEach;
      signals.addAll(List.of(first));
    }

    @Override
    public void write(ByteBuffer bytes) {
      received.getLast().write(bytes.array(), bytes.position(), bytes.remaining());
      if (++pieces == piecesEach && received.size() < 3) {
        signals.add(new LogReplay.Signal.Left());
        signals.add(new LogReplay.Signal.Joined());
      }
    }

    @Override
    public List<LogReplay.Signal> signals() {
      List<LogReplay.Signal> now = List.copyOf(signals);
      signals.clear();
      if (now.contains(new LogReplay.Signal.Joined())) {
        received.add(new ByteArrayOutputStream());
        pieces = 0;
      }
      return now;
    }

    List<TimedEvent> events(int reader) {
      return EventLogSamples.events(received.get(reader).toByteArray());
    }
  }

  private static List<Object> withoutOffsets(List<TimedEvent> events) {
    return events.stream()
        .<Object>map(e -> List.of(e.timestampNanos(), e.capability(), e.event(), e.extra()))
        .toList();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {LATE, "live/ghc-9.10.3-hi-late-attach", "live/ghc-9.10.3-hc-p-late-attach"})
  void aReaderThatComesLateIsToldAboutTheProgramAndGetsEveryBlockFromThenOn(String name)
      throws IOException {
    Path log = log(name);
    List<TimedEvent> all = EventLogSamples.events(Files.readAllBytes(log));
    Readers readers = new Readers(4);

    replay(log).run(readers, 1000, Work.UNATTENDED);

    assertEquals(3, readers.received.size());
    List<TimedEvent> last = readers.events(2);
    int again = 1;
    while (!(last.get(again).event() instanceof Event.BlockMarker)) {
      again++;
    }
    List<TimedEvent> told = last.subList(1, again);
    for (Class<?> kind :
        List.of(
            Event.RtsIdentifier.class,
            Event.ProgramArgs.class,
            Event.OsProcessPid.class,
            Event.WallClockTime.class,
            Event.InfoTableProv.class,
            Event.HeapProfCostCentre.class)) {
      Predicate<TimedEvent> isKind = event -> kind.isInstance(event.event());
      assertEquals(
          all.stream().filter(isKind).count(),
          told.stream().filter(isKind).count(),
          kind.getName());
    }
    List<TimedEvent> rest = last.subList(again, last.size());
    assertTrue(rest.size() > 100 && rest.size() < all.size() - 100, () -> "" + rest.size());
    assertEquals(
        withoutOffsets(all.subList(all.size() - rest.size(), all.size())), withoutOffsets(rest));
    // The first block told is a block that the log has, so no part of one went before it.
    assertEquals(told.getFirst().timestampNanos(), told.getLast().timestampNanos());
    assertTrue(told.getFirst().timestampNanos() <= rest.getLast().timestampNanos());
  }

  @Test
  void theClockToldAgainIsTheSameClock() throws IOException {
    Path log = log(LATE);
    Readers readers = new Readers(6);
    replay(log).run(readers, 1000, Work.UNATTENDED);
    Path second = Files.write(directory.resolve("second"), readers.received.get(1).toByteArray());
    assertEquals(wallClock(log), wallClock(second));
  }

  private static long wallClock(Path log) {
    LogInfo info = new LogInfo();
    LogReader.read(new FileLog(log), info, Work.UNATTENDED);
    return info.wallClockBaseNanos().orElseThrow();
  }

  @ParameterizedTest
  @ValueSource(strings = {"USER", "SCHEDULER", "GC"})
  void aClassThatIsSwitchedOffIsMissingAndNothingElse(EventClass off) throws IOException {
    Path log = log(LATE);
    Readers readers =
        new Readers(
            Integer.MAX_VALUE,
            new LogReplay.Signal.Commanded(ControlMessage.eventClass(off, false)));

    replay(log).run(readers, 1000, Work.UNATTENDED);

    List<TimedEvent> expected =
        EventLogSamples.events(Files.readAllBytes(log)).stream()
            .filter(event -> !isOf(off, event) && !(event.event() instanceof Event.BlockMarker))
            .toList();
    List<TimedEvent> got =
        readers.events(0).stream()
            .filter(event -> !(event.event() instanceof Event.BlockMarker))
            .toList();
    assertTrue(got.size() > 100);
    assertEquals(withoutOffsets(expected), withoutOffsets(got));
  }

  private static boolean isOf(EventClass eventClass, TimedEvent event) {
    var type = EventType.findById(event.event().id());
    return type != null && type.eventClass() == eventClass;
  }

  @Test
  void socketReadersGetTheLogByteForByteAndTheFileGoesAway() throws Exception {
    Path log = log(LATE);
    Path socket = directory.resolve("s");
    CompletableFuture<byte[]> received;
    try (ReplayServer server = ReplayServer.unix(socket, Work.UNATTENDED)) {
      assertThrows(
          SourceUnavailableException.class, () -> ReplayServer.unix(socket, Work.UNATTENDED));
      received = readAll(SocketLog.unix(socket), List.of());
      server.awaitReader();
      replay(log).run(server, 1000, Work.UNATTENDED);
    }
    assertArrayEquals(Files.readAllBytes(log), received.join());
    assertFalse(Files.exists(socket));
  }

  @Test
  void commandsThatComeOverASocketAreObeyed() throws Exception {
    Path log = log(LATE);
    List<LogReplay.Signal> signals = new ArrayList<>();
    CompletableFuture<byte[]> received;
    try (ReplayServer server = ReplayServer.tcp("localhost", 0, Work.UNATTENDED)) {
      received =
          readAll(
              LogSource.parse("tcp://localhost:" + server.port()),
              List.of(
                  ControlMessage.STOP_HEAP_PROFILING,
                  ControlMessage.eventClass(EventClass.USER, false),
                  new ControlMessage("custom", 1)));
      server.awaitReader();
      // The commands are there before the first byte goes out.
      List<LogReplay.Signal> early = new ArrayList<>();
      while (early.size() < 4) {
        early.addAll(server.signals());
      }
      new LogReplay(
              log,
              LogReplay.blockEnds(log, Work.UNATTENDED),
              (_, signal, obeyed) -> {
                if (obeyed) {
                  signals.add(signal);
                }
              })
          .run(
              new LogReplay.Sink() {
                @Override
                public void write(ByteBuffer bytes) throws IOException {
                  server.write(bytes);
                }

                @Override
                public List<LogReplay.Signal> signals() throws IOException {
                  List<LogReplay.Signal> now = new ArrayList<>(early);
                  early.clear();
                  now.addAll(server.signals());
                  return now;
                }
              },
              1000,
              Work.UNATTENDED);
    }
    assertEquals(2, signals.size(), signals::toString);
    List<TimedEvent> events = EventLogSamples.events(received.join());
    assertTrue(events.size() > 1000);
    assertTrue(
        events.stream()
            .noneMatch(
                event ->
                    event.event() instanceof Event.HeapProfSampleBegin
                        || event.event() instanceof Event.UserMarker));
  }

  @Test
  void aSocketNobodyListensOnGivesWayAndAFileDoesNot() throws Exception {
    Path socket = directory.resolve("s");
    try (var stale = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      stale.bind(UnixDomainSocketAddress.of(socket));
    }
    assertTrue(Files.exists(socket));
    ReplayServer.unix(socket, Work.UNATTENDED).close();
    assertFalse(Files.exists(socket));
  }

  @Test
  void aPipesReaderGetsTheLogByteForByte() throws Exception {
    Path log = log(LATE);
    Path path = directory.resolve("pipe");
    assertEquals(0, new ProcessBuilder("mkfifo", path.toString()).start().waitFor());
    var received = readAll(new FileLog(path), List.of());
    try (var pipe = new ReplayPipe(path, Work.UNATTENDED)) {
      pipe.awaitReader();
      replay(log).run(pipe, 1000, Work.UNATTENDED);
    }
    assertArrayEquals(Files.readAllBytes(log), received.join());
  }

  @Test
  void aPipeThatNobodyReadsIsLetGo() throws Exception {
    Path path = directory.resolve("pipe");
    assertEquals(0, new ProcessBuilder("mkfifo", path.toString()).start().waitFor());
    Work canceled =
        new Work() {
          @Override
          public void progress(String phase, long done, long total) {}

          @Override
          public void checkStopped() {
            throw new CanceledException("replay");
          }
        };
    var pipe = new ReplayPipe(path, canceled);
    assertThrows(
        CanceledException.class,
        () -> {
          try (pipe) {
            pipe.awaitReader();
          }
        });
  }

  private static CompletableFuture<byte[]> readAll(
      LogSource source, List<ControlMessage> commands) {
    return CompletableFuture.supplyAsync(
        () -> {
          ByteArrayOutputStream out = new ByteArrayOutputStream();
          try (LogChannel channel = source.open()) {
            for (ControlMessage command : commands) {
              ((LogChannel.Controllable) channel).send(command);
            }
            ByteBuffer piece = ByteBuffer.allocate(4096);
            while (channel.read(piece.clear()) >= 0) {
              out.write(piece.array(), 0, piece.position());
            }
          }
          return out.toByteArray();
        },
        task -> Thread.ofPlatform().daemon().start(task));
  }
}
