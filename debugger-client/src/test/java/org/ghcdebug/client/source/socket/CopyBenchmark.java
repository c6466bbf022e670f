package org.ghcdebug.client.source.socket;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.time.Duration;
import org.ghcdebug.client.index.HeapImage;
import org.ghcdebug.client.source.BlockSink;
import org.ghcdebug.client.source.ForwardingSource;
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
      measure(source, "socket", source::blocksOverSocket);
      measure(source, "memory", source::blocks);
    }
  }

  private interface Blocks {
    long handOut(BlockSink sink);
  }

  private static void measure(SocketSource source, String path, Blocks blocks) {
    source.pause();
    long start = System.nanoTime();
    HeapImage image =
        HeapImage.read(
            new ForwardingSource(source) {
              @Override
              public long blocks(BlockSink sink) {
                return blocks.handOut(sink);
              }
            },
            Work.UNATTENDED);
    double seconds = (System.nanoTime() - start) / GIGA;
    source.resume();
    System.out.printf(
        "Java  %s %.2f GB/s, %.1f ms, %d bytes%n",
        path, image.sizeBytes() / seconds / GIGA, seconds * 1000, image.sizeBytes());
    image.close();
  }
}
