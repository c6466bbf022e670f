package org.ghcdebug.stub.server;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import org.ghcdebug.protocol.wire.FrameDecoder;
import org.ghcdebug.protocol.wire.PayloadBuffer;
import org.ghcdebug.protocol.wire.Request;
import org.ghcdebug.protocol.wire.RequestEncoder;
import org.ghcdebug.protocol.wire.Response;
import org.ghcdebug.protocol.wire.ResponseDecoder;
import org.ghcdebug.protocol.wire.Status;
import org.newsclub.net.unix.AFUNIXSocket;
import org.newsclub.net.unix.AFUNIXSocketAddress;

/** A client without manners: sends what it is told to, and reads a response when asked to. */
final class TestClient implements AutoCloseable {
  private static final int PATIENCE_MILLIS = 10_000;

  private final Socket socket;
  private final FrameDecoder frames = new FrameDecoder("response");
  private final byte[] chunk = new byte[1 << 16];
  private ByteBuf unread = Unpooled.EMPTY_BUFFER;

  private TestClient(Socket socket) throws IOException {
    this.socket = socket;
    socket.setSoTimeout(PATIENCE_MILLIS);
  }

  static TestClient connect(Path path) throws IOException {
    return new TestClient(AFUNIXSocket.connectTo(AFUNIXSocketAddress.of(path)));
  }

  static TestClient connect(int port) throws IOException {
    return new TestClient(new Socket(InetAddress.getLoopbackAddress(), port));
  }

  Response ask(Request request) throws IOException {
    send(request);
    return receive(request);
  }

  void send(Request request) throws IOException {
    ByteBuf bytes = Unpooled.buffer();
    RequestEncoder.encode(request, bytes);
    bytes.readBytes(socket.getOutputStream(), bytes.readableBytes());
  }

  void send(byte... bytes) throws IOException {
    socket.getOutputStream().write(bytes);
  }

  /** A frame with any command and payload. */
  void sendFrame(int command, byte... payload) throws IOException {
    send(Unpooled.buffer().writeInt(4 + payload.length).writeInt(command).array(), 8);
    send(payload);
  }

  private void send(byte[] bytes, int count) throws IOException {
    socket.getOutputStream().write(bytes, 0, count);
  }

  /**
   * Reads the answer to a request.
   *
   * @throws EOFException when the server ends the connection before it is complete
   */
  Response receive(Request request) throws IOException {
    var payload = new PayloadBuffer("response");
    while (true) {
      Status status = frames.decode(unread, payload);
      if (status != null) {
        return ResponseDecoder.decode(request, status, payload.bytes());
      }
      int count = socket.getInputStream().read(chunk);
      if (count < 0) {
        throw new EOFException();
      }
      unread = Unpooled.wrappedBuffer(chunk, 0, count);
    }
  }

  /** Reads up to that many bytes, fewer only when the server ends the connection. */
  byte[] receiveBytes(int count) throws IOException {
    return socket.getInputStream().readNBytes(count);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
