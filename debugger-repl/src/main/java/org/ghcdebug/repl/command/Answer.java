package org.ghcdebug.repl.command;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Map;
import java.util.function.Consumer;
import org.ghcdebug.protocol.error.IoReason;
import org.ghcdebug.protocol.error.SourceUnavailableException;
import org.ghcdebug.repl.render.Format;
import org.ghcdebug.repl.render.Rows;
import org.ghcdebug.repl.render.TargetLabel;
import org.ghcdebug.repl.render.TextStyle;
import org.ghcdebug.repl.render.View;
import org.ghcdebug.repl.render.ViewWriter;
import org.jspecify.annotations.Nullable;

/**
 * A view on its way to where it is wanted. It is cut to a terminal's width, paged and colored only
 * where it goes to a terminal.
 *
 * @param question the verb's arguments by name
 * @param target null for verbs without one
 */
record Answer(
    View<?, ?> view,
    Format format,
    CommonOptions options,
    Map<String, String> question,
    @Nullable TargetLabel target,
    Host host) {
  /**
   * False when nobody reads standard output any more, {@code head} for instance having had enough.
   *
   * @throws SourceUnavailableException when it cannot be written for another reason
   */
  boolean toStandardOutput() {
    boolean terminal = host.outIsTerminal();
    try (var lines = new LineOutput(host.out(), !(view.rows() instanceof Rows.Listed))) {
      if (terminal
          && format == Format.TEXT
          && !options.noPager
          && view.rows() instanceof Rows.Listed) {
        var page = new ArrayList<String>();
        write(true, page::add);
        if (page.size() < host.height() || !host.page(page)) {
          page.forEach(lines);
        }
      } else {
        write(terminal, lines);
      }
      return true;
    } catch (LineOutput.ClosedException e) {
      if (IoReason.of(e.cause()).contains("Broken pipe")) {
        return false;
      }
      throw unwritable("standard output", e.cause());
    }
  }

  /**
   * @throws SourceUnavailableException when it cannot be written
   */
  void toFile(Path file) {
    try (var stream = Files.newOutputStream(file);
        var lines = new LineOutput(stream, false)) {
      write(false, lines);
    } catch (LineOutput.ClosedException e) {
      throw unwritable(file.toString(), e.cause());
    } catch (IOException e) {
      throw unwritable(file.toString(), e);
    }
  }

  private static SourceUnavailableException unwritable(String where, IOException e) {
    return new SourceUnavailableException(
        where, "cannot be written (%s); write to another file".formatted(IoReason.of(e)), e);
  }

  /** How text is laid out where it goes to a terminal or not. */
  static TextStyle style(CommonOptions options, Host host, boolean terminal) {
    boolean color =
        switch (options.color) {
          case ALWAYS -> true;
          case NEVER -> false;
          case AUTO ->
              terminal
                  && host.environment().getOrDefault("NO_COLOR", "").isEmpty()
                  && !"dumb".equals(host.environment().get("TERM"));
        };
    return new TextStyle(color, terminal ? host::width : () -> 0);
  }

  /** Through a shell command. */
  void toShell(String command) {
    var bytes = new ByteArrayOutputStream();
    try (var lines = new LineOutput(bytes, false)) {
      write(false, lines);
    }
    host.pipe(command, bytes.toByteArray());
  }

  private void write(boolean terminal, Consumer<String> lines) {
    TextStyle style = style(options, host, terminal);
    ViewWriter.of(format, style, question).write(view, target, lines);
  }
}
