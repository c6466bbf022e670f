package org.ghcdebug.repl.command;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.ghcdebug.protocol.error.IoReason;
import org.ghcdebug.protocol.error.SourceUnavailableException;
import org.ghcdebug.stub.heap.StubHeap;
import org.ghcdebug.stub.server.Recordings;
import org.ghcdebug.stub.server.StubServer;

/**
 * The debuggee that needs no Haskell: the recorded heap of a program that leaks, served on a socket
 * in a folder that only this user can enter.
 */
final class DemoDebuggee implements AutoCloseable {
  private static final String RECORDING = "/org/ghcdebug/repl/demo/leak.snapshot.gz";

  private final Path folder;
  private final StubServer server;

  private DemoDebuggee(Path folder, StubServer server) {
    this.folder = folder;
    this.server = server;
  }

  /**
   * @throws SourceUnavailableException when no socket can be made in the folder for temporary files
   */
  static DemoDebuggee start() {
    try (InputStream recording = DemoDebuggee.class.getResourceAsStream(RECORDING)) {
      if (recording == null) {
        throw new SourceUnavailableException("demo", "its recording is missing from the jar");
      }
      StubHeap heap = Recordings.load("demo", recording);
      Path folder = Files.createTempDirectory("ghc-debug-");
      return new DemoDebuggee(folder, new StubServer(heap, folder.resolve("demo.sock")));
    } catch (IOException e) {
      throw new SourceUnavailableException(
          "demo",
          "cannot be served (%s); is %s writable?"
              .formatted(IoReason.of(e), System.getProperty("java.io.tmpdir")),
          e);
    }
  }

  Path socket() {
    return folder.resolve("demo.sock");
  }

  @Override
  public void close() {
    server.close();
    try {
      Files.deleteIfExists(socket());
      Files.deleteIfExists(folder);
    } catch (IOException e) {
      // A file left in the folder for temporary files does no harm.
      return;
    }
  }
}
