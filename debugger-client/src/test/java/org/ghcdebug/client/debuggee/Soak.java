package org.ghcdebug.client.debuggee;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Stream;
import org.ghcdebug.client.analysis.census.Census;
import org.ghcdebug.client.analysis.census.CensusKey;
import org.ghcdebug.client.work.Work;

/**
 * Attaches, takes a census and detaches, over and over in one process, and prints what both sides
 * hold: descriptors, threads, resident memory. A leak shows as a column that grows.
 *
 * <p>Arguments: the program's socket, its process id, cycles.
 */
public final class Soak {
  private static final int REPORTS = 10;

  private Soak() {}

  public static void main(String[] arguments) throws IOException {
    TargetSpec target = new TargetSpec.AtPath(Path.of(arguments[0]));
    long debuggee = Long.parseLong(arguments[1]);
    int cycles = Integer.parseInt(arguments[2]);
    long first = -1;
    for (int cycle = 1; cycle <= cycles; cycle++) {
      try (Debuggee program = Debuggee.open(target, Options.DEFAULT)) {
        HeapView view = program.view(Work.UNATTENDED);
        long total =
            Census.by(CensusKey.CONSTRUCTOR, view.heap(), view.tally(Work.UNATTENDED)).count();
        first = first < 0 ? total : first;
        if (Math.abs(total - first) > first / 10) {
          throw new IllegalStateException(total + " closures, " + first + " at first");
        }
      }
      if (cycle == 1 || cycle % Math.max(1, cycles / REPORTS) == 0) {
        System.out.printf(
            "%6d cycles  client: %s  debuggee: %s%n",
            cycle, held(ProcessHandle.current().pid()), held(debuggee));
      }
    }
  }

  private static String held(long pid) throws IOException {
    Path process = Path.of("/proc", Long.toString(pid));
    return String.format(
        Locale.ROOT,
        "%d descriptors, %d threads, %d MiB",
        count(process.resolve("fd")),
        count(process.resolve("task")),
        Long.parseLong(Files.readString(process.resolve("statm")).split(" ")[1]) >> 8);
  }

  private static long count(Path folder) throws IOException {
    try (Stream<Path> entries = Files.list(folder)) {
      return entries.count();
    }
  }
}
