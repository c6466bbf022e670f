package org.ghcdebug.client.debuggee;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.ghcdebug.client.work.Work;

/**
 * How long a program is not run while its heap is analysed, as a thread of its own notes it.
 *
 * <p>Arguments: the test program {@code stall}, its number of entries, rounds.
 */
public final class StallBenchmark implements AutoCloseable {
  private final Process process;
  private final BufferedReader output;
  private final OutputStream input;

  private StallBenchmark(Process process) {
    this.process = process;
    this.output =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    this.input = process.getOutputStream();
  }

  public static void main(String[] arguments) throws IOException, InterruptedException {
    Path socket = Files.createTempDirectory(Path.of("/tmp"), "stall").resolve("s");
    ProcessBuilder builder =
        new ProcessBuilder(arguments[0], arguments[1], "+RTS", "-I0", "-N2", "-RTS")
            .redirectError(ProcessBuilder.Redirect.INHERIT);
    builder.environment().put("GHC_DEBUG_SOCKET", socket.toString());
    try (StallBenchmark program = new StallBenchmark(builder.start())) {
      program.await("ready");
      for (int round = 0; round < Integer.parseInt(arguments[2]); round++) {
        program.gapMicros();
        Thread.sleep(500);
        System.out.printf("nothing           %9d us%n", program.gapMicros());
        for (PauseMode mode : PauseMode.values()) {
          program.measure(socket, mode);
        }
      }
    } finally {
      Files.deleteIfExists(socket);
      Files.delete(socket.getParent());
    }
  }

  private void measure(Path socket, PauseMode mode) throws IOException {
    Options options = new Options(mode, Duration.ofMinutes(1), null, null);
    long closures;
    gapMicros();
    long start = System.nanoTime();
    try (Debuggee debuggee = Debuggee.open(new TargetSpec.AtPath(socket), options)) {
      closures = debuggee.view(Work.UNATTENDED).tally(Work.UNATTENDED).totalCount();
      debuggee.notes().forEach(System.out::println);
    }
    long millis = (System.nanoTime() - start) / 1_000_000;
    System.out.printf(
        "%-5s whole census %9d us, analysed in %d ms, %d closures%n",
        mode, gapMicros(), millis, closures);
  }

  private long gapMicros() throws IOException {
    input.write('\n');
    input.flush();
    return Long.parseLong(await("gap=").substring("gap=".length()));
  }

  private String await(String start) throws IOException {
    String line;
    do {
      line = output.readLine();
      if (line == null) {
        throw new IOException("the program ended without saying " + start);
      }
    } while (!line.startsWith(start));
    return line;
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
