package org.ghcdebug.repl.command;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.ghcdebug.client.debuggee.Debuggee;
import org.ghcdebug.client.debuggee.Options;
import org.ghcdebug.client.debuggee.TargetSpec;
import org.ghcdebug.protocol.error.SourceUnavailableException;
import org.ghcdebug.repl.render.TargetLabel;
import org.jspecify.annotations.Nullable;

/**
 * A debuggee that was opened, and what has to be closed behind it.
 *
 * @param text as the user wrote the target
 * @param demo the server of the demo, when that is the target
 */
record Attachment(String text, Debuggee debuggee, @Nullable DemoDebuggee demo)
    implements AutoCloseable {
  /**
   * @throws UsageException when the text is no target
   * @throws org.ghcdebug.protocol.error.DebuggerException when it cannot be opened
   */
  static Attachment open(String text, Options options) {
    TargetSpec spec = parse(text);
    if (spec instanceof TargetSpec.AtPath(Path path) && Files.isDirectory(path)) {
      throw new SourceUnavailableException(
          text, "is a folder; expected the socket of a live program, or a snapshot file");
    }
    if (!(spec instanceof TargetSpec.Demo)) {
      return new Attachment(text, Debuggee.open(spec, options), null);
    }
    DemoDebuggee demo = DemoDebuggee.start();
    try {
      return new Attachment(
          text, Debuggee.open(new TargetSpec.AtPath(demo.socket()), options), demo);
    } catch (RuntimeException e) {
      demo.close();
      throw e;
    }
  }

  private static TargetSpec parse(String text) {
    try {
      return TargetSpec.parse(text);
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    }
  }

  TargetLabel label() {
    return new TargetLabel(
        text,
        debuggee.name(),
        debuggee.isLive() ? "live" : "recorded",
        debuggee.target().ghc().toString(),
        debuggee.target().profiling().name().toLowerCase(Locale.ROOT).replace('_', ' '),
        debuggee.findTakenAt().orElse(null));
  }

  /** Resumes the program if it was paused. */
  @Override
  public void close() {
    debuggee.close();
    if (demo != null) {
      demo.close();
    }
  }
}
