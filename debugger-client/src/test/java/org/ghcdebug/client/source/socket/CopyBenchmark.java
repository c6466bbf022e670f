package org.ghcdebug.client.source.socket;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import org.ghcdebug.client.index.HeapCopy;
import org.ghcdebug.client.index.ImageMemory;
import org.ghcdebug.client.source.BlockGroup;
import org.ghcdebug.client.source.BlockSink;
import org.ghcdebug.client.work.Work;

/**
 * Copies the heap of a paused program, in turns by C and by Java, over the socket and out of the
 * process's memory, and prints GB/s of each.
 *
 * <p>Arguments: the program's socket, the C program ({@code copy} of
 * debuggee-stub/haskell/benchmarks), rounds.
 */
public final class CopyBenchmark {
  private static final double GIGA = 1e9;

  private static final BlockSink NOWHERE =
      new BlockSink() {
        @Override
        public void group(BlockGroup group) {}

        @Override
        public void contents(MemorySegment bytes) {}
      };

  private CopyBenchmark() {}

  public static void main(String[] arguments) throws IOException, InterruptedException {
    Path socket = Path.of(arguments[0]);
    for (int round = 0; round < Integer.parseInt(arguments[2]); round++) {
      c(arguments[1], socket);
      java(socket);
    }
  }

  private static void c(String program, Path socket) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(program, socket.toString()).start();
    try (BufferedReader reader =
        new BufferedReader(new InputStreamReader(process.getInputStream()))) {
      reader.lines().forEach(line -> System.out.println("C     " + line));
    }
    if (process.waitFor() != 0) {
      throw new IllegalStateException(program + " failed");
    }
  }

  private static void java(Path socket) {
    try (SocketSource source = SocketSource.connect(socket, Duration.ofMinutes(1))) {
      long bytes = read(source, "memory", source::blocks);
      read(source, "socket", source::blocksOverSocket);
      copy(source, bytes);
    }
  }

  private interface Blocks {
    long handOut(BlockSink sink);
  }

  private static long read(SocketSource source, String path, Blocks blocks) {
    source.pause();
    long start = System.nanoTime();
    long bytes = blocks.handOut(NOWHERE);
    report(path, bytes, start);
    source.resume();
    return bytes;
  }

  /** What holds the program in a copy of it, roots and static data included. */
  private static void copy(SocketSource source, long bytes) {
    ImageMemory memory = ImageMemory.reserve(bytes, Work.UNATTENDED);
    source.pause();
    long start = System.nanoTime();
    Runnable goOn =
        () -> {
          source.resume();
          report("copy of all that marking needs", bytes, start);
        };
    HeapCopy.take(source, memory, goOn, Work.UNATTENDED).close();
  }

  private static void report(String what, long bytes, long startNanos) {
    double seconds = (System.nanoTime() - startNanos) / GIGA;
    System.out.printf(
        "Java  %s %.2f GB/s, %.1f ms, %d bytes%n",
        what, bytes / seconds / GIGA, seconds * 1000, bytes);
  }
}
