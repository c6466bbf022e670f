package org.ghcdebug.client.source.socket;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.ghcdebug.protocol.error.CanceledException;
import org.ghcdebug.protocol.error.SourceUnavailableException;
import org.ghcdebug.protocol.error.TimeLimitException;
import org.jspecify.annotations.Nullable;
import org.newsclub.net.unix.AFUNIXSocket;
import org.newsclub.net.unix.AFUNIXSocketAddress;
import org.newsclub.net.unix.AFUNIXSocketCredentials;

/** Opens connected sockets within a time-out. */
final class Dialer {
  /** Linux's {@code sun_path} has 108 bytes with its terminator. */
  private static final int MAX_UNIX_PATH_BYTES = 107;

  static final long NO_PID = -1;

  private Dialer() {}

  /**
   * Connects to a Unix socket.
   *
   * @throws SourceUnavailableException when there is none, nothing listens, or it is forbidden
   * @throws TimeLimitException when the listener's queue of clients stays full
   * @throws CanceledException when the thread is interrupted
   */
  static Socket unix(Path path, Duration timeout) {
    String name = path.toString();
    if (name.getBytes(StandardCharsets.UTF_8).length > MAX_UNIX_PATH_BYTES) {
      throw new SourceUnavailableException(
          name,
          "too long for a Unix socket's path, which has at most %d bytes; use a shorter or relative path"
              .formatted(MAX_UNIX_PATH_BYTES));
    }
    // connect(2) blocks while the queue is full, whatever time-out or interrupt junixsocket is
    // given.
    var dial =
        new FutureTask<Socket>(
            () -> {
              AFUNIXSocket socket = AFUNIXSocket.newInstance();
              try {
                socket.connect(AFUNIXSocketAddress.of(path));
                return socket;
              } catch (IOException | RuntimeException e) {
                socket.close();
                throw e;
              }
            });
    Thread.ofPlatform().daemon().name("ghc-debug connect " + name).start(dial);
    try {
      return dial.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      closeWhenDone(dial);
      throw new TimeLimitException(
          timeout,
          "%s: not accepted within %s; other clients are waiting for the debuggee, which serves one at a time: close them"
              .formatted(name, Durations.text(timeout)));
    } catch (InterruptedException e) {
      closeWhenDone(dial);
      throw new CanceledException("connecting to " + name);
    } catch (ExecutionException e) {
      throw unavailable(path, e.getCause());
    }
  }

  private static void closeWhenDone(FutureTask<Socket> dial) {
    Thread.ofPlatform()
        .daemon()
        .start(
            () -> {
              try {
                dial.get().close();
              } catch (InterruptedException | ExecutionException | IOException nothingToClose) {
                // The connection was never made, or is gone.
              }
            });
  }

  private static SourceUnavailableException unavailable(Path path, Throwable cause) {
    String problem;
    if (!Files.exists(path)) {
      problem = "no such socket; has the program started, and with the library linked in?";
    } else if (Files.isRegularFile(path)) {
      problem = "a file, not a socket";
    } else if (!Files.isWritable(path)) {
      problem = "permission denied; connect as the user that runs the program";
    } else {
      problem =
          "nothing listens (%s); the program that made it has probably ended"
              .formatted(cause.getMessage());
    }
    return new SourceUnavailableException(path.toString(), problem, cause);
  }

  /**
   * Connects to the first address of a name that answers, IPv4 or IPv6.
   *
   * @param timeout for each address
   * @throws SourceUnavailableException when the name is unknown or no address accepts
   */
  static Socket tcp(String host, int port, Duration timeout) {
    String name = tcpName(host, port);
    InetAddress[] addresses;
    try {
      addresses = InetAddress.getAllByName(host);
    } catch (UnknownHostException e) {
      throw new SourceUnavailableException(name, "unknown host", e);
    }
    @Nullable IOException last = null;
    for (InetAddress address : addresses) {
      var socket = new Socket();
      try {
        socket.connect(new InetSocketAddress(address, port), Math.toIntExact(timeout.toMillis()));
        socket.setTcpNoDelay(true);
        return socket;
      } catch (IOException e) {
        closeQuietly(socket);
        last = e;
      }
    }
    throw new SourceUnavailableException(
        name,
        "no connection to any of its %d addresses (%s); does the program listen there?"
            .formatted(addresses.length, last == null ? "none" : last.getMessage()),
        last);
  }

  /** The process at the other end of a Unix socket, {@link #NO_PID} of another one. */
  static long peerPid(Socket socket) {
    try {
      AFUNIXSocketCredentials peer =
          socket instanceof AFUNIXSocket unix ? unix.getPeerCredentials() : null;
      return peer == null ? NO_PID : peer.getPid();
    } catch (IOException notTold) {
      return NO_PID;
    }
  }

  /** {@code tcp://HOST:PORT}. */
  static String tcpName(String host, int port) {
    return "tcp://%s:%d".formatted(host.contains(":") ? "[" + host + "]" : host, port);
  }

  static void closeQuietly(Socket socket) {
    try {
      socket.close();
    } catch (IOException alreadyGone) {
      // Closing is all that was wanted.
    }
  }
}
