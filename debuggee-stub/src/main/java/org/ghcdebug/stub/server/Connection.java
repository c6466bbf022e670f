package org.ghcdebug.stub.server;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.ghcdebug.protocol.wire.FrameWriter;
import org.ghcdebug.protocol.wire.Status;
import org.jspecify.annotations.Nullable;

/**
 * One client's connection: whole request frames in, response frames out, and what goes wrong on the
 * way on demand. Requests are read by one thread; responses are written by one thread at a time.
 */
final class Connection {
  private static final int COMMAND_BYTES = 4;
  private static final int MAX_REQUEST_BYTES = 1 << 20;
  private static final int STATUS_OFFSET = 4;
  private static final int HEADER_BYTES = 6;

  private final DataInputStream in;
  private final OutputStream out;
  private final FrameWriter frames;
  private @Nullable Fault fault;
  private long sentBytes;
  private boolean outOfStep;

  Connection(Socket socket, int maxFrameBytes) throws IOException {
    in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), 1 << 16));
    out = socket.getOutputStream();
    frames = new FrameWriter(maxFrameBytes, this::send);
  }

  /**
   * Reads a request frame.
   *
   * @return its bytes, from the command number on; empty for one that is longer than any that means
   *     something, which has been skipped, and for one too short to have a command, which is the
   *     last
   * @throws EOFException when the client has ended the connection, or after a request too short
   */
  Optional<ByteBuf> readRequest() throws IOException {
    if (outOfStep) {
      throw new EOFException("a request without a command: nothing can be understood after it");
    }
    int lengthBytes = in.readInt();
    if (Integer.compareUnsigned(lengthBytes, MAX_REQUEST_BYTES) > 0) {
      in.skipNBytes(Integer.toUnsignedLong(lengthBytes));
      return Optional.empty();
    }
    if (lengthBytes < COMMAND_BYTES) {
      outOfStep = true;
      return Optional.empty();
    }
    var bytes = new byte[lengthBytes];
    in.readFully(bytes);
    return Optional.of(Unpooled.wrappedBuffer(bytes));
  }

  /**
   * Where the next response is written. A client that is gone, or a fault that ends the connection,
   * shows there as an {@link UncheckedIOException}.
   *
   * @param fault what goes wrong with that response
   */
  FrameWriter respond(@Nullable Fault fault) {
    this.fault = fault;
    sentBytes = 0;
    return frames;
  }

  private void send(ByteBuf frame) {
    try {
      switch (fault) {
        case null -> write(frame);
        case Fault.Disconnect(long afterBytes) -> {
          if (reaches(afterBytes, frame)) {
            throw new EOFException("disconnected on demand after " + sentBytes + " bytes");
          }
        }
        case Fault.Stall(long afterBytes) -> {
          if (reaches(afterBytes, frame)) {
            in.skipNBytes(Long.MAX_VALUE); // until the client ends the connection
          }
        }
        case Fault.Dribble dribble -> {
          while (frame.isReadable()) {
            write(frame.readSlice(1));
            LockSupport.parkNanos(dribble.pause().toNanos());
          }
        }
        case Fault.WrongLength(int differenceBytes) -> {
          if (isLast(frame)) {
            frame.setInt(0, frame.getInt(0) + differenceBytes);
          }
          write(frame);
        }
        case Fault.ShortPayload(int missingBytes) -> {
          if (isLast(frame)) {
            int bodyBytes = Math.max(0, frame.getInt(0) - missingBytes);
            frame.setInt(0, bodyBytes).writerIndex(HEADER_BYTES + bodyBytes);
          }
          write(frame);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Writes no more than may still be sent; true when the response ends there, or with the frame.
   */
  private boolean reaches(long limitBytes, ByteBuf frame) throws IOException {
    boolean last = isLast(frame);
    int allowed = (int) Math.min(limitBytes - sentBytes, frame.readableBytes());
    write(frame.readSlice(allowed));
    return last || sentBytes == limitBytes;
  }

  private void write(ByteBuf bytes) throws IOException {
    int count = bytes.readableBytes();
    bytes.readBytes(out, count);
    sentBytes += count;
  }

  private static boolean isLast(ByteBuf frame) {
    return frame.getUnsignedShort(STATUS_OFFSET) != Status.CONTINUES.code();
  }
}
