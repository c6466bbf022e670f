package org.ghcdebug.client.analysis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.BitSet;
import java.util.Locale;
import java.util.function.Supplier;
import org.ghcdebug.client.analysis.dominator.Dominators;
import org.ghcdebug.client.analysis.retainer.RetainerPaths;
import org.ghcdebug.client.analysis.retainer.Retainers;
import org.ghcdebug.client.index.HeapCopy;
import org.ghcdebug.client.index.HeapGraph;
import org.ghcdebug.client.index.ShortestPaths;
import org.ghcdebug.client.source.HeapSource;
import org.ghcdebug.client.source.socket.SocketSource;
import org.ghcdebug.client.testing.BigHeapSource;
import org.ghcdebug.client.work.Work;

/**
 * How fast heaps are read and analysed, and what that takes. Arguments: {@code ordered MILLIONS} or
 * {@code shuffled MILLIONS} for a made-up map of so many million closures, or {@code SOCKET} of a
 * program; then how many rounds, of which the last one counts. Run by hand:
 *
 * <pre>
 * mvn -q -pl debugger-client -am test-compile
 * mvn -q -pl debugger-client exec:exec -Dexec.executable=java -Dexec.classpathScope=test \
 *   -Dexec.args="-Xmx6g -cp %classpath org.ghcdebug.client.analysis.HeapBenchmark ordered 10 3"
 * </pre>
 *
 * <p>Prints for each phase the time, the processor time of the thread that works, closures per
 * second of the latter, and the most memory that the process had. The copy includes making the heap
 * up, or the socket. Retainers are those of all closures of the most common info table.
 */
public final class HeapBenchmark {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final Path STATUS = Path.of("/proc/self/status");
  private static final Path CLEAR = Path.of("/proc/self/clear_refs");

  private long closures;

  private HeapBenchmark() {}

  public static void main(String[] arguments) {
    boolean isSocket = arguments[0].contains("/");
    int rounds = Integer.parseInt(arguments[isSocket ? 1 : 2]);
    for (int round = 0; round < rounds; round++) {
      if (isSocket) {
        try (var source = SocketSource.connect(Path.of(arguments[0]), Duration.ofMinutes(1))) {
          source.pause();
          new HeapBenchmark().run(source, -1);
        }
      } else {
        long count = (long) (Double.parseDouble(arguments[1]) * 1e6);
        var source = new BigHeapSource(count, arguments[0].equals("shuffled"));
        new HeapBenchmark().run(source, source.closures());
      }
      System.out.println();
    }
  }

  private void run(HeapSource source, long expected) {
    try (HeapCopy copy = time("copy and mark", () -> HeapCopy.take(source, Work.UNATTENDED))) {
      closures = copy.tally().totalCount();
      time("mark", () -> copy.reachableFrom(copy.roots(), Work.UNATTENDED));
      if (expected >= 0 && closures != expected) {
        throw new AssertionError(closures + " closures, expected " + expected);
      }
      HeapGraph graph = time("graph", () -> copy.graph(Work.UNATTENDED));
      BitSet targets = mostCommon(graph);
      ShortestPaths paths =
          time(
              "shortest ways",
              () ->
                  ShortestPaths.fromRoots(
                      graph, ShortestPaths.Search.to(targets), Work.UNATTENDED));
      RetainerPaths retainers =
          time(
              "retainers",
              () -> Retainers.of(graph, info -> info, paths, targets, Work.UNATTENDED));
      System.out.printf(
          Locale.ROOT,
          "of %,d closures, %d kinds of ways%n",
          targets.cardinality(),
          retainers.paths().size());
      Dominators dominators = time("dominators", () -> Dominators.of(graph, Work.UNATTENDED));
      System.out.printf(
          Locale.ROOT,
          "%,d closures, %,d edges, %,d bytes in %,d bytes of blocks; the root retains %,d%n",
          closures,
          graph.edgeCount(),
          copy.tally().totalBytes(),
          copy.image().sizeBytes(),
          dominators.retainedBytes(Dominators.ROOT));
    }
  }

  /** Of the info table that most closures have. */
  private static BitSet mostCommon(HeapGraph graph) {
    int[] counts = new int[graph.infoCount()];
    for (int id = 0; id < graph.size(); id++) {
      counts[graph.infoId(id)]++;
    }
    int most = 0;
    for (int info = 1; info < counts.length; info++) {
      most = counts[info] > counts[most] ? info : most;
    }
    BitSet closures = new BitSet(graph.size());
    for (int id = 0; id < graph.size(); id++) {
      closures.set(id, graph.infoId(id) == most);
    }
    return closures;
  }

  private <R> R time(String phase, Supplier<R> work) {
    try {
      System.gc();
      Files.writeString(CLEAR, "5"); // forgets the highest resident size
      long start = System.nanoTime();
      long cpuStart = THREADS.getCurrentThreadCpuTime();
      R result = work.get();
      double cpuSeconds = (THREADS.getCurrentThreadCpuTime() - cpuStart) / 1e9;
      System.out.printf(
          Locale.ROOT,
          "%-16s %7.2f s, on the processor %7.2f s %8.1f million closures/s   peak %6d MiB%n",
          phase,
          (System.nanoTime() - start) / 1e9,
          cpuSeconds,
          closures / cpuSeconds / 1e6,
          peakMebibytes());
      return result;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static long peakMebibytes() throws IOException {
    for (String line : Files.readAllLines(STATUS)) {
      if (line.startsWith("VmHWM:")) {
        return Long.parseLong(line.replaceAll("[^0-9]", "")) / 1024;
      }
    }
    return 0;
  }
}
