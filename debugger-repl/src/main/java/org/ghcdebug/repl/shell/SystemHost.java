package org.ghcdebug.repl.shell;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.ghcdebug.repl.command.Host;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.jspecify.annotations.Nullable;

/** This process: its environment, standard streams and terminal. */
public final class SystemHost implements Host {
  private static final int COMMAND_NOT_FOUND = 127;

  private final OutputStream out = new FileOutputStream(FileDescriptor.out);
  private final OutputStream err = new FileOutputStream(FileDescriptor.err);
  private @Nullable BufferedReader in;
  private @Nullable Terminal terminal;

  @Override
  public Map<String, String> environment() {
    return System.getenv();
  }

  @Override
  public BufferedReader in() {
    if (in == null) {
      in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    }
    return in;
  }

  @Override
  public OutputStream out() {
    return out;
  }

  @Override
  public OutputStream err() {
    return err;
  }

  /** Whether lines are typed at a terminal. */
  public boolean inIsTerminal() {
    return isTerminal(0);
  }

  @Override
  public boolean outIsTerminal() {
    return isTerminal(1);
  }

  @Override
  public boolean errIsTerminal() {
    return isTerminal(2);
  }

  /** Asking the kernel's file system takes microseconds; loading a terminal library does not. */
  private static boolean isTerminal(int descriptor) {
    try {
      String file = Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor)).toString();
      return file.startsWith("/dev/pts/")
          || file.startsWith("/dev/tty")
          || file.equals("/dev/console");
    } catch (IOException e) {
      // No /proc, as on macOS: the JDK knows only whether all standard streams are terminals.
      var console = System.console();
      return console != null && console.isTerminal();
    }
  }

  /** The terminal; opened at the first call. */
  public Terminal terminal() {
    if (terminal == null) {
      try {
        terminal = TerminalBuilder.builder().system(true).dumb(true).build();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return terminal;
  }

  @Override
  public int width() {
    return terminal().getWidth();
  }

  @Override
  public int height() {
    int height = terminal().getHeight();
    return height > 0 ? height : Integer.MAX_VALUE;
  }

  @Override
  public boolean page(List<String> lines) {
    var environment = environment();
    String pager =
        environment.getOrDefault("GHC_DEBUG_PAGER", environment.getOrDefault("PAGER", "less"));
    if (pager.isBlank() || pager.equals("cat")) {
      return false;
    }
    byte[] text = (String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8);
    return run(pager, text) != COMMAND_NOT_FOUND;
  }

  @Override
  public void pipe(String shellCommand, byte[] input) {
    run(shellCommand, input);
  }

  private static int run(String shellCommand, byte[] input) {
    var builder =
        new ProcessBuilder("/bin/sh", "-c", shellCommand)
            .redirectOutput(ProcessBuilder.Redirect.INHERIT)
            .redirectError(ProcessBuilder.Redirect.INHERIT);
    // As git does: quit if one screen is enough, let colors through, leave the text there.
    builder.environment().putIfAbsent("LESS", "FRX");
    try {
      Process process = builder.start();
      try (var stdin = process.getOutputStream()) {
        stdin.write(input);
      } catch (IOException e) {
        // It has read all it wants.
      }
      return process.waitFor();
    } catch (IOException e) {
      return COMMAND_NOT_FOUND;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return 0;
    }
  }
}
