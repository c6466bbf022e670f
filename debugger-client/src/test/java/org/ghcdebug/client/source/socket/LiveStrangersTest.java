package org.ghcdebug.client.source.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.ghcdebug.client.testing.DebuggeeTest;
import org.ghcdebug.client.testing.RunningProgram;
import org.ghcdebug.client.testing.TestPrograms;

/** Connections over TCP that never show a token. */
class LiveStrangersTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String TOKEN = "open sesame";

  @DebuggeeTest
  void theyShutNobodyOut(String ghc) throws IOException {
    int port = TestPrograms.freePort();
    Map<String, String> tcp =
        Map.of("GHC_DEBUG_TCP", Integer.toString(port), "GHC_DEBUG_TOKEN", TOKEN);
    List<Socket> strangers = new ArrayList<>();
    try (RunningProgram program = TestPrograms.start(ghc, "bigmap", tcp, "100").awaitReady()) {
      for (int i = 0; i < 24; i++) {
        Socket stranger = new Socket(InetAddress.getLoopbackAddress(), port);
        strangers.add(stranger);
        stranger.getOutputStream().write(0);
      }
      try (SocketSource local = SocketSource.connect(program.socket(), PATIENCE)) {
        local.pause();
        local.resume();
      }
      strangers.subList(8, strangers.size()).forEach(LiveStrangersTest::hangUp);
      try (SocketSource remote = SocketSource.connect("127.0.0.1", port, PATIENCE, TOKEN)) {
        remote.pause();
        remote.resume();
      }
      for (Socket stranger : strangers.subList(0, 8)) {
        stranger.setSoTimeout((int) PATIENCE.toMillis());
        assertEquals(-1, stranger.getInputStream().read());
      }
      program.goOn();
      assertEquals(0, program.awaitExit());
    } finally {
      strangers.forEach(LiveStrangersTest::hangUp);
    }
  }

  private static void hangUp(Socket stranger) {
    try {
      stranger.close();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
