package org.ghcdebug.client.eventlog.source;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.airlift.compress.v3.zstd.ZstdOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.ghcdebug.client.eventlog.EventLogSamples;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.protocol.error.CanceledException;
import org.ghcdebug.protocol.error.SourceUnavailableException;
import org.ghcdebug.protocol.error.UnsupportedTargetException;
import org.ghcdebug.protocol.eventlog.ControlMessage;
import org.ghcdebug.protocol.eventlog.EventVisitor;
import org.ghcdebug.protocol.eventlog.TimedEvent;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.XZOutputStream;

@Timeout(30)
class SourcesTest {
  private static final String NAME = "ghc-9.10.3/sched-default";

  private @TempDir Path directory;
  private final byte[] log = EventLogSamples.bytes(NAME);

  private static List<TimedEvent> read(LogSource source) {
    List<TimedEvent> events = new ArrayList<>();
    LogReader.read(source, event -> events.add(event.toTimedEvent()), Work.UNATTENDED);
    return events;
  }

  @Test
  void compressedFilesAreToldApartByContent() throws IOException {
    Path xz = directory.resolve("xz");
    try (OutputStream out = new XZOutputStream(Files.newOutputStream(xz), new LZMA2Options())) {
      out.write(log);
    }
    Path zstd = directory.resolve("zstd");
    try (OutputStream out = new ZstdOutputStream(Files.newOutputStream(zstd))) {
      out.write(log);
    }
    Path plain = Files.write(directory.resolve("plain"), log);
    List<TimedEvent> expected = EventLogSamples.events(log);
    for (Path file : List.of(plain, xz, zstd, EventLogSamples.file(NAME))) {
      assertEquals(expected, read(LogSource.parse(file.toString())), file.toString());
    }
  }

  @Test
  void compressedFilesThatAreCutShortGiveWhatTheyHold() throws IOException {
    Path xz = directory.resolve("xz");
    try (OutputStream out = new XZOutputStream(Files.newOutputStream(xz), new LZMA2Options())) {
      for (int at = 0; at < log.length; at += 1000) {
        out.write(log, at, Math.min(1000, log.length - at));
        out.flush();
      }
    }
    List<TimedEvent> expected = EventLogSamples.events(log);
    for (Path file : List.of(xz, EventLogSamples.file(NAME))) {
      byte[] bytes = Files.readAllBytes(file);
      Path cut = Files.write(directory.resolve("cut"), Arrays.copyOf(bytes, bytes.length * 3 / 4));
      List<TimedEvent> events = read(new FileLog(cut));
      assertTrue(events.size() > 20 && events.size() < expected.size(), () -> "" + events.size());
      assertEquals(expected.subList(0, events.size()), events);
      assertTrue(new FileLog(cut).isCompressedFile());
    }
  }

  @Test
  void damagedCompressionIsASourceError() throws IOException {
    byte[] gzip = Files.readAllBytes(EventLogSamples.file(NAME));
    gzip[gzip.length / 2] ^= 0x10;
    Path damaged = Files.write(directory.resolve("damaged"), gzip);
    assertThrows(SourceUnavailableException.class, () -> read(new FileLog(damaged)));
  }

  @Test
  void whatIsNotThereIsASourceError() {
    assertThrows(
        SourceUnavailableException.class,
        () -> LogSource.parse(directory.resolve("absent").toString()));
    assertThrows(SourceUnavailableException.class, () -> LogSource.parse("tcp://nowhere"));
  }

  @Test
  void aServerThatSaysNothingIsLookedAt() throws IOException {
    Path socket = directory.resolve("silent");
    try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      server.bind(UnixDomainSocketAddress.of(socket));
      SocketLog log =
          SocketLog.unix(socket)
              .whenSilent(
                  () -> {
                    throw new SourceUnavailableException("silent", "looked at");
                  });

      var problem = assertThrows(SourceUnavailableException.class, () -> read(log));
      assertEquals("silent: looked at", problem.getMessage());
    }
  }

  @Test
  void waitingForASilentServerCanBeCanceled() throws IOException {
    Path socket = directory.resolve("silent");
    try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      server.bind(UnixDomainSocketAddress.of(socket));
      var canceled =
          new Work() {
            @Override
            public void progress(String phase, long done, long total) {}

            @Override
            public void checkStopped() {
              throw new CanceledException("reading");
            }
          };

      assertThrows(
          CanceledException.class,
          () -> LogReader.read(SocketLog.unix(socket), event -> {}, canceled));
      assertThrows(
          CanceledException.class,
          () -> OrderedLog.read(SocketLog.unix(socket), e -> {}, canceled));
    }
  }

  /** Serves pieces of bytes to one client after the other, each on a connection of its own. */
  private static Thread serve(ServerSocketChannel server, List<byte[]> connections) {
    return Thread.ofVirtual()
        .start(
            () -> {
              try (server) {
                for (byte[] bytes : connections) {
                  try (SocketChannel client = server.accept()) {
                    client.write(ByteBuffer.wrap(bytes));
                  }
                }
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
  }

  private static final class Collecting implements LiveLogs.Listener {
    private final List<TimedEvent> events = new ArrayList<>();
    private int opened;
    private int closed;
    private int ticks;
    private int stopAfter = Integer.MAX_VALUE;
    private @Nullable LiveLogs logs;

    @Override
    public EventVisitor visitor(LogSource source) {
      return event -> events.add(event.toTimedEvent());
    }

    @Override
    public void opened(LogSource source) {
      opened++;
    }

    @Override
    public void closed(LogSource source, @Nullable SourceUnavailableException problem) {
      closed++;
      if (closed == stopAfter && logs != null) {
        logs.close();
      }
    }

    @Override
    public void tick(long nanoTime) {
      ticks++;
    }
  }

  private static LiveLogs.Options options(boolean reconnect, Optional<Path> copy) {
    return new LiveLogs.Options(
        RetryPolicy.every(Duration.ofMillis(10)), reconnect, false, copy, Duration.ofMillis(20));
  }

  @Test
  void unixSocketIsWaitedForAndOpenedAgainWithTheRawBytesCopied() throws IOException {
    Path path = directory.resolve("s");
    Path copy = directory.resolve("copy");
    Collecting collected = new Collecting();
    collected.stopAfter = 2;
    // The socket comes into being later than the reader.
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                Thread.sleep(100);
                ServerSocketChannel server =
                    ServerSocketChannel.open(StandardProtocolFamily.UNIX)
                        .bind(UnixDomainSocketAddress.of(path));
                serve(server, List.of(Arrays.copyOf(log, 5000), log));
              } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });
    try (LiveLogs logs =
        new LiveLogs(List.of(SocketLog.unix(path)), options(true, Optional.of(copy)))) {
      collected.logs = logs;
      logs.run(collected, Work.UNATTENDED);
    }
    List<TimedEvent> expected = EventLogSamples.events(Arrays.copyOf(log, 5000));
    int first = expected.size();
    assertEquals(expected, collected.events.subList(0, first));
    assertEquals(
        EventLogSamples.events(log), collected.events.subList(first, collected.events.size()));
    byte[] both = Arrays.copyOf(log, 5000 + log.length);
    System.arraycopy(log, 0, both, 5000, log.length);
    assertArrayEquals(both, Files.readAllBytes(copy));
    assertTrue(collected.ticks > 0, "ticks come while nothing does");
  }

  @Test
  @Timeout(60)
  void whatBreaksASourceIsTold() throws IOException {
    Path path = directory.resolve("silent");
    var old = new UnsupportedTargetException("a program of long ago", "those of today");
    LogSource source =
        SocketLog.unix(path)
            .whenSilent(
                () -> {
                  throw old;
                });
    try (ServerSocketChannel _ =
            ServerSocketChannel.open(StandardProtocolFamily.UNIX)
                .bind(UnixDomainSocketAddress.of(path));
        LiveLogs logs = new LiveLogs(List.of(source), options(true, Optional.empty()))) {
      assertSame(
          old,
          assertThrows(
              UnsupportedTargetException.class, () -> logs.run(new Collecting(), Work.UNATTENDED)));
    }
  }

  @Test
  void everyAddressOfANameIsTried() throws IOException {
    ServerSocketChannel server =
        ServerSocketChannel.open(StandardProtocolFamily.INET)
            .bind(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0));
    int port = ((InetSocketAddress) server.getLocalAddress()).getPort();
    serve(server, List.of(log));
    assertEquals(EventLogSamples.events(log), read(LogSource.parse("tcp://localhost:" + port)));
  }

  @Test
  void severalSourcesAreReadAtOnce() throws IOException {
    List<LogSource> sources = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      Path path = directory.resolve("s" + i);
      SocketAddress address = UnixDomainSocketAddress.of(path);
      serve(ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(address), List.of(log));
      sources.add(SocketLog.unix(path));
    }
    Collecting collected = new Collecting();
    try (LiveLogs logs = new LiveLogs(sources, options(false, Optional.empty()))) {
      logs.run(collected, Work.UNATTENDED);
    }
    assertEquals(3, collected.opened);
    assertEquals(3 * EventLogSamples.events(log).size(), collected.events.size());
  }

  @Test
  void aGrowingFileIsFollowedToItsEndMarker() throws IOException {
    Path file = Files.write(directory.resolve("growing"), Arrays.copyOf(log, 4000));
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                for (int at = 4000; at < log.length; at += 1000) {
                  Thread.sleep(30);
                  Files.write(
                      file,
                      Arrays.copyOfRange(log, at, Math.min(log.length, at + 1000)),
                      StandardOpenOption.APPEND);
                }
              } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });
    Collecting collected = new Collecting();
    LiveLogs.Options follow =
        new LiveLogs.Options(
            RetryPolicy.NONE, false, true, Optional.empty(), Duration.ofMillis(20));
    try (LiveLogs logs = new LiveLogs(List.of(new FileLog(file)), follow)) {
      logs.run(collected, Work.UNATTENDED);
    }
    assertEquals(EventLogSamples.events(log), collected.events);
  }

  @Test
  void aPipeIsReadUntilItsWriterCloses() throws IOException, InterruptedException {
    Path pipe = directory.resolve("pipe");
    assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
    Thread.ofVirtual()
        .start(
            () -> {
              try (OutputStream out = Files.newOutputStream(pipe)) {
                out.write(log);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    assertEquals(EventLogSamples.events(log), read(LogSource.parse(pipe.toString())));
  }

  @Test
  void aSourceThatCannotBeOpenedIsAnError() {
    LiveLogs logs =
        new LiveLogs(List.of(SocketLog.unix(directory.resolve("none"))), LiveLogs.Options.PLAIN);
    assertThrows(
        SourceUnavailableException.class, () -> logs.run(new Collecting(), Work.UNATTENDED));
  }

  @Test
  void commandsReachTheProgram() throws Exception {
    Path path = directory.resolve("s");
    List<ControlMessage> received = new ArrayList<>();
    ServerSocketChannel server =
        ServerSocketChannel.open(StandardProtocolFamily.UNIX)
            .bind(UnixDomainSocketAddress.of(path));
    Thread program =
        Thread.ofPlatform()
            .start(
                () -> {
                  try (server;
                      SocketChannel client = server.accept()) {
                    ControlMessage.Parser parser = new ControlMessage.Parser();
                    byte[] one = new byte[1];
                    while (received.size() < 2 && client.read(ByteBuffer.wrap(one)) >= 0) {
                      received.addAll(parser.push(one, 1));
                    }
                  } catch (IOException e) {
                    throw new UncheckedIOException(e);
                  }
                });
    try (LogChannel.Controllable channel = SocketLog.unix(path).open()) {
      channel.send(ControlMessage.REQUEST_HEAP_CENSUS);
      channel.send(new ControlMessage("live-demo", 1));
      program.join();
    }
    assertEquals(
        List.of(ControlMessage.REQUEST_HEAP_CENSUS, new ControlMessage("live-demo", 1)), received);
  }
}
