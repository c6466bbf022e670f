package org.ghcdebug.client.source.socket;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.ghcdebug.client.source.HeapSourceContract;
import org.ghcdebug.stub.heap.BuiltHeap;
import org.ghcdebug.stub.server.Personality;
import org.ghcdebug.stub.server.StubServer;

class UnixSocketSourceTest extends HeapSourceContract {
  @Override
  protected void withSource(BuiltHeap heap, Use use) throws Exception {
    Path folder = Files.createTempDirectory(Path.of("/tmp"), "ghcd");
    try (StubServer _ = new StubServer(heap, Personality.GHC_DEBUGGEE, folder.resolve("s"));
        SocketSource source = SocketSource.connect(folder.resolve("s"), Duration.ofSeconds(20))) {
      source.pause();
      use.with(source);
    } finally {
      Files.delete(folder);
    }
  }
}
