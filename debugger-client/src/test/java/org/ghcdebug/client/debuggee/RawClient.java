package org.ghcdebug.client.debuggee;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.EOFException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.ghcdebug.protocol.extension.ExtensionCommand;
import org.ghcdebug.protocol.wire.Status;

/** Says to a debuggee what no other client of ours says. */
final class RawClient implements AutoCloseable {
  static final int LOG_NOWHERE = 0;
  static final int LOG_TO_CLIENT = 3;

  private static final int LOG_STATE = 0x120;
  private static final int HEADER_BYTES = 6;

  private final SocketChannel channel;

  private record Answer(int status, ByteBuffer body) {}

  RawClient(Path socket) throws IOException {
    channel = SocketChannel.open(StandardProtocolFamily.UNIX);
    channel.connect(UnixDomainSocketAddress.of(socket));
    ask(ExtensionCommand.HELLO.number(), Unpooled.EMPTY_BUFFER);
  }

  int logGoesTo() throws IOException {
    return ask(LOG_STATE, Unpooled.EMPTY_BUFFER).body.get();
  }

  /** Has the program write its log into a file; the status of the answer. */
  int logToFile(Path file) throws IOException {
    byte[] path = file.toString().getBytes(StandardCharsets.UTF_8);
    ByteBuf request = Unpooled.buffer().writeByte(1).writeZero(3).writeInt(0).writeInt(0);
    request.writeInt(path.length).writeBytes(path);
    return ask(ExtensionCommand.LOG_START.number(), request).status;
  }

  private Answer ask(int command, ByteBuf payload) throws IOException {
    ByteBuf frame = Unpooled.buffer();
    frame.writeInt(Integer.BYTES + payload.readableBytes()).writeInt(command).writeBytes(payload);
    ByteBuffer bytes = frame.nioBuffer();
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
    ByteBuffer header = read(HEADER_BYTES);
    int bodyBytes = header.getInt();
    int status = header.getShort() & 0xffff;
    if (status == Status.CONTINUES.code()) {
      throw new IOException("an answer of several frames");
    }
    return new Answer(status, read(bodyBytes));
  }

  private ByteBuffer read(int length) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(length);
    while (bytes.hasRemaining()) {
      if (channel.read(bytes) < 0) {
        throw new EOFException();
      }
    }
    return bytes.flip();
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
