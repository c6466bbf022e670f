package org.ghcdebug.client.source.socket;

import java.time.Duration;
import org.ghcdebug.client.source.HeapSourceContract;
import org.ghcdebug.stub.heap.BuiltHeap;
import org.ghcdebug.stub.server.Personality;
import org.ghcdebug.stub.server.StubServer;

/** Over TCP, and with the small frames of the stub 0.7. */
class TcpSocketSourceTest extends HeapSourceContract {
  @Override
  protected void withSource(BuiltHeap heap, Use use) throws Exception {
    try (StubServer server = StubServer.onLoopback(heap, Personality.GHC_DEBUG_07);
        SocketSource source =
            SocketSource.connect("localhost", server.port(), Duration.ofSeconds(20))) {
      source.pause();
      use.with(source);
    }
  }
}
