package org.ghcdebug.repl.command;

import org.ghcdebug.repl.render.Shape;
import org.ghcdebug.repl.render.View;

/**
 * One thing that the debugger can do: the same as a sub-command, at the prompt and in scripts.
 *
 * <p>A verb is a class whose own options and positional parameters are picocli annotations on its
 * fields. The framework adds TARGET and the shared options that apply: those of format where the
 * shape has columns, those of rows where it is a table, those of pausing where a target is needed.
 * An instance runs once.
 */
public interface Verb {
  /** What the answers look like, {@link Shape#NOTHING} for none. */
  Shape<?, ?> shape();

  /**
   * Whether it needs a debuggee: as a sub-command it then takes TARGET first, elsewhere it uses the
   * one attached to.
   */
  boolean needsTarget();

  /** Whether what follows its first word is for another line, options included. */
  default boolean quotesLine() {
    return false;
  }

  /**
   * Does it.
   *
   * @throws UsageException when the arguments make no sense together
   * @throws org.ghcdebug.protocol.error.DebuggerException when the target fails
   */
  View<?, ?> run(Session session);
}
