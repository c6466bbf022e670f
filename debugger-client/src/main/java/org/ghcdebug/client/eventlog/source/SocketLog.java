package org.ghcdebug.client.eventlog.source;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.ghcdebug.protocol.error.SourceUnavailableException;
import org.ghcdebug.protocol.eventlog.ControlMessage;
import org.jspecify.annotations.Nullable;

/**
 * A program that serves its eventlog on a Unix socket or by TCP, as eventlog-socket does. Each
 * connection is a log of its own; the program serves one client at a time and queues for a slow one
 * without limit, so what it sends must be read at once.
 */
public final class SocketLog implements LogSource {
  private static final long SILENCE_MILLIS = 1000;

  private final String name;
  private final String host;
  private final int port;
  private final List<SocketAddress> fixed;
  private final @Nullable Supplier<LogChannel.@Nullable Controllable> whenSilent;

  private SocketLog(
      String name,
      String host,
      int port,
      List<SocketAddress> fixed,
      @Nullable Supplier<LogChannel.@Nullable Controllable> whenSilent) {
    this.name = name;
    this.host = host;
    this.port = port;
    this.fixed = fixed;
    this.whenSilent = whenSilent;
  }

  SocketLog(String name, SocketAddress address) {
    this(name, "", 0, List.of(address), null);
  }

  /** A TCP server; each connect looks the name up and tries all of its addresses. */
  public SocketLog(String host, int port) {
    this("tcp://" + host + ":" + port, host, port, List.of(), null);
  }

  /**
   * The same, which when it is opened waits a moment for the first bytes. A program that serves its
   * eventlog sends the header at once, unless it has another client; other servers, such as
   * debuggees, wait to be asked.
   *
   * @param other called when nothing came; gives what to read instead, or {@code null} to wait on
   */
  public SocketLog whenSilent(Supplier<LogChannel.@Nullable Controllable> other) {
    return new SocketLog(name, host, port, fixed, other);
  }

  /** A Unix socket, which need not exist yet. */
  public static SocketLog unix(Path path) {
    return new SocketLog(path.toString(), UnixDomainSocketAddress.of(path));
  }

  static SocketLog tcp(String text) {
    try {
      URI uri = new URI(text);
      String host = uri.getHost();
      if (host != null && uri.getPort() > 0 && uri.getPort() <= 0xFFFF) {
        return new SocketLog(
            host.startsWith("[") ? host.substring(1, host.length() - 1) : host, uri.getPort());
      }
    } catch (URISyntaxException e) {
      throw new SourceUnavailableException(text, "tcp://HOST:PORT expected", e);
    }
    throw new SourceUnavailableException(text, "tcp://HOST:PORT expected");
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public boolean isReopenable() {
    return true;
  }

  @Override
  public LogChannel.Controllable open() {
    List<String> failures = new ArrayList<>();
    IOException last = null;
    for (SocketAddress address : addresses()) {
      try {
        return connect(address);
      } catch (IOException e) {
        failures.add(address + ": " + e.getMessage());
        last = e;
      }
    }
    throw new SourceUnavailableException(
        name, "cannot connect (" + String.join("; ", failures) + ")", last);
  }

  private LogChannel.Controllable connect(SocketAddress address) throws IOException {
    SocketChannel channel = SocketChannel.open(address);
    LogChannel.Controllable other = null;
    boolean isUsed = false;
    try {
      if (whenSilent != null && isSilent(channel)) {
        other = whenSilent.get();
      }
      isUsed = other == null;
      return other == null ? new Connection(name, channel) : other;
    } finally {
      if (!isUsed) {
        channel.close();
      }
    }
  }

  private static boolean isSilent(SocketChannel channel) throws IOException {
    channel.configureBlocking(false);
    try (Selector selector = Selector.open()) {
      channel.register(selector, SelectionKey.OP_READ);
      if (selector.select(SILENCE_MILLIS) > 0) {
        return false;
      }
    } finally {
      channel.configureBlocking(true);
    }
    return true;
  }

  private List<SocketAddress> addresses() {
    if (!fixed.isEmpty()) {
      return fixed;
    }
    try {
      List<SocketAddress> addresses = new ArrayList<>();
      for (InetAddress address : InetAddress.getAllByName(host)) {
        addresses.add(new InetSocketAddress(address, port));
      }
      return addresses;
    } catch (UnknownHostException e) {
      throw new SourceUnavailableException(name, "no such host", e);
    }
  }

  private record Connection(String name, SocketChannel channel) implements LogChannel.Controllable {
    @Override
    public int read(ByteBuffer target) {
      try {
        return channel.read(target);
      } catch (IOException e) {
        throw new SourceUnavailableException(name, "connection lost: " + e.getMessage(), e);
      }
    }

    @Override
    public void send(ControlMessage message) {
      try {
        ByteBuffer bytes = ByteBuffer.wrap(message.toBytes());
        while (bytes.hasRemaining()) {
          channel.write(bytes);
        }
      } catch (IOException e) {
        throw new SourceUnavailableException(name, "connection lost: " + e.getMessage(), e);
      }
    }

    @Override
    public void close() {
      try {
        channel.close();
      } catch (IOException e) {
        throw new SourceUnavailableException(name, "closing failed: " + e.getMessage(), e);
      }
    }
  }
}
