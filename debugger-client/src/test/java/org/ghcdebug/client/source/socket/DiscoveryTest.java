package org.ghcdebug.client.source.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.ghcdebug.protocol.target.GhcVersion;
import org.ghcdebug.protocol.target.ProfilingMode;
import org.ghcdebug.protocol.target.Target;
import org.ghcdebug.stub.heap.RandomHeap;
import org.ghcdebug.stub.server.StubServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiscoveryTest {
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  @Test
  void theFolderIsBelowTheDataFolderOrHome() {
    String below = "/ghc-debug/debuggee/sockets";
    assertEquals(
        Optional.of(Path.of("/data" + below)),
        Discovery.findFolder(Map.of("XDG_DATA_HOME", "/data", "HOME", "/home/me")));
    assertEquals(
        Optional.of(Path.of("/home/me/.local/share" + below)),
        Discovery.findFolder(Map.of("XDG_DATA_HOME", "relative", "HOME", "/home/me")));
    assertEquals(Optional.empty(), Discovery.findFolder(Map.of()));
  }

  @Test
  void listsLiveAndStaleSocketsByProcessId() throws IOException {
    Path folder = Files.createTempDirectory(Path.of("/tmp"), "ghcd");
    Path stale = folder.resolve("99-gone");
    Path live = folder.resolve("1234-my-program");
    try (ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      listener.bind(UnixDomainSocketAddress.of(stale));
    }
    Path otherFile = Files.writeString(folder.resolve("55-file"), "no socket");
    Path otherName = Files.writeString(folder.resolve("notes"), "no socket");
    var target = new Target(new GhcVersion(906, 6), ProfilingMode.VANILLA);
    try (StubServer server = new StubServer(RandomHeap.of(target, 1, 10), live)) {
      List<DebuggeeSocket> expected =
          List.of(
              new DebuggeeSocket(stale, 99, "gone", false),
              new DebuggeeSocket(live, 1234, "my-program", true));
      assertEquals(expected, Discovery.list(folder, PATIENCE));
      try (SocketSource source = SocketSource.connect(live, Duration.ofSeconds(10))) {
        assertEquals(expected, Discovery.list(folder, PATIENCE), "while a client is served");
        assertEquals(target, source.target());
      }
      assertEquals(1, server.nonsense(), "HELLO, which it does not know");
    } finally {
      Files.delete(stale);
      Files.delete(otherFile);
      Files.delete(otherName);
      Files.deleteIfExists(live);
      Files.delete(folder);
    }
  }

  @Test
  void aFolderThatDoesNotExistHasNone(@TempDir Path folder) {
    assertEquals(List.of(), Discovery.list(folder.resolve("none"), PATIENCE));
  }
}
