package org.ghcdebug.client.testing;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import org.ghcdebug.protocol.extension.ExtensionCommand;
import org.ghcdebug.protocol.extension.ExtensionRequest;
import org.ghcdebug.protocol.extension.PauseState;
import org.ghcdebug.protocol.wire.FrameDecoder;
import org.ghcdebug.protocol.wire.PayloadBuffer;
import org.ghcdebug.protocol.wire.Request;
import org.ghcdebug.protocol.wire.RequestEncoder;
import org.ghcdebug.protocol.wire.Status;

/** A connection on which a test says what it likes, and reads answers only when it likes. */
public final class RawClient implements AutoCloseable {
  // Commands that the client has no model of.
  public static final int CONTROL = 0x105;
  public static final int THREADS = 0x110;

  private static final int READ_BYTES = 1 << 16;

  private final SocketChannel channel;
  private final FrameDecoder frames = new FrameDecoder("raw client");
  private final PayloadBuffer payload = new PayloadBuffer("raw client");
  private final ByteBuffer bytes = ByteBuffer.allocate(READ_BYTES);
  private ByteBuf unread = Unpooled.EMPTY_BUFFER;

  /**
   * An answer.
   *
   * @param payload the bodies of its frames, until the next one is read
   * @param reason the body of an error
   */
  public record Answer(Status status, ByteBuf payload, String reason) {}

  public RawClient(SocketAddress address) throws IOException {
    channel = SocketChannel.open(address);
  }

  public RawClient(RunningProgram program) throws IOException {
    this(UnixDomainSocketAddress.of(program.socket()));
  }

  public void send(byte[] frame) throws IOException {
    ByteBuffer left = ByteBuffer.wrap(frame);
    while (left.hasRemaining()) {
      channel.write(left);
    }
  }

  public void send(Request request) throws IOException {
    ByteBuf frame = Unpooled.buffer();
    RequestEncoder.encode(request, frame);
    send(ByteBufUtil.getBytes(frame));
  }

  public void send(ExtensionRequest request) throws IOException {
    ByteBuf frame = Unpooled.buffer();
    request.encode(frame);
    send(ByteBufUtil.getBytes(frame));
  }

  /**
   * @throws EOFException when the connection ends before the answer
   */
  public Answer read() throws IOException {
    payload.clear();
    Status status;
    while ((status = frames.decode(unread, payload)) == null) {
      bytes.clear();
      if (channel.read(bytes) < 0) {
        throw new EOFException("the connection ended before the end of an answer");
      }
      unread = Unpooled.wrappedBuffer(bytes.flip());
    }
    return new Answer(status, payload.bytes(), frames.reason());
  }

  public Answer ask(byte[] frame) throws IOException {
    send(frame);
    return read();
  }

  public Answer ask(Request request) throws IOException {
    send(request);
    return read();
  }

  public Answer ask(ExtensionRequest request) throws IOException {
    send(request);
    return read();
  }

  public Answer ask(int command, byte... arguments) throws IOException {
    ByteBuf frame = Unpooled.buffer();
    frame.writeInt(Integer.BYTES + arguments.length).writeInt(command).writeBytes(arguments);
    return ask(ByteBufUtil.getBytes(frame));
  }

  public PauseState state() throws IOException {
    return PauseState.decode(ask(new ExtensionRequest.Plain(ExtensionCommand.STATE)).payload());
  }

  /** Whether the other side has closed, with nothing left to be read. Waits for either. */
  public boolean isAtEnd() throws IOException {
    bytes.clear();
    return !unread.isReadable() && channel.read(bytes) < 0;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
