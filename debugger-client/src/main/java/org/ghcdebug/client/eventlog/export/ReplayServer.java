package org.ghcdebug.client.eventlog.export;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.protocol.error.SourceUnavailableException;
import org.ghcdebug.protocol.eventlog.ControlMessage;
import org.jspecify.annotations.Nullable;

/**
 * Serves a replay on a Unix socket or by TCP, as eventlog-socket does: one reader at a time, others
 * wait until it leaves; what comes while there is none is lost. Unlike that library it waits for a
 * slow reader, so that nothing is queued.
 *
 * <p>Used by one thread, which never blocks for longer than a moment.
 */
public final class ReplayServer implements LogReplay.Sink, AutoCloseable {
  private static final long LOOK_NANOS = 1_000_000;

  private final String name;
  private final ServerSocketChannel server;
  private final @Nullable Path file;
  private final Work work;
  private final List<LogReplay.Signal> signals = new ArrayList<>();
  private final ByteBuffer received = ByteBuffer.allocate(4096);
  private @Nullable SocketChannel reader;
  private ControlMessage.Parser parser = new ControlMessage.Parser();

  private ReplayServer(String name, ServerSocketChannel server, @Nullable Path file, Work work) {
    this.name = name;
    this.server = server;
    this.file = file;
    this.work = work;
  }

  /**
   * Listens on a Unix socket; its file is deleted again at the end. A socket that nobody listens on
   * any more gives way.
   *
   * @throws SourceUnavailableException if that cannot be done
   */
  public static ReplayServer unix(Path path, Work work) {
    SocketAddress address = UnixDomainSocketAddress.of(path);
    try {
      if (Files.exists(path)) {
        try (var _ = SocketChannel.open(address)) {
          throw new SourceUnavailableException(
              path.toString(), "another program listens there already; name another socket");
        } catch (IOException e) {
          Files.delete(path);
        }
      }
      return listen(
          path.toString(),
          ServerSocketChannel.open(StandardProtocolFamily.UNIX),
          address,
          path,
          work);
    } catch (IOException e) {
      throw new SourceUnavailableException(
          path.toString(), "cannot listen there: " + e.getMessage(), e);
    }
  }

  /**
   * Listens by TCP.
   *
   * @param port 0 for any
   * @throws SourceUnavailableException if that cannot be done
   */
  public static ReplayServer tcp(String host, int port, Work work) {
    String name = "tcp://" + host + ":" + port;
    try {
      return listen(
          name, ServerSocketChannel.open(), new InetSocketAddress(host, port), null, work);
    } catch (IOException | IllegalArgumentException e) {
      throw new SourceUnavailableException(name, "cannot listen there: " + e.getMessage(), e);
    }
  }

  private static ReplayServer listen(
      String name,
      ServerSocketChannel server,
      SocketAddress address,
      @Nullable Path file,
      Work work)
      throws IOException {
    try {
      server.bind(address);
      server.configureBlocking(false);
      return new ReplayServer(name, server, file, work);
    } catch (IOException | RuntimeException e) {
      server.close();
      throw e;
    }
  }

  /** The port that readers connect to, or -1 of a Unix socket. */
  public int port() {
    return file == null ? server.socket().getLocalPort() : -1;
  }

  /**
   * Returns when there is a reader.
   *
   * @throws SourceUnavailableException if there can be none
   * @throws org.ghcdebug.protocol.error.CanceledException if the work was canceled
   */
  public void awaitReader() {
    try {
      look();
      while (reader == null) {
        work.checkStopped();
        LockSupport.parkNanos(LOOK_NANOS);
        look();
      }
    } catch (IOException e) {
      throw new SourceUnavailableException(name, "cannot be served: " + e.getMessage(), e);
    }
  }

  @Override
  public List<LogReplay.Signal> signals() throws IOException {
    look();
    List<LogReplay.Signal> now = List.copyOf(signals);
    signals.clear();
    return now;
  }

  private void look() throws IOException {
    if (reader == null) {
      reader = server.accept();
      if (reader != null) {
        reader.configureBlocking(false);
        parser = new ControlMessage.Parser();
        signals.add(new LogReplay.Signal.Joined());
      }
    }
    if (reader != null) {
      receive(reader);
    }
  }

  private void receive(SocketChannel from) {
    try {
      int count = from.read(received.clear());
      while (count > 0) {
        parser
            .push(received.array(), count)
            .forEach(command -> signals.add(new LogReplay.Signal.Commanded(command)));
        count = from.read(received.clear());
      }
      if (count < 0) {
        leave(from);
      }
    } catch (IOException e) {
      leave(from);
    }
  }

  private void leave(SocketChannel who) {
    try {
      who.close();
    } catch (IOException e) {
      // It is gone either way.
    }
    reader = null;
    signals.add(new LogReplay.Signal.Left());
  }

  @Override
  public void write(ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      SocketChannel to = reader;
      if (to == null) {
        return;
      }
      try {
        if (to.write(bytes) == 0) {
          work.checkStopped();
          LockSupport.parkNanos(LOOK_NANOS);
          receive(to);
        }
      } catch (IOException e) {
        leave(to);
      }
    }
  }

  @Override
  public void close() {
    try (server) {
      if (reader != null) {
        // What was received and not read would make the reader lose what was sent.
        receive(reader);
        if (reader != null) {
          reader.close();
        }
      }
      if (file != null) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new SourceUnavailableException(name, "closing failed: " + e.getMessage(), e);
    }
  }
}
