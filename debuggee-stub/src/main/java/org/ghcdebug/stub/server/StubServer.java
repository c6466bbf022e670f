package org.ghcdebug.stub.server;

import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.ghcdebug.protocol.error.MalformedDataException;
import org.ghcdebug.protocol.wire.Command;
import org.ghcdebug.protocol.wire.FrameWriter;
import org.ghcdebug.protocol.wire.Request;
import org.ghcdebug.protocol.wire.RequestDecoder;
import org.ghcdebug.protocol.wire.Status;
import org.ghcdebug.stub.heap.StubHeap;
import org.jspecify.annotations.Nullable;
import org.newsclub.net.unix.AFUNIXServerSocket;
import org.newsclub.net.unix.AFUNIXSocketAddress;

/**
 * Serves a heap as the stub in a Haskell program does: one client at a time, the others wait in the
 * listen queue. The pretended program is running at first; a client or the program itself pauses
 * it, and it is resumed when the client that made use of the pause vanishes.
 *
 * <p>Has a daemon thread from its construction until {@link #close}. All methods may be called from
 * any thread.
 */
public final class StubServer implements AutoCloseable {
  private static final int BACKLOG = 64;
  private static final int OLD_STUB_FRAME_BYTES = 1024;

  private final Answers answers;
  private final Personality personality;
  private final Program program;
  private final ServerSocket listener;
  private final @Nullable Path socketPath;
  private final Map<Command, Fault> faults = new ConcurrentHashMap<>();
  private final AtomicInteger nonsense = new AtomicInteger();
  private final AtomicInteger clients = new AtomicInteger();
  private final Thread thread;

  private final Object connecting = new Object();
  private boolean closed; // guarded by connecting
  private @Nullable Socket socket; // of the client being served; guarded by connecting
  private @Nullable Connection connection; // the same

  /**
   * Serves on a Unix socket, with the manners of our own stub.
   *
   * @param socketPath where to listen; a socket that is there is replaced
   * @throws IOException when it cannot be bound, for instance because its path is longer than 107
   *     bytes or another kind of file is there
   */
  public StubServer(StubHeap heap, Path socketPath) throws IOException {
    this(heap, Personality.GHC_DEBUGGEE, socketPath);
  }

  /**
   * Serves on a Unix socket.
   *
   * @param socketPath where to listen; a socket that is there is replaced
   * @throws IOException as above
   */
  public StubServer(StubHeap heap, Personality personality, Path socketPath) throws IOException {
    this(heap, personality, bind(socketPath), socketPath);
  }

  private StubServer(
      StubHeap heap, Personality personality, ServerSocket listener, @Nullable Path socketPath) {
    this.answers = new Answers(heap, personality);
    this.personality = personality;
    this.program = new Program(personality);
    this.listener = listener;
    this.socketPath = socketPath;
    this.thread = Thread.ofPlatform().daemon().name("stub-server").start(this::acceptClients);
  }

  /**
   * Serves on a TCP port of the loopback address that was free; see {@link #port}.
   *
   * @throws IOException when there is none
   */
  public static StubServer onLoopback(StubHeap heap, Personality personality) throws IOException {
    var listener = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
    return new StubServer(heap, personality, listener, null);
  }

  /** The TCP port; -1 when serving on a Unix socket. */
  public int port() {
    return socketPath == null ? listener.getLocalPort() : -1;
  }

  /** Is the pretended program paused? */
  public boolean isPaused() {
    return program.isPaused();
  }

  /**
   * Waits until the pretended program is paused, or is running.
   *
   * @return false when it was not within the limit
   */
  public boolean awaitPaused(boolean paused, Duration limit) throws InterruptedException {
    return program.awaitPaused(paused, limit);
  }

  /** How many requests with that command have come in that were not nonsense. */
  public int served(Command command) {
    return program.served(command);
  }

  /** How many requests were too short, too long or unknown. */
  public int nonsense() {
    return nonsense.get();
  }

  /** How many clients have been accepted. */
  public int clients() {
    return clients.get();
  }

  /** Makes all responses to that command suffer from a fault, until {@link #healFaults}. */
  public void inject(Command command, Fault fault) {
    faults.put(command, fault);
  }

  /** From the next response on, nothing goes wrong any more. */
  public void healFaults() {
    faults.clear();
  }

  /**
   * The pretended program pauses itself, as with {@code pause} of its debuggee library. Waits until
   * a response that is being sent has been.
   */
  public void programPauses() {
    Connection connected;
    synchronized (connecting) {
      connected = connection;
    }
    if (connected == null) {
      program.pauseItself();
      return;
    }
    synchronized (connected) {
      program.pauseItself();
      try {
        answerPolls(connected);
      } catch (UncheckedIOException _) {
        // The client is gone; the server's own thread will notice as well.
      }
    }
  }

  /** Ends the connection, stops serving and removes the Unix socket. Idempotent. */
  @Override
  public void close() {
    Socket connected;
    synchronized (connecting) {
      closed = true;
      connected = socket;
    }
    try (listener) {
      if (connected != null) {
        connected.close();
      }
      if (socketPath != null) {
        Files.deleteIfExists(socketPath);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    joinThread();
  }

  private void joinThread() {
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException _) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void acceptClients() {
    while (!isClosed()) {
      try (Socket client = listener.accept()) {
        serve(client);
      } catch (IOException | UncheckedIOException _) {
        // The client is gone, or close() was called.
      }
      synchronized (connecting) {
        socket = null;
        connection = null;
      }
      program.clientVanished();
    }
  }

  private boolean isClosed() {
    synchronized (connecting) {
      return closed;
    }
  }

  private void serve(Socket client) throws IOException {
    var connected =
        new Connection(
            client,
            personality == Personality.GHC_DEBUG_07
                ? OLD_STUB_FRAME_BYTES
                : FrameWriter.DEFAULT_MAX_BODY_BYTES);
    synchronized (connecting) {
      if (closed) {
        return;
      }
      socket = client;
      connection = connected;
    }
    clients.incrementAndGet();
    while (true) {
      Optional<ByteBuf> frame = connected.readRequest();
      synchronized (connected) { // one response at a time, and in the order of the state's changes
        serve(connected, frame);
      }
    }
  }

  private void serve(Connection connected, Optional<ByteBuf> frame) {
    Optional<Command> command =
        frame.flatMap(bytes -> Command.findByNumber(bytes.getInt(bytes.readerIndex())));
    if (command.isPresent() && !program.admits(command.get())) {
      respond(connected, command.get()).end(Status.NOT_PAUSED);
      return;
    }
    Optional<Request> request = frame.flatMap(StubServer::parse);
    if (request.isPresent()) {
      answer(connected, request.get());
      return;
    }
    nonsense.incrementAndGet();
    if (personality == Personality.GHC_DEBUGGEE) {
      connected.respond(null).end(Status.BAD_COMMAND);
    }
  }

  private static Optional<Request> parse(ByteBuf frame) {
    try {
      return Optional.of(RequestDecoder.decodeFrame(frame, "request"));
    } catch (MalformedDataException _) {
      return Optional.empty();
    }
  }

  private void answer(Connection connected, Request request) {
    switch (request) {
      case Request.Pause(int mode) -> {
        Status status = program.pause(mode);
        answerPolls(connected);
        respond(connected, Command.PAUSE).end(status);
      }
      case Request.Resume() -> respond(connected, Command.RESUME).end(program.resume());
      case Request.Poll() -> {
        program.poll();
        answerPolls(connected);
      }
      default -> answers.answer(request, respond(connected, request.command()));
    }
  }

  private void answerPolls(Connection connected) {
    for (int left = program.takePolls(); left > 0; left--) {
      respond(connected, Command.POLL).end(Status.OKAY);
    }
  }

  private FrameWriter respond(Connection connected, Command command) {
    return connected.respond(faults.get(command));
  }

  private static ServerSocket bind(Path socketPath) throws IOException {
    if (Files.exists(socketPath, LinkOption.NOFOLLOW_LINKS)) {
      var attributes =
          Files.readAttributes(socketPath, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      if (!attributes.isOther()) {
        throw new FileAlreadyExistsException(
            socketPath.toString(), null, "it is not a socket, and left alone");
      }
      Files.delete(socketPath);
    }
    AFUNIXServerSocket listener = AFUNIXServerSocket.newInstance();
    try {
      listener.bind(AFUNIXSocketAddress.of(socketPath), BACKLOG);
      return listener;
    } catch (IOException e) {
      listener.close();
      throw e;
    }
  }
}
