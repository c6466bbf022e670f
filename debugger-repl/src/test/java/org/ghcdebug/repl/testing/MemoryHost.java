package org.ghcdebug.repl.testing;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.ghcdebug.repl.command.Host;

/** A dumb terminal, or no terminal, in memory. */
public final class MemoryHost implements Host {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final Map<String, String> environment = new HashMap<>(Map.of("TERM", "dumb"));
  private final List<List<String>> pages = new ArrayList<>();
  private BufferedReader in = new BufferedReader(new StringReader(""));
  private String problem = "";
  private boolean terminal;
  private int width;
  private int height = Integer.MAX_VALUE;

  /** Makes standard output a terminal of this size. */
  public MemoryHost withTerminal(int columns, int lines) {
    terminal = true;
    width = columns;
    height = lines;
    return this;
  }

  /** Sets an environment variable. */
  public MemoryHost with(String name, String value) {
    environment.put(name, value);
    return this;
  }

  /** Gives standard input. */
  public MemoryHost withInput(String text) {
    in = new BufferedReader(new StringReader(text));
    return this;
  }

  /** Makes writing to standard output fail from now on. */
  public void failWith(String message) {
    problem = message;
  }

  /** What was written to standard output since the last call. */
  public String takeOut() {
    return take(out);
  }

  /** What was written to standard error since the last call. */
  public String takeErr() {
    return take(err);
  }

  private static String take(ByteArrayOutputStream stream) {
    String text = stream.toString(StandardCharsets.UTF_8);
    stream.reset();
    return text;
  }

  /** What was paged. */
  public List<List<String>> pages() {
    return pages;
  }

  @Override
  public Map<String, String> environment() {
    return environment;
  }

  @Override
  public BufferedReader in() {
    return in;
  }

  @Override
  public OutputStream out() {
    return problem.isEmpty()
        ? out
        : new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException(problem);
          }
        };
  }

  @Override
  public OutputStream err() {
    return err;
  }

  @Override
  public boolean outIsTerminal() {
    return terminal;
  }

  @Override
  public boolean errIsTerminal() {
    return false;
  }

  @Override
  public int width() {
    return width;
  }

  @Override
  public int height() {
    return height;
  }

  @Override
  public boolean page(List<String> lines) {
    return pages.add(lines);
  }

  @Override
  public void pipe(String shellCommand, byte[] input) {
    try {
      Process process =
          new ProcessBuilder("/bin/sh", "-c", shellCommand).redirectErrorStream(true).start();
      try (var stdin = process.getOutputStream()) {
        stdin.write(input);
      }
      process.getInputStream().transferTo(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
