package org.ghcdebug.repl.command;

/** A verb behind which the prompt follows when it is used as a sub-command. */
public interface OpensPrompt extends Verb {
  /** What is run before the prompt opens. */
  ScriptOptions script();
}
