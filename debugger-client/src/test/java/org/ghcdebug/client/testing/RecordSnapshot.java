package org.ghcdebug.client.testing;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.zip.GZIPOutputStream;
import org.ghcdebug.client.index.HeapCopy;
import org.ghcdebug.client.source.snapshot.ReferenceSnapshots;
import org.ghcdebug.client.source.socket.SocketSource;
import org.ghcdebug.client.work.Work;

/**
 * Records the heap of a running program in the reference client's format, as tests and the demo
 * replay it: {@code RecordSnapshot SOCKET FILE}, compressed when the file's name ends in {@code
 * .gz}.
 */
public final class RecordSnapshot {
  private RecordSnapshot() {}

  public static void main(String[] arguments) throws IOException {
    record(Path.of(arguments[0]), Path.of(arguments[1]));
  }

  /** Records a program, which goes on afterwards. */
  public static void record(Path socket, Path file) throws IOException {
    try (SocketSource source = SocketSource.connect(socket, Duration.ofMinutes(1))) {
      source.pause();
      try (HeapCopy copy = HeapCopy.take(source, Work.UNATTENDED)) {
        source.resume();
        try (OutputStream out = Files.newOutputStream(file);
            OutputStream compressed =
                file.toString().endsWith(".gz") ? new GZIPOutputStream(out) : out;
            WritableByteChannel channel = Channels.newChannel(compressed)) {
          ReferenceSnapshots.write(copy, channel, Work.UNATTENDED);
        }
      }
    }
  }
}
