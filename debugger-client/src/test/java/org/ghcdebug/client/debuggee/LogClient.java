package org.ghcdebug.client.debuggee;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.ghcdebug.client.testing.RawClient;
import org.ghcdebug.protocol.extension.ExtensionCommand;
import org.ghcdebug.protocol.extension.ExtensionRequest;
import org.ghcdebug.protocol.wire.Status;

/** Says to a debuggee about its log what no other client of ours says. */
final class LogClient implements AutoCloseable {
  static final int LOG_NOWHERE = 0;
  static final int LOG_TO_CLIENT = 3;

  private static final int LOG_STATE = 0x120;

  private final RawClient client;

  LogClient(Path socket) throws IOException {
    client = new RawClient(UnixDomainSocketAddress.of(socket));
    client.ask(new ExtensionRequest.Greeting("log client"));
  }

  int logGoesTo() throws IOException {
    return client.ask(LOG_STATE).payload().readByte();
  }

  /** Has the program write its log into a file. */
  Status logToFile(Path file) throws IOException {
    byte[] path = file.toString().getBytes(StandardCharsets.UTF_8);
    ByteBuf request = Unpooled.buffer().writeByte(1).writeZero(3).writeInt(0).writeInt(0);
    request.writeInt(path.length).writeBytes(path);
    return client.ask(ExtensionCommand.LOG_START.number(), ByteBufUtil.getBytes(request)).status();
  }

  @Override
  public void close() throws IOException {
    client.close();
  }
}
