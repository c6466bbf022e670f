package org.ghcdebug.stub.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.PipedReader;
import java.io.PipedWriter;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.newsclub.net.unix.AFUNIXSocket;
import org.newsclub.net.unix.AFUNIXSocketAddress;

class MainTest {
  @TempDir private Path folder;
  private final StringWriter err = new StringWriter();

  @Test
  void servesUntilItIsInterrupted() throws Exception {
    Path socket = folder.resolve("stub.sock");
    var exitCode = new CompletableFuture<Integer>();
    try (var out = new PipedWriter();
        var lines = new BufferedReader(new PipedReader(out))) {
      Thread main =
          Thread.ofPlatform()
              .start(
                  () ->
                      exitCode.complete(
                          execute(new PrintWriter(out), "random", "--socket", socket.toString())));
      assertEquals("serving on " + socket, lines.readLine());
      AFUNIXSocket.connectTo(AFUNIXSocketAddress.of(socket)).close();
      main.interrupt();
      assertEquals(0, exitCode.get());
    }
    assertFalse(Files.exists(socket));
  }

  @Test
  void aFileThatIsNoRecordingIsReportedWithoutAStackTrace() throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "not a recording at all");
    int exitCode =
        execute(
            new PrintWriter(new StringWriter()),
            "serve",
            file.toString(),
            "--socket",
            folder.resolve("stub.sock").toString());
    assertEquals(1, exitCode);
    assertTrue(err.toString().startsWith("debuggee-stub: " + file), err::toString);
    assertEquals(1, err.toString().lines().count());
  }

  @Test
  void wrongArgumentsAreExplained() {
    assertEquals(2, execute(new PrintWriter(new StringWriter()), "serve"));
    assertTrue(err.toString().contains("--socket"), err::toString);
  }

  private int execute(PrintWriter out, String... arguments) {
    return Main.execute(out, new PrintWriter(err, true), arguments);
  }
}
