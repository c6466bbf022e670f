package org.ghcdebug.client.source.socket;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.ghcdebug.protocol.error.CanceledException;
import org.ghcdebug.protocol.error.DebuggerException;
import org.ghcdebug.protocol.error.MalformedDataException;
import org.ghcdebug.protocol.error.SourceUnavailableException;
import org.ghcdebug.protocol.error.TimeLimitException;
import org.ghcdebug.protocol.extension.ExtensionRequest;
import org.ghcdebug.protocol.wire.BodySink;
import org.ghcdebug.protocol.wire.FrameDecoder;
import org.ghcdebug.protocol.wire.Request;
import org.ghcdebug.protocol.wire.RequestEncoder;
import org.ghcdebug.protocol.wire.Status;
import org.jspecify.annotations.Nullable;

/**
 * Requests out, responses in, in order, over one socket.
 *
 * <p><b>No deadlock, no stuck write.</b> A server that is blocked writing reads nothing. So at most
 * {@value #MAX_UNANSWERED_BYTES} bytes of requests are ever unanswered, which the socket's own send
 * buffer holds: writing never waits for the server, be it busy, stopped or malicious, and all
 * waiting is done in reads, which have a time-out. No second thread is needed.
 *
 * <p><b>Never out of step.</b> The protocol has no request numbers. A response that was given up,
 * because of a time-out, an interrupt or an exception of whoever took it, stays owed; it is read
 * and thrown away before the next request's response.
 *
 * <p>A time-out passes when no byte has come for that long; a response that flows is never cut off.
 *
 * <p>For one thread at a time, except {@link #abandon}.
 */
final class Connection {
  /** Linux's default send buffer, 208 KiB, holds this much with its own overhead. */
  static final int MAX_UNANSWERED_BYTES = 128 << 10;

  private static final int SEND_BUFFER_BYTES = 2 * MAX_UNANSWERED_BYTES;
  private static final int READ_BYTES = 256 << 10;

  /** How soon a waiting read notices an interrupt or {@link #abandon}. */
  private static final int SLICE_MILLIS = 100;

  private static final BodySink DISCARD = bytes -> bytes.skipBytes(bytes.readableBytes());

  private final Socket socket;
  private final InputStream input;
  private final OutputStream output;
  private final String name;
  private final Duration timeout;

  private final FrameDecoder frames;
  private final ByteBuf in = Unpooled.wrappedBuffer(new byte[READ_BYTES]).clear();
  private final ByteBuf out = Unpooled.buffer(MAX_UNANSWERED_BYTES);

  /** Requests without a complete response, oldest first. */
  private final ArrayDeque<Unanswered> unanswered = new ArrayDeque<>();

  private int unansweredBytes;
  private @Nullable DebuggerException lost;
  private volatile boolean abandoned;

  private record Unanswered(String command, int frameBytes) {}

  /** Takes the responses to a row of requests, one after the other. */
  interface ResponseHandler extends BodySink {
    /** The response to the request with that index begins; {@link #body} gets its payload. */
    void begin(int index);

    /**
     * The response is complete.
     *
     * @param status of the last frame
     */
    void end(int index, Status status);
  }

  /**
   * @param name the source, for messages
   * @param timeout how long to wait for bytes
   */
  Connection(Socket socket, String name, Duration timeout) {
    this.socket = socket;
    this.name = name;
    this.timeout = timeout;
    this.frames = new FrameDecoder(name);
    try {
      socket.setSoTimeout(SLICE_MILLIS);
      socket.setSendBufferSize(SEND_BUFFER_BYTES);
      this.input = socket.getInputStream();
      this.output = socket.getOutputStream();
    } catch (IOException e) {
      Dialer.closeQuietly(socket);
      throw new SourceUnavailableException(name, "connection failed: " + e.getMessage(), e);
    }
  }

  /**
   * Sends requests and takes their responses, as many at once as the window allows. What an
   * exception of the handler or of a read leaves unread stays owed.
   *
   * @param request the request with that index
   * @throws CanceledException when the thread is interrupted while it waits
   */
  void exchange(int count, IntFunction<Request> request, ResponseHandler handler) {
    settle(true);
    int sent = 0;
    for (int answered = 0; answered < count; answered++) {
      if (sent < count && unansweredBytes <= MAX_UNANSWERED_BYTES / 2) {
        sent = fillWindow(sent, count, request);
      }
      handler.begin(answered);
      handler.end(answered, readResponse(handler, true));
    }
  }

  /** Sends one request and takes its response. */
  Status exchange(Request request, BodySink sink) {
    settle(true);
    send(request);
    return readResponse(sink, true);
  }

  /** Likewise. */
  Status exchange(ExtensionRequest request, BodySink sink) {
    settle(true);
    send(request);
    return readResponse(sink, true);
  }

  /** Encodes and sends as many requests as fit; at least one when none is unanswered. */
  private int fillWindow(int sent, int count, IntFunction<Request> request) {
    out.clear();
    int next = sent;
    do {
      enqueue(request.apply(next++));
    } while (next < count && unansweredBytes + lastFrameBytes() <= MAX_UNANSWERED_BYTES);
    flush();
    return next;
  }

  /** The next frame's likely size: requests of a row are alike, except that the last is smaller. */
  private int lastFrameBytes() {
    return unanswered.getLast().frameBytes();
  }

  private void enqueue(Request request) {
    enqueue(request.command().name(), frame -> RequestEncoder.encode(request, frame));
  }

  private void enqueue(String command, Consumer<ByteBuf> encode) {
    int start = out.writerIndex();
    encode.accept(out);
    int frameBytes = out.writerIndex() - start;
    unanswered.add(new Unanswered(command, frameBytes));
    unansweredBytes += frameBytes;
  }

  /** Sends a request without waiting: its response is owed. */
  void send(Request request) {
    out.clear();
    enqueue(request);
    flush();
  }

  /** Likewise. */
  void send(ExtensionRequest request) {
    out.clear();
    enqueue(request.command().name(), request::encode);
    flush();
  }

  /** Sends two requests at one go, without waiting. */
  void send(ExtensionRequest first, Request second) {
    out.clear();
    enqueue(first.command().name(), first::encode);
    enqueue(second);
    flush();
  }

  /** The oldest unanswered request will never be answered: the debuggee did not know it. */
  void forgetOldest() {
    unansweredBytes -= unanswered.remove().frameBytes();
  }

  /** What the last response said besides its error status; empty when nothing. */
  String reason() {
    return frames.reason();
  }

  private void flush() {
    checkUsable();
    try {
      output.write(out.array(), out.arrayOffset(), out.readableBytes());
    } catch (IOException e) {
      throw lose(
          new SourceUnavailableException(
              name, "connection lost while writing: " + e.getMessage(), e));
    }
  }

  /**
   * Reads and throws away what is owed.
   *
   * @param interruptible whether an interrupt ends the wait
   * @throws TimeLimitException when the debuggee still owes an answer
   */
  void settle(boolean interruptible) {
    checkUsable();
    while (!unanswered.isEmpty()) {
      readResponse(DISCARD, interruptible);
    }
  }

  /** Whether every response has been read. */
  boolean isSettled() {
    return unanswered.isEmpty();
  }

  /** Whether nothing more can be sent or read. */
  boolean isLost() {
    return lost != null;
  }

  /** Reads to the end of the oldest unanswered request's response. */
  Status readResponse(BodySink sink, boolean interruptible) {
    Status status;
    do {
      status = readSome(sink, interruptible);
    } while (status == null);
    return status;
  }

  /**
   * Reads some of the oldest unanswered request's response.
   *
   * @return the status when that was the end of it, else {@code null}
   */
  @Nullable Status readSome(BodySink sink, boolean interruptible) {
    if (!in.isReadable()) {
      fill(interruptible);
    }
    var guard = new Guard(sink);
    Status status;
    try {
      status = frames.decode(in, guard);
    } catch (MalformedDataException e) {
      throw lose(e);
    }
    if (status != null) {
      unansweredBytes -= unanswered.remove().frameBytes();
    }
    guard.rethrow();
    return status;
  }

  /** Keeps a sink's exception apart from those of the frames, after which nothing can be read. */
  private static final class Guard implements BodySink {
    private final BodySink sink;
    private @Nullable RuntimeException failure;

    Guard(BodySink sink) {
      this.sink = sink;
    }

    @Override
    public void body(ByteBuf bytes) {
      if (failure == null) {
        try {
          sink.body(bytes);
        } catch (RuntimeException e) {
          failure = e;
        }
      }
    }

    void rethrow() {
      if (failure != null) {
        throw failure;
      }
    }
  }

  private void fill(boolean interruptible) {
    checkUsable();
    in.clear();
    long deadlineNanos = System.nanoTime() + timeout.toNanos();
    while (true) {
      if (abandoned) {
        throw new SourceUnavailableException(name, "closed while waiting for an answer");
      }
      if (interruptible && Thread.interrupted()) {
        throw new CanceledException(unanswered.element().command() + " on " + name);
      }
      try {
        int length = input.read(in.array(), in.arrayOffset(), in.capacity());
        if (length < 0) {
          throw lose(
              new SourceUnavailableException(
                  name, "the debuggee closed the connection; it has probably ended"));
        }
        in.writerIndex(length);
        return;
      } catch (SocketTimeoutException slice) {
        if (System.nanoTime() - deadlineNanos >= 0) {
          throw new TimeLimitException(timeout, noAnswer(unanswered.element().command()));
        }
      } catch (IOException e) {
        throw lose(
            new SourceUnavailableException(
                name, "connection lost, the debuggee has probably ended: " + e.getMessage(), e));
      }
    }
  }

  private String noAnswer(String command) {
    String advice =
        switch (command) {
          case "AUTH" ->
              "only our own debuggee library takes a token; connect without one (GHC_DEBUG_TOKEN,"
                  + " --token-file) to another";
          case "HELLO", "VERSION" ->
              "the debuggee serves one client at a time, so close any other; or it is stopped, or"
                  + " no debuggee at all";
          case "PAUSE", "PAUSE2" ->
              "a Haskell loop that does not allocate, an unsafe foreign call or a garbage"
                  + " collection can delay it without bound; the program goes on, try again or"
                  + " allow more time";
          default -> "is the program stopped, or the machine overloaded? Allow more time";
        };
    return "%s: no answer to %s within %s: %s"
        .formatted(name, command, Durations.text(timeout), advice);
  }

  private void checkUsable() {
    DebuggerException reason = lost;
    if (reason != null) {
      throw new SourceUnavailableException(name, "connection lost earlier; connect anew", reason);
    }
  }

  private DebuggerException lose(DebuggerException reason) {
    lost = reason;
    Dialer.closeQuietly(socket);
    return reason;
  }

  /** Makes a read that waits in another thread fail within {@value #SLICE_MILLIS} ms. */
  void abandon() {
    abandoned = true;
  }

  /** Ends {@link #abandon}; to be called when no other thread uses the connection any more. */
  void adopt() {
    abandoned = false;
  }

  /** Waits, however long it takes, until nothing is owed or the connection is lost; closes. */
  void closeWhenSettled() {
    while (!isSettled() && !isLost()) {
      try {
        settle(false);
      } catch (DebuggerException stillWaiting) {
        // A time-out; or the connection is lost.
      }
    }
    close();
  }

  /** Closes the socket. A stub of the 0.x series dies when a response is still owed. */
  void close() {
    if (lost == null) {
      lose(new SourceUnavailableException(name, "closed"));
    }
  }
}
