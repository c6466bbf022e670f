package org.ghcdebug.client.source.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.HexFormat;
import org.ghcdebug.protocol.error.MalformedDataException;
import org.ghcdebug.protocol.error.SourceUnavailableException;
import org.ghcdebug.protocol.error.UnsupportedTargetException;
import org.ghcdebug.protocol.target.GhcVersion;
import org.ghcdebug.protocol.target.ProfilingMode;
import org.ghcdebug.protocol.target.Target;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What debuggees of all ages answer to VERSION. */
@Timeout(30)
class OlderStubsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** Connects to a server that answers every request with these bytes, in hexadecimal. */
  private static Target targetOf(String answer) throws IOException {
    try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread.ofPlatform()
          .daemon()
          .start(() -> answerEach(listener, HexFormat.of().parseHex(answer)));
      try (SocketSource source =
          SocketSource.connect("127.0.0.1", listener.getLocalPort(), PATIENCE)) {
        return source.target();
      }
    }
  }

  private static void answerEach(ServerSocket listener, byte[] answer) {
    try (Socket client = listener.accept()) {
      DataInputStream in = new DataInputStream(client.getInputStream());
      OutputStream out = client.getOutputStream();
      while (true) {
        in.skipNBytes(in.readInt());
        out.write(answer);
      }
    } catch (IOException clientLeft) {
      // As it should.
    }
  }

  private static Target target(int series, int patch, ProfilingMode profiling) {
    return new Target(new GhcVersion(series, patch), profiling);
  }

  @Test
  void versionsOfAllLengthsAreRead() throws IOException {
    assertEquals(target(902, 0, ProfilingMode.VANILLA), targetOf("000000040000" + "00000000"));
    assertEquals(
        target(904, 7, ProfilingMode.VANILLA), targetOf("000000080000" + "00000388" + "00000007"));
    assertEquals(
        target(906, 6, ProfilingMode.BIOGRAPHY),
        targetOf("0000000a0000" + "0000038a" + "00000006" + "0301"));
  }

  @Test
  void anUnknownGhcIsNotSupported() {
    var failure =
        assertThrows(
            UnsupportedTargetException.class,
            () -> targetOf("0000000a0000" + "00000320" + "00000004" + "0001"));
    assertTrue(failure.getMessage().contains("GHC 8.0.4"));
    assertTrue(failure.getMessage().contains("9.6"));
  }

  @Test
  void tablesApartFromCodeAreNotSupported() {
    assertThrows(
        UnsupportedTargetException.class,
        () -> targetOf("0000000a0000" + "0000038a" + "00000006" + "0000"));
  }

  @Test
  void somethingElseThatListensIsMalformed() {
    assertThrows(MalformedDataException.class, () -> targetOf("485454502f312e3120343030"));
  }

  @Test
  void aServerThatHangsUpIsUnavailable() throws IOException {
    try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread.ofPlatform()
          .daemon()
          .start(
              () -> {
                try {
                  listener.accept().close();
                } catch (IOException testIsOver) {
                  // Nothing to do.
                }
              });
      assertThrows(
          SourceUnavailableException.class,
          () -> SocketSource.connect("127.0.0.1", listener.getLocalPort(), PATIENCE));
    }
  }
}
