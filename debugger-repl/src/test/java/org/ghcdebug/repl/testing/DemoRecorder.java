package org.ghcdebug.repl.testing;

import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import org.ghcdebug.client.index.HeapCopy;
import org.ghcdebug.client.source.snapshot.ReferenceSnapshots;
import org.ghcdebug.client.source.socket.SocketSource;
import org.ghcdebug.client.work.Work;

/**
 * Makes the recording that {@code demo} serves, from the live test program {@code leak}: {@code
 * GHC_DEBUG_SOCKET=/tmp/leak.sock leak 20000 +RTS -A256k}, then {@code DemoRecorder /tmp/leak.sock
 * FILE}.
 */
public final class DemoRecorder {
  private DemoRecorder() {}

  /** Arguments: the program's socket, and the file to write. */
  public static void main(String[] arguments) throws IOException {
    try (var source = SocketSource.connect(Path.of(arguments[0]), Duration.ofSeconds(30));
        var file = new BestGzip(Path.of(arguments[1]))) {
      source.pause();
      try (var copy = HeapCopy.take(source, Work.UNATTENDED)) {
        ReferenceSnapshots.write(copy, Channels.newChannel(file), Work.UNATTENDED);
      }
    }
  }

  private static final class BestGzip extends GZIPOutputStream {
    BestGzip(Path file) throws IOException {
      super(Files.newOutputStream(file), 1 << 16);
      def.setLevel(Deflater.BEST_COMPRESSION);
    }
  }
}
