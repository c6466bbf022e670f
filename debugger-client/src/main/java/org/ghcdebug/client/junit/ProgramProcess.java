package org.ghcdebug.client.junit;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.ghcdebug.client.debuggee.Debuggee;
import org.ghcdebug.client.debuggee.Options;
import org.ghcdebug.client.debuggee.TargetSpec;
import org.ghcdebug.protocol.error.CanceledException;
import org.ghcdebug.protocol.error.SourceUnavailableException;
import org.ghcdebug.protocol.error.TimeLimitException;
import org.jspecify.annotations.Nullable;

/** A program that was started, with what it prints. Thread-safe. */
final class ProgramProcess implements AutoCloseable {
  static final Duration MOMENT = Duration.ofSeconds(1);

  private static final Duration GRACE = Duration.ofSeconds(2);
  private static final Duration POLL = Duration.ofMillis(10);

  /** Lines that are kept, and those of them that are shown in a message. */
  private static final int MAX_LINES = 10_000;

  private static final int MAX_SHOWN_LINES = 30;

  /** A Unix socket's path has at most 107 bytes, and a temporary folder's can be long. */
  private static final Path SHORT_FOLDER = Path.of("/tmp");

  /**
   * How to start one.
   *
   * @param command executable and arguments
   * @param variables added to the environment
   * @param directory where it runs, {@code null} for that of the test
   * @param readyLine what it prints when it is ready, {@code null} if nothing
   */
  record Recipe(
      List<String> command,
      Map<String, String> variables,
      @Nullable Path directory,
      @Nullable String readyLine) {
    Recipe {
      command = List.copyOf(command);
      variables = Map.copyOf(variables);
    }

    static Recipe of(Path executable, List<String> arguments) {
      List<String> command = new ArrayList<>(List.of(executable.toString()));
      command.addAll(arguments);
      return new Recipe(command, Map.of(), null, null);
    }

    Recipe withReadyLine(String line) {
      return new Recipe(command, variables, directory, line);
    }

    Recipe withDirectory(Path other) {
      return new Recipe(command, variables, other, readyLine);
    }

    Recipe withVariable(String name, String value) {
      Map<String, String> more = new HashMap<>(variables);
      more.put(name, value);
      return new Recipe(command, more, directory, readyLine);
    }
  }

  private final Recipe recipe;
  private final Process process;
  private final Path folder;
  private final Thread killer;

  // Guarded by itself, as is what follows.
  private final ArrayDeque<String> lines = new ArrayDeque<>();
  private long dropped; // lines before the first one kept
  private long awaited; // lines up to the last one that was waited for
  private boolean silent; // its output has ended

  private ProgramProcess(Recipe recipe, Process process, Path folder) {
    this.recipe = recipe;
    this.process = process;
    this.folder = folder;
    this.killer = Thread.ofPlatform().unstarted(process::destroyForcibly);
    Runtime.getRuntime().addShutdownHook(killer);
    Thread.ofPlatform().daemon().name("output of " + this).start(this::readOutput);
  }

  static ProgramProcess start(Recipe recipe) {
    Path folder = null;
    try {
      folder =
          Files.isWritable(SHORT_FOLDER)
              ? Files.createTempDirectory(SHORT_FOLDER, "ghcd")
              : Files.createTempDirectory("ghcd");
      ProcessBuilder builder = new ProcessBuilder(recipe.command()).redirectErrorStream(true);
      builder.environment().put("GHC_DEBUG_SOCKET", socketIn(folder).toString());
      builder.environment().putAll(recipe.variables());
      if (recipe.directory() != null) {
        builder.directory(recipe.directory().toFile());
      }
      return new ProgramProcess(recipe, builder.start(), folder);
    } catch (IOException e) {
      if (folder != null) {
        remove(folder);
      }
      throw new SourceUnavailableException(
          recipe.command().getFirst(), "cannot be started: " + e.getMessage(), e);
    }
  }

  private static Path socketIn(Path folder) {
    return folder.resolve("s");
  }

  private void readOutput() {
    try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line; (line = reader.readLine()) != null; ) {
        take(line);
      }
    } catch (IOException e) {
      take("(its output cannot be read: " + e.getMessage() + ")");
    }
    synchronized (lines) {
      silent = true;
      lines.notifyAll();
    }
  }

  private void take(String line) {
    synchronized (lines) {
      lines.add(line);
      if (lines.size() > MAX_LINES) {
        lines.remove();
        dropped++;
      }
      lines.notifyAll();
    }
  }

  /** Waits for its line, if it prints one, and until it can be attached to. */
  Debuggee awaitReady(Options options) {
    long deadlineNanos = System.nanoTime() + options.timeout().toNanos();
    String line = recipe.readyLine();
    if (line != null) {
      awaitLine(line::equals, '"' + line + '"', options.timeout());
    }
    Path socket = socketIn(folder);
    String failure = "it made no socket";
    do {
      if (Files.exists(socket)) {
        try {
          return Debuggee.open(new TargetSpec.AtPath(socket), options);
        } catch (SourceUnavailableException e) {
          failure = e.getMessage(); // between bind and listen
        }
      }
      if (awaitEnd(POLL)) {
        throw ended("it could be attached to", null);
      }
    } while (System.nanoTime() - deadlineNanos < 0);
    throw new TimeLimitException(
        options.timeout(),
        "%s could not be attached to within %d ms (%s): is it linked with ghc-debuggee, with the"
                .formatted(this, options.timeout().toMillis(), failure)
            + " threaded RTS, and its main wrapped in withDebuggee?"
            + shownOutput());
  }

  String awaitLine(Predicate<String> wanted, String what, Duration timeout) {
    String[] found = new String[1];
    boolean inTime = await(() -> (found[0] = findLine(wanted)) != null || silent, timeout);
    if (found[0] != null) {
      return found[0];
    }
    if (!inTime) {
      throw new TimeLimitException(
          timeout,
          "%s did not print %s within %d ms%s"
              .formatted(this, what, timeout.toMillis(), shownOutput()));
    }
    if (!awaitEnd(MOMENT)) {
      throw new SourceUnavailableException(
          toString(), "closed its output before it printed " + what + shownOutput());
    }
    throw ended("it printed " + what, null);
  }

  /** Call with the lock. */
  private @Nullable String findLine(Predicate<String> wanted) {
    long number = dropped;
    for (String line : lines) {
      if (++number > awaited && wanted.test(line)) {
        awaited = number;
        return line;
      }
    }
    return null;
  }

  private boolean await(BooleanSupplier condition, Duration timeout) {
    long deadlineNanos = System.nanoTime() + timeout.toNanos();
    synchronized (lines) {
      while (!condition.getAsBoolean()) {
        long leftMillis = TimeUnit.NANOSECONDS.toMillis(deadlineNanos - System.nanoTime());
        if (leftMillis <= 0) {
          return false;
        }
        try {
          lines.wait(leftMillis);
        } catch (InterruptedException e) {
          throw interrupted();
        }
      }
      return true;
    }
  }

  private CanceledException interrupted() {
    Thread.currentThread().interrupt();
    return new CanceledException("waiting for " + this);
  }

  /** Whether it has ended by then. */
  boolean awaitEnd(Duration limit) {
    try {
      return process.waitFor(limit.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      throw interrupted();
    }
  }

  /** Says that it has ended, which it has. */
  SourceUnavailableException ended(String before, @Nullable Throwable cause) {
    try {
      await(() -> silent, MOMENT); // what it said last is what matters
    } catch (CanceledException _) {
      // Then without.
    }
    return new SourceUnavailableException(
        toString(),
        "ended with exit code %d before %s%s".formatted(process.exitValue(), before, shownOutput()),
        cause);
  }

  private String shownOutput() {
    List<String> all = output();
    if (all.isEmpty()) {
      return "; it printed nothing";
    }
    int from = Math.max(0, all.size() - MAX_SHOWN_LINES);
    String indented = "%n  ".formatted();
    return (from == 0 ? "; it printed:" : "; the last of what it printed:")
        + indented
        + String.join(indented, all.subList(from, all.size()));
  }

  List<String> output() {
    synchronized (lines) {
      return List.copyOf(lines);
    }
  }

  void send(String line) {
    OutputStream input = process.getOutputStream();
    try {
      input.write((line + "\n").getBytes(StandardCharsets.UTF_8));
      input.flush();
    } catch (IOException e) {
      if (awaitEnd(MOMENT)) {
        throw ended("\"" + line + "\" was sent to it", e);
      }
      throw new SourceUnavailableException(
          toString(), "does not read its input: " + e.getMessage() + shownOutput(), e);
    }
  }

  void endInput() {
    try {
      process.getOutputStream().close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Process process() {
    return process;
  }

  /** Asks it to end, kills it if it does not, and removes its folder. */
  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(GRACE.toMillis(), TimeUnit.MILLISECONDS)) {
        process.destroyForcibly().waitFor();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
    try {
      Runtime.getRuntime().removeShutdownHook(killer);
    } catch (IllegalStateException _) {
      // The hook is running.
    }
    remove(folder);
  }

  private static void remove(Path folder) {
    try {
      Files.deleteIfExists(socketIn(folder));
      Files.deleteIfExists(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** {@code server (pid 4711)}. */
  @Override
  public String toString() {
    Path file = Path.of(recipe.command().getFirst()).getFileName();
    return "%s (pid %d)".formatted(file, process.pid());
  }
}
