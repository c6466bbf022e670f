package org.ghcdebug.client.source.snapshot;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.ghcdebug.client.index.HeapCopy;
import org.ghcdebug.client.source.BlockGroup;
import org.ghcdebug.client.source.BlockSink;
import org.ghcdebug.client.source.HeapSource;
import org.ghcdebug.client.source.socket.OverSocket;
import org.ghcdebug.client.source.socket.SocketSource;
import org.ghcdebug.client.work.Work;

/**
 * How fast and how small: {@code SnapshotBenchmark SOCKET FILE [ROUNDS]} on a running program. The
 * first rounds warm up; at the end stand the medians of the others.
 */
public final class SnapshotBenchmark {
  private static final int ROUNDS = 9;
  private static final int WARM_UP = 3;
  private static final BlockSink NOWHERE =
      new BlockSink() {
        @Override
        public void group(BlockGroup group) {}

        @Override
        public void contents(MemorySegment bytes) {}
      };

  private SnapshotBenchmark() {}

  public static void main(String[] arguments) throws IOException {
    int rounds = arguments.length > 2 ? Integer.parseInt(arguments[2]) : ROUNDS;
    List<Double> overSocket = new ArrayList<>();
    List<Double> outOfMemory = new ArrayList<>();
    for (int round = 0; round < rounds; round++) {
      run(Path.of(arguments[0]), Path.of(arguments[1]), overSocket, outOfMemory);
    }
    System.out.printf(
        Locale.ROOT,
        "written at so much of the speed at which they come, median of %d rounds: over the socket"
            + " %.2f, out of the process's memory %.2f%n",
        rounds - WARM_UP,
        median(overSocket.subList(WARM_UP, rounds)),
        median(outOfMemory.subList(WARM_UP, rounds)));
  }

  private static double median(List<Double> ratios) {
    return ratios.stream().sorted().toList().get(ratios.size() / 2);
  }

  /** Blocks into memory and into a file; returns the ratio of the speeds. */
  private static double ratio(String how, HeapSource source, Path file) {
    long start = System.nanoTime();
    long bytes = source.blocks(NOWHERE);
    long nanosIntoMemory = System.nanoTime() - start;
    report("blocks " + how, start, bytes);
    start = System.nanoTime();
    long nanosIntoFile;
    try (SnapshotWriter writer = SnapshotWriter.create(file, source.target(), Map.of())) {
      writer.recording(source).blocks(NOWHERE);
      nanosIntoFile = System.nanoTime() - start;
      report("blocks " + how + " into the file", start, bytes);
    }
    double ratio = (double) nanosIntoMemory / nanosIntoFile;
    System.out.printf(Locale.ROOT, "  ratio %.2f%n", ratio);
    return ratio;
  }

  private static void run(Path socket, Path file, List<Double> overSocket, List<Double> outOfMemory)
      throws IOException {
    try (SocketSource source = SocketSource.connect(socket, Duration.ofMinutes(1))) {
      source.pause();
      overSocket.add(ratio("over the socket", new OverSocket(source), file));
      outOfMemory.add(ratio("out of the process's memory", source, file));

      long start = System.nanoTime();
      try (HeapCopy copy = HeapCopy.take(source, Work.UNATTENDED)) {
        long bytes = copy.image().sizeBytes();
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
        Locale.ROOT, "%-50s %7.3f s %8.0f MB/s%n", what, seconds, bytes / seconds / 1e6);
  }
}
