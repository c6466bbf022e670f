package org.ghcdebug.repl.shell;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.ghcdebug.repl.command.Interpreter;
import org.ghcdebug.repl.command.Prompt;
import org.ghcdebug.repl.command.Session;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.UserInterruptException;
import org.jline.reader.impl.DefaultParser;
import org.jline.terminal.Terminal;

/** The prompt: reads lines with history and completion, until Ctrl-D or {@code quit}. */
public final class Shell {
  private final Session session;
  private final Terminal terminal;

  public Shell(Session session, Terminal terminal) {
    this.session = session;
    this.terminal = terminal;
  }

  /** Reads and runs lines. Ctrl-C stops the verb that runs, or takes back the line being typed. */
  public void run() {
    Interpreter interpreter = session.interpreter();
    LineReader reader = reader();
    session.usePrompt(new TerminalPrompt(reader));
    terminal.handle(Terminal.Signal.INT, signal -> session.interruptLine());
    while (!session.isLeaving()) {
      try {
        String prompt = session.prompt() + "> ";
        session.beginLine();
        String line = reader.readLine(prompt);
        // Ctrl-C just behind the line: the reader has interrupted this thread, too late for itself.
        if (!Thread.interrupted()) {
          interpreter.runLine(line);
        }
      } catch (UserInterruptException e) {
        // The line is taken back; a new one follows.
        continue;
      } catch (EndOfFileException e) {
        return;
      }
    }
  }

  private record TerminalPrompt(LineReader reader) implements Prompt {
    @Override
    public boolean isReading() {
      return reader.isReading();
    }

    @Override
    public void printAbove(String text) {
      reader.printAbove(text);
    }
  }

  private LineReader reader() {
    // `!` stands in names of operators and must not recall lines; a quote left open is an error.
    var parser = new DefaultParser();
    parser.setEofOnUnclosedQuote(false);
    parser.setEofOnEscapedNewLine(false);
    var builder =
        LineReaderBuilder.builder()
            .appName("ghc-debug")
            .terminal(terminal)
            .parser(parser)
            .completer(new LineCompleter(session))
            .option(LineReader.Option.DISABLE_EVENT_EXPANSION, true)
            .option(LineReader.Option.HISTORY_TIMESTAMPED, false)
            .option(LineReader.Option.CASE_INSENSITIVE, false);
    findHistoryFile(session.host().environment())
        .ifPresent(file -> builder.variable(LineReader.HISTORY_FILE, file));
    return builder.build();
  }

  /** Where lines are remembered, in the folder that XDG's rules give; none without a home. */
  private static Optional<Path> findHistoryFile(Map<String, String> environment) {
    String state = environment.getOrDefault("XDG_STATE_HOME", "");
    String home = environment.getOrDefault("HOME", "");
    if (state.isEmpty() && home.isEmpty()) {
      return Optional.empty();
    }
    Path folder =
        (state.isEmpty() ? Path.of(home, ".local", "state") : Path.of(state)).resolve("ghc-debug");
    try {
      Files.createDirectories(folder);
      return Optional.of(folder.resolve("history"));
    } catch (IOException e) {
      // A home that cannot be written, as in containers, costs the history and nothing else.
      return Optional.empty();
    }
  }
}
