package org.ghcdebug.repl.command;

import java.io.BufferedReader;
import java.io.OutputStream;
import java.util.List;
import java.util.Map;

/** What a command finds around it: standard streams, environment, terminal. */
public interface Host {
  Map<String, String> environment();

  /** Standard input, always the same reader, so that nothing read ahead is lost. */
  BufferedReader in();

  /** Takes answers, in UTF-8. */
  OutputStream out();

  /** Takes errors, warnings and progress, in UTF-8. */
  OutputStream err();

  boolean outIsTerminal();

  boolean errIsTerminal();

  /** Columns of the terminal that {@link #out} is. */
  int width();

  /** Lines of the terminal that {@link #out} is. */
  int height();

  /** Shows lines a screenful at a time; false when there is no pager to do it. */
  boolean page(List<String> lines);

  /** Runs a shell command on {@code input}; what it prints goes where {@link #out} goes. */
  void pipe(String shellCommand, byte[] input);
}
