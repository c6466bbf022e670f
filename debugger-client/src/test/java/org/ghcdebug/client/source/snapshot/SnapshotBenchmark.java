package org.ghcdebug.client.source.snapshot;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import org.ghcdebug.client.index.HeapCopy;
import org.ghcdebug.client.source.BlockGroup;
import org.ghcdebug.client.source.BlockSink;
import org.ghcdebug.client.source.socket.SocketSource;
import org.ghcdebug.client.work.Work;

/**
 * How fast and how small: {@code SnapshotBenchmark SOCKET FILE} on a running program. Five rounds;
 * the last one counts, the first ones warm up.
 */
public final class SnapshotBenchmark {
  private static final int ROUNDS = 5;
  private static final BlockSink NOWHERE =
      new BlockSink() {
        @Override
        public void group(BlockGroup group) {}

        @Override
        public void contents(MemorySegment bytes) {}
      };

  private SnapshotBenchmark() {}

  public static void main(String[] arguments) throws IOException {
    for (int round = 0; round < ROUNDS; round++) {
      run(Path.of(arguments[0]), Path.of(arguments[1]));
    }
  }

  private static void run(Path socket, Path file) throws IOException {
    try (SocketSource source = SocketSource.connect(socket, Duration.ofMinutes(1))) {
      source.pause();
      long start = System.nanoTime();
      long bytes = source.blocks(NOWHERE);
      report("blocks over the socket", start, bytes);

      start = System.nanoTime();
      try (SnapshotWriter writer = SnapshotWriter.create(file, source.target(), Map.of())) {
        writer.recording(source).blocks(NOWHERE);
        report("blocks over the socket into the file", start, bytes);
      }

      start = System.nanoTime();
      try (HeapCopy copy = HeapCopy.take(source, Work.UNATTENDED)) {
        report("copied and marked", start, bytes);
        source.resume();
        start = System.nanoTime();
        SnapshotWriter.write(copy, file, Map.of(), Work.UNATTENDED);
        report("copy written", start, bytes);
        System.out.printf(
            Locale.ROOT,
            "  %d closures in %d bytes of blocks: file of %d bytes, %.1f times smaller%n",
            copy.tally().totalCount(),
            bytes,
            Files.size(file),
            (double) bytes / Files.size(file));
      }
    }
    long start = System.nanoTime();
    try (SnapshotSource source = SnapshotSource.open(file)) {
      report("opened", start, 0);
      start = System.nanoTime();
      source.closures(source.roots());
      report("roots read", start, 0);
      start = System.nanoTime();
      report("blocks read", start, source.blocks(NOWHERE));
      start = System.nanoTime();
      source.file().verify((_, _) -> {});
      report("verified", start, source.blockBytes());
    }
  }

  private static void report(String what, long startNanos, long bytes) {
    double seconds = (System.nanoTime() - startNanos) / 1e9;
    System.out.printf(
        Locale.ROOT, "%-40s %7.3f s %8.0f MB/s%n", what, seconds, bytes / seconds / 1e6);
  }
}
