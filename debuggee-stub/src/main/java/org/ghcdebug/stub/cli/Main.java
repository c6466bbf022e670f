package org.ghcdebug.stub.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.ghcdebug.protocol.error.DebuggerException;
import org.ghcdebug.protocol.target.GhcVersion;
import org.ghcdebug.protocol.target.ProfilingMode;
import org.ghcdebug.protocol.target.Target;
import org.ghcdebug.stub.heap.RandomHeap;
import org.ghcdebug.stub.heap.StubHeap;
import org.ghcdebug.stub.server.Recordings;
import org.ghcdebug.stub.server.StubServer;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Serves a recorded or a made-up heap. */
@Command(
    name = "debuggee-stub",
    description = "Pretends to be a Haskell program with a debug socket.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND")
public final class Main {
  private static final int FAILED = 1;

  private Main() {}

  /** Runs until it is stopped by a signal. */
  public static void main(String[] arguments) {
    System.exit(
        execute(new PrintWriter(System.out, true), new PrintWriter(System.err, true), arguments));
  }

  /**
   * Runs until its thread is interrupted.
   *
   * @return the exit code: 0, 1 when it failed, 2 for wrong arguments
   */
  static int execute(PrintWriter out, PrintWriter err, String... arguments) {
    return new CommandLine(new Main())
        .addSubcommand(new Serve())
        .addSubcommand(new Made())
        .setOut(out)
        .setErr(err)
        .setExecutionExceptionHandler(Main::report)
        .execute(arguments);
  }

  private static int report(Exception failure, CommandLine command, CommandLine.ParseResult parsed)
      throws Exception {
    if (!(failure instanceof IOException || failure instanceof DebuggerException)) {
      throw failure;
    }
    command.getErr().println("debuggee-stub: " + failure.getMessage());
    return FAILED;
  }

  /** What both commands do with their heap. */
  private abstract static class Serving implements Callable<Integer> {
    @Spec private CommandSpec spec;

    @Option(
        names = "--socket",
        required = true,
        paramLabel = "PATH",
        description = "Where to listen; a socket that is there is replaced.")
    private Path socket;

    abstract StubHeap heap() throws IOException;

    @Override
    public Integer call() throws IOException {
      try (var server = new StubServer(heap(), socket)) {
        Runtime.getRuntime().addShutdownHook(new Thread(server::close));
        PrintWriter out = spec.commandLine().getOut();
        out.println("serving on " + socket);
        out.flush();
        Thread.sleep(Long.MAX_VALUE);
      } catch (InterruptedException _) {
        // Asked to stop.
      }
      return 0;
    }
  }

  @Command(name = "serve", description = "Serves a recorded heap.")
  private static final class Serve extends Serving {
    @Parameters(
        paramLabel = "FILE",
        description = "A snapshot of the reference client, maybe compressed by gzip.")
    private Path file;

    @Override
    StubHeap heap() throws IOException {
      return Recordings.load(file);
    }
  }

  @Command(name = "random", description = "Serves a made-up heap of all kinds of closures.")
  private static final class Made extends Serving {
    @Option(
        names = "--ghc",
        paramLabel = "N",
        defaultValue = "906",
        description = "__GLASGOW_HASKELL__ of the compiler (default: ${DEFAULT-VALUE}).")
    private int series;

    @Option(names = "--profiled", description = "Closures have profiling headers.")
    private boolean profiled;

    @Option(
        names = "--closures",
        paramLabel = "N",
        defaultValue = "1000",
        description = "How many there are at least (default: ${DEFAULT-VALUE}).")
    private int closures;

    @Option(
        names = "--seed",
        paramLabel = "N",
        defaultValue = "1",
        description = "Of the random numbers (default: ${DEFAULT-VALUE}).")
    private long seed;

    @Override
    StubHeap heap() {
      var target =
          new Target(
              new GhcVersion(series, 1), profiled ? ProfilingMode.PROFILED : ProfilingMode.VANILLA);
      return RandomHeap.of(target, seed, closures);
    }
  }
}
