package org.ghcdebug.client.source.socket;

import org.ghcdebug.client.source.BlockSink;
import org.ghcdebug.client.source.ForwardingSource;

/** A debuggee whose blocks come over its socket, whatever else were possible. */
public final class OverSocket extends ForwardingSource {
  private final SocketSource socket;

  public OverSocket(SocketSource socket) {
    super(socket);
    this.socket = socket;
  }

  @Override
  public long blocks(BlockSink sink) {
    return socket.blocksOverSocket(sink);
  }
}
