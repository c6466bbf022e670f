package org.ghcdebug.repl.command;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;
import org.ghcdebug.protocol.error.CanceledException;
import org.ghcdebug.protocol.error.DebuggerException;
import org.ghcdebug.protocol.error.IoReason;
import org.ghcdebug.protocol.error.SourceUnavailableException;
import org.ghcdebug.protocol.error.TimeLimitException;
import org.ghcdebug.repl.render.Format;
import org.ghcdebug.repl.render.Selection;
import org.ghcdebug.repl.render.Summary;
import org.ghcdebug.repl.render.Values;
import org.ghcdebug.repl.render.View;
import org.jspecify.annotations.Nullable;

/**
 * Runs verbs in their three forms: understands, runs, writes the answer, and turns every failure
 * into one line on standard error and an exit code. Used by one thread.
 */
public final class Interpreter {
  private final Session session;
  private final Host host;

  /** Where the current line is, as {@code script:3: }; empty at the prompt. */
  private String place = "";

  Interpreter(Session session) {
    this.session = session;
    this.host = session.host();
  }

  /**
   * Runs a sub-command.
   *
   * @param prompt opens the prompt, behind verbs that do so, and gives its exit code
   */
  public int runSubcommand(List<String> arguments, ToIntFunction<ScriptOptions> prompt) {
    int verbosity = 0;
    try {
      var invocation =
          Invocation.parse(
              session.registry(),
              Form.SUBCOMMAND,
              verbFirst(arguments),
              session.findDefaultTarget().isPresent());
      verbosity = invocation.model().common().verbosity();
      int code = run(invocation, null);
      return code == ExitCode.OK && invocation.verb() instanceof OpensPrompt opener
          ? prompt.applyAsInt(opener.script())
          : code;
    } catch (RuntimeException | OutOfMemoryError e) {
      return report(e, verbosity);
    }
  }

  /** {@code --help} and {@code --version}, which every program has, are verbs here. */
  private static List<String> verbFirst(List<String> arguments) {
    if (arguments.isEmpty()) {
      throw new UsageException("a verb is expected; \"ghc-debug help\" lists them");
    }
    String verb =
        switch (arguments.getFirst()) {
          case "--help", "-h" -> "help";
          case "--version", "-V" -> "version";
          default -> arguments.getFirst();
        };
    return Stream.concat(Stream.of(verb), arguments.stream().skip(1)).toList();
  }

  /** Runs a line of the prompt or of a script. */
  public int runLine(String text) {
    int verbosity = 0;
    try {
      var line = Line.parse(expandAlias(text, new HashSet<>()), session.variables()::get);
      if (line.words().isEmpty()) {
        return ExitCode.OK;
      }
      var invocation = Invocation.parse(session.registry(), Form.LINE, line.words(), false);
      verbosity = invocation.model().common().verbosity();
      return run(invocation, line);
    } catch (RuntimeException | OutOfMemoryError e) {
      return report(e, verbosity);
    }
  }

  /** Puts an alias's text in place of the first word, each alias at most once. */
  private String expandAlias(String text, Set<String> expanded) {
    String stripped = text.strip();
    int end = 0;
    while (end < stripped.length() && !Character.isWhitespace(stripped.charAt(end))) {
      end++;
    }
    String word = stripped.substring(0, end);
    String alias = session.aliases().get(word);
    return alias == null || !expanded.add(word)
        ? text
        : expandAlias(alias + stripped.substring(end), expanded);
  }

  /**
   * Runs the lines that {@code options} name, commands before files.
   *
   * @return the exit code of the first line that failed
   */
  public int runScripts(ScriptOptions options) {
    int code = ExitCode.OK;
    for (String command : options.commands) {
      code = first(code, runLine(command));
      if (stops(code, options.keepGoing)) {
        return code;
      }
    }
    for (Path file : options.files) {
      code = first(code, runFile(file, options.keepGoing));
      if (stops(code, options.keepGoing)) {
        return code;
      }
    }
    return code;
  }

  /**
   * Runs a script; {@code -} is standard input.
   *
   * @return the exit code of the first line that failed
   * @throws SourceUnavailableException when the file cannot be read
   */
  public int runFile(Path file, boolean keepGoing) {
    if (file.toString().equals("-")) {
      return runLines(host.in(), "standard input", keepGoing);
    }
    try (var reader = Files.newBufferedReader(file)) {
      return runLines(reader, file.toString(), keepGoing);
    } catch (IOException e) {
      throw unreadable(file.toString(), e);
    }
  }

  /**
   * Runs each line that {@code reader} has.
   *
   * @param name tells where a failing line is
   */
  public int runLines(BufferedReader reader, String name, boolean keepGoing) {
    String outer = place;
    int code = ExitCode.OK;
    int number = 0;
    try {
      String line = reader.readLine();
      while (line != null && !session.isLeaving() && !stops(code, keepGoing)) {
        place = "%s:%d: ".formatted(name, ++number);
        code = first(code, runLine(line));
        line = reader.readLine();
      }
      return code;
    } catch (IOException e) {
      throw unreadable(name, e);
    } finally {
      place = outer;
    }
  }

  private static boolean stops(int code, boolean keepGoing) {
    return code == ExitCode.INTERRUPTED || code != ExitCode.OK && !keepGoing;
  }

  private static int first(int code, int next) {
    return code == ExitCode.OK ? next : code;
  }

  private static SourceUnavailableException unreadable(String name, IOException e) {
    return new SourceUnavailableException(
        name, "cannot be read (%s); expected a script in UTF-8".formatted(IoReason.of(e)), e);
  }

  /**
   * @param line where the answer of a line goes; null for a sub-command
   */
  private int run(Invocation invocation, @Nullable Line line) {
    VerbModel model = invocation.model();
    CommonOptions common = model.common();
    Verb verb = invocation.verb();
    var timeout = model.connect() == null ? null : model.connect().timeout;
    var progress = new Progress(model.registration().name(), display(common), timeout, this::err);
    session.begin(progress, model.connect(), Answer.style(common, host, host.outIsTerminal()));
    try {
      progress.checkStopped();
      if (verb.needsTarget() && line == null) {
        session.attach(invocation.target().or(session::findDefaultTarget).orElseThrow());
      }
      int code = answer(verb, model, line, progress);
      return verb instanceof OpensPrompt opener ? first(code, runScripts(opener.script())) : code;
    } catch (CanceledException anywhere) {
      session.resumeAfterCancel();
      throw new CanceledException(model.registration().name());
    } catch (SourceUnavailableException e) {
      // When the process is to end, sources are closed under the verb, which resumes the debuggee.
      throw progress.isCanceled() ? new CanceledException(model.registration().name()) : e;
    } finally {
      progress.end();
      session.end();
    }
  }

  private Progress.Display display(CommonOptions common) {
    return switch (common.progress) {
      case JSON -> Progress.Display.JSON;
      case NEVER -> Progress.Display.NONE;
      case AUTO ->
          host.errIsTerminal() && !common.quiet ? Progress.Display.LINE : Progress.Display.NONE;
    };
  }

  private int answer(Verb verb, VerbModel model, @Nullable Line line, Progress progress) {
    // Before the verb runs, so that nothing is done in vain.
    Format format = model.format() == null ? Format.TEXT : model.format().format();
    Selection selection =
        model.rows() == null ? Selection.ALL : model.rows().selection(verb.shape());
    View<?, ?> view = selection.applyTo(verb.run(session));
    boolean aboutTarget = verb.needsTarget() || verb instanceof OpensPrompt;
    if (aboutTarget) {
      view = withWarnings(view);
    }
    progress.end();
    view = session.variables().learning(view);
    var label = aboutTarget ? session.findTargetLabel().orElse(null) : null;
    write(new Answer(view, format, model.common(), model.question(), label, host), model, line);
    Summary<?> summary = view.summary().get();
    if (!model.common().quiet) {
      summary.warnings().forEach(warning -> err("warning: " + oneLine(warning) + "\n"));
    }
    return summary.exitCode();
  }

  /** A view that also says what is missing from what it was made from, and how that was read. */
  private <R, T> View<R, T> withWarnings(View<R, T> view) {
    return new View<>(
        view.shape(),
        view.rows(),
        () ->
            view.summary()
                .get()
                .withDamage(session.warnings(), ExitCode.DAMAGED)
                .withNotes(session.notes()));
  }

  private void write(Answer answer, VerbModel model, @Nullable Line line) {
    if (model.output() != null && model.output().output != null) {
      answer.toFile(model.output().output);
    } else if (line != null && line.redirect() != null) {
      answer.toFile(Path.of(line.redirect()));
    } else if (line != null && line.pipe() != null) {
      answer.toShell(line.pipe());
    } else if (!answer.toStandardOutput()) {
      session.leave();
    }
  }

  /** Tells a failure in one line, and what the process ends with because of it. */
  private int report(Throwable failure, int verbosity) {
    int code = ExitCode.of(failure);
    String problem =
        switch (failure) {
          case TimeLimitException e when session.findOtherHolder().isPresent() ->
              "%s; %s holds the program: end its pause (resume), or close it"
                  .formatted(e.getMessage(), session.findOtherHolder().get());
          case CanceledException e when session.isLive() -> e.getMessage() + "; the debuggee runs";
          case DebuggerException e -> e.getMessage();
          case UsageException e -> e.getMessage();
          case OutOfMemoryError e ->
              "out of memory (%s of heap); give more, for instance GHC_DEBUG_JAVA_OPTIONS=-Xmx8g"
                  .formatted(Values.bytes(Runtime.getRuntime().maxMemory()));
          default ->
              "fault in ghc-debug itself: %s; run it with -vv and report what it prints"
                  .formatted(failure);
        };
    err("error: " + place + oneLine(String.valueOf(problem)) + "\n");
    if (verbosity > 1) {
      var trace = new StringWriter();
      failure.printStackTrace(new PrintWriter(trace));
      err(trace.toString());
    }
    return code;
  }

  private static String oneLine(String text) {
    return Values.printable(text.strip().replaceAll("\\s*\\R\\s*", " "));
  }

  private void err(String text) {
    try {
      host.err().write(text.getBytes(StandardCharsets.UTF_8));
      host.err().flush();
    } catch (IOException e) {
      // There is nowhere left to tell it.
      return;
    }
  }
}
