package org.ghcdebug.client.source;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.ghcdebug.client.source.socket.SocketSource;
import org.ghcdebug.protocol.target.AddressList;
import org.ghcdebug.protocol.target.GhcVersion;
import org.ghcdebug.protocol.target.ProfilingMode;
import org.ghcdebug.protocol.target.Target;
import org.ghcdebug.protocol.wire.Command;
import org.ghcdebug.stub.heap.BuiltHeap;
import org.ghcdebug.stub.heap.HaskellValues;
import org.ghcdebug.stub.heap.HeapBuilder;
import org.ghcdebug.stub.heap.Ref;
import org.ghcdebug.stub.server.Personality;
import org.ghcdebug.stub.server.StubServer;
import org.junit.jupiter.api.Test;

class BlockCacheTest extends HeapSourceContract {
  private interface CachedUse {
    void with(HeapSource source, StubServer server) throws Exception;
  }

  @Override
  protected void withSource(BuiltHeap heap, Use use) throws Exception {
    withCache(heap, (source, _) -> use.with(source));
  }

  private static void withCache(BuiltHeap heap, CachedUse use) throws Exception {
    Path folder = Files.createTempDirectory(Path.of("/tmp"), "ghcd");
    try (StubServer server = new StubServer(heap, Personality.GHC_DEBUGGEE, folder.resolve("s"));
        SocketSource source = SocketSource.connect(folder.resolve("s"), Duration.ofSeconds(20))) {
      source.pause();
      use.with(BlockCache.over(source), server);
    } finally {
      Files.delete(folder);
    }
  }

  @Test
  void closuresOfOneBlockCostOneRequest() throws Exception {
    HeapBuilder builder =
        new HeapBuilder(new Target(new GhcVersion(910, 3), ProfilingMode.VANILLA));
    HaskellValues values = new HaskellValues(builder);
    Ref list = values.emptyList();
    for (int i = 0; i < 80; i++) { // 80 cells of 24 bytes and their Ints fill most of one block
      list = values.cons(values.integral(1000 + i), list);
    }
    builder.save(list);
    BuiltHeap heap = builder.build();
    withCache(
        heap,
        (source, server) -> {
          long cell = source.savedObjects().get(0);
          int cells = 0;
          while (heap.block(cell) != null) {
            cell = Target.untag(source.closures(AddressList.of(cell)).getFirst()[2]);
            cells++;
          }

          assertEquals(80, cells);
          assertEquals(1, server.served(Command.BLOCK));
          assertEquals(0, server.served(Command.CLOSURES));
          assertEquals(1, server.served(Command.INFO_TABLES));
        });
  }
}
