package org.ghcdebug.repl.command;

/** Where a verb is used. */
public enum Form {
  /** Behind {@code ghc-debug}, with TARGET as its first positional parameter. */
  SUBCOMMAND,
  /** At the prompt or in a script, about the target attached to. */
  LINE
}
