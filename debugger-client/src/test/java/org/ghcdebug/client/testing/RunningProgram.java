package org.ghcdebug.client.testing;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A Haskell program that has been started, with what it says: lines {@code key=value}, and {@code
 * ready} when it has come to rest and waits for a line on its stdin.
 *
 * <p>Its socket is in a fresh folder with a short path. Thread-safe. Closing kills it if it still
 * runs.
 */
public final class RunningProgram implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Process process;
  private final Path folder;
  private final Map<String, String> facts = new LinkedHashMap<>(); // guarded by itself
  private final List<String> output = new ArrayList<>(); // guarded by facts
  private boolean ready; // guarded by facts
  private boolean silent; // stdout has ended; guarded by facts

  private RunningProgram(Process process, Path folder) {
    this.process = process;
    this.folder = folder;
    Thread.ofPlatform().daemon().name("output of " + process.pid()).start(this::readOutput);
  }

  static RunningProgram start(
      Path executable, Map<String, String> environment, List<String> arguments) {
    try {
      Path folder = Files.createTempDirectory(Path.of("/tmp"), "ghcd");
      List<String> command = new ArrayList<>(List.of(executable.toString()));
      command.addAll(arguments);
      ProcessBuilder builder =
          new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
      builder.environment().put("GHC_DEBUG_SOCKET", folder.resolve("s").toString());
      builder.environment().putAll(environment);
      return new RunningProgram(builder.start(), folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void readOutput() {
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line; (line = reader.readLine()) != null; ) {
        take(line);
      }
    } catch (IOException e) {
      take(e.toString());
    }
    synchronized (facts) {
      silent = true;
      facts.notifyAll();
    }
  }

  private void take(String line) {
    synchronized (facts) {
      output.add(line);
      int equals = line.indexOf('=');
      if (equals > 0) {
        facts.put(line.substring(0, equals), line.substring(equals + 1));
      }
      ready |= line.equals("ready");
      facts.notifyAll();
    }
  }

  /** Where it listens, from the first fact on. */
  public Path socket() {
    return folder.resolve("s");
  }

  public Process process() {
    return process;
  }

  /** Returns this when the program has said {@code ready}. */
  public RunningProgram awaitReady() {
    await("ready", null);
    return this;
  }

  /** What the program said about {@code key}; waits until it has. */
  public String fact(String key) {
    return await(key, key);
  }

  /** The fact as a number. */
  public long number(String key) {
    return Long.parseLong(fact(key));
  }

  /** Waits until it has said that many lines like this. */
  public void awaitLines(String line, int count) {
    long deadlineNanos = System.nanoTime() + PATIENCE.toNanos();
    synchronized (facts) {
      while (Collections.frequency(output, line) < count) {
        long leftMillis = (deadlineNanos - System.nanoTime()) / 1_000_000;
        if (silent || leftMillis <= 0) {
          throw new AssertionError("expected %d times %s, but: %s".formatted(count, line, output));
        }
        try {
          facts.wait(leftMillis);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          throw new AssertionError("interrupted", e);
        }
      }
    }
  }

  /** All it said so far. */
  public Map<String, String> facts() {
    synchronized (facts) {
      return Map.copyOf(facts);
    }
  }

  /** All lines that it has written so far, on stdout and stderr. */
  public List<String> output() {
    synchronized (facts) {
      return List.copyOf(output);
    }
  }

  private String await(String what, @Nullable String key) {
    long deadlineNanos = System.nanoTime() + PATIENCE.toNanos();
    synchronized (facts) {
      while (key == null ? !ready : !facts.containsKey(key)) {
        long leftMillis = (deadlineNanos - System.nanoTime()) / 1_000_000;
        if (silent || leftMillis <= 0) {
          throw new AssertionError(
              "%s did not say \"%s\", but: %s"
                  .formatted(process.info().command().orElse("a program"), what, output));
        }
        try {
          facts.wait(leftMillis);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          throw new AssertionError("interrupted", e);
        }
      }
      return key == null ? "" : facts.getOrDefault(key, "");
    }
  }

  /** Sends a line to its stdin, for which it waits when it is ready. */
  public void goOn() {
    say("");
  }

  /** Sends a line to its stdin. */
  public void say(String line) {
    try {
      process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
      process.getOutputStream().flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Ends its stdin. */
  public void endInput() {
    try {
      process.getOutputStream().close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits until it has ended, and gives its exit code. */
  public int awaitExit() {
    try {
      if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        throw new AssertionError("still running after " + PATIENCE + "; it said " + facts());
      }
      return process.exitValue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }

  /** Kills it and removes its folder, where it ran, with what it left there. */
  @Override
  public void close() {
    process.destroyForcibly();
    awaitExit();
    try (Stream<Path> left = Files.list(folder)) {
      for (Path file : left.toList()) {
        Files.delete(file);
      }
      Files.delete(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
