package org.ghcdebug.client.source.socket;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Supplier;
import org.ghcdebug.protocol.error.DebuggeeRefusedException;
import org.ghcdebug.protocol.error.SourceUnavailableException;
import org.ghcdebug.protocol.error.TimeLimitException;
import org.ghcdebug.protocol.extension.ExtensionCommand;
import org.ghcdebug.protocol.extension.ExtensionRequest;
import org.ghcdebug.protocol.wire.Status;
import org.jspecify.annotations.Nullable;

/**
 * The eventlog of a debuggee, over its debug socket: begun when this is opened, ended when it is
 * closed. The program is not paused for it; while it is paused, nothing comes.
 *
 * <p>Reads are for one thread at a time, {@link #close} and commands for any: those go over
 * connections of their own.
 */
public final class LogStream implements AutoCloseable {
  private final Supplier<Socket> dial;
  private final String description;
  private final Duration timeout;
  private final @Nullable String token;
  private final Connection connection;
  private final Extensions extensions;
  private final ByteBuf arrived = Unpooled.buffer();
  private @Nullable Status end;

  /**
   * Classes of events, bits as in {@link ExtensionRequest.LogStart}.
   *
   * @param always whatever the program
   * @param withStatistics where the RTS keeps statistics ({@code +RTS -T}, {@code -s}, {@code -l}):
   *     else its logs lack the ends of collections
   */
  public record Classes(int always, int withStatistics) {}

  private LogStream(
      Supplier<Socket> dial,
      String description,
      Duration timeout,
      @Nullable String token,
      Classes classes) {
    this.dial = dial;
    this.description = description;
    this.timeout = timeout;
    this.token = token;
    this.connection = new Connection(dial.get(), description, timeout);
    try {
      this.extensions = greet(connection);
      if (!extensions.serves(ExtensionCommand.LOG_START)) {
        throw new SourceUnavailableException(
            description,
            "found a debuggee whose library does not send the eventlog; give the socket or file"
                + " that the program writes its eventlog to (eventlog-socket, +RTS -l), and this"
                + " one to census and the like");
      }
      start(extensions.keepsStatistics() ? classes.withStatistics() : classes.always());
    } catch (Throwable failure) {
      connection.close();
      throw failure;
    }
  }

  private void start(int classes) {
    var request = new ExtensionRequest.LogStart(classes, extensions.waitLimit());
    connection.send(request);
    try {
      end = connection.readSome(arrived::writeBytes, true);
      if (end != null) {
        extensions.require(end, request);
      }
    } catch (TimeLimitException | DebuggeeRefusedException e) {
      String reason = connection.reason().isEmpty() ? e.getMessage() : connection.reason();
      throw new SourceUnavailableException(
          description, "the debuggee does not start its eventlog: " + reason, e);
    }
  }

  /**
   * Connects to a Unix socket and starts the log.
   *
   * @param timeout for the connection, and later for each answer to a command
   * @param classes of events to be switched on
   * @throws SourceUnavailableException when nothing listens there, or a debuggee that cannot: the
   *     log goes to somebody else, for instance, or the program is paused
   * @throws TimeLimitException when nothing answers: no debuggee, for instance
   */
  public static LogStream open(Path socket, Duration timeout, Classes classes) {
    return new LogStream(
        () -> Dialer.unix(socket, timeout), socket.toString(), timeout, null, classes);
  }

  /** The same by TCP. */
  public static LogStream open(
      String host, int port, Duration timeout, @Nullable String token, Classes classes) {
    return new LogStream(
        () -> Dialer.tcp(host, port, timeout), Dialer.tcpName(host, port), timeout, token, classes);
  }

  private Extensions greet(Connection fresh) {
    return new Extensions(
        fresh, description, timeout, Greeting.exchange(fresh, description, token).hello());
  }

  /**
   * Waits for bytes of the log.
   *
   * @return how many, -1 at the end of the log
   * @throws SourceUnavailableException when the program has ended, or this was closed meanwhile
   */
  public int read(ByteBuffer target) {
    while (!arrived.isReadable()) {
      if (end != null) {
        return -1;
      }
      arrived.clear();
      try {
        end = connection.readSome(arrived::writeBytes, true);
      } catch (TimeLimitException quiet) {
        // There are no events, or the program is paused.
      }
    }
    int length = Math.min(target.remaining(), arrived.readableBytes());
    arrived.readBytes(target.slice(target.position(), length));
    target.position(target.position() + length);
    return length;
  }

  /**
   * Switches classes of events.
   *
   * @param on bits, as in {@link ExtensionRequest.LogStart}
   * @throws DebuggeeRefusedException where the program's RTS does not allow it
   */
  public void switchEvents(int on, int off) {
    command(other -> other.switchEvents(on, off));
  }

  /**
   * Starts or stops the censuses of the heap profile, or takes one.
   *
   * @throws DebuggeeRefusedException where the program was started without a heap profile, or is
   *     paused
   */
  public void heapProfile(ExtensionRequest.HeapProfile.Action action) {
    command(other -> other.heapProfile(action));
  }

  private interface Command {
    void send(Extensions other);
  }

  private void command(Command command) {
    Connection other = new Connection(dial.get(), description, timeout);
    try {
      command.send(greet(other));
    } finally {
      other.close();
    }
  }

  /** Ends the log. */
  @Override
  public void close() {
    connection.abandon();
    connection.close();
  }
}
