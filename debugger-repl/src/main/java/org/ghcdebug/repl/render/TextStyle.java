package org.ghcdebug.repl.render;

import java.util.function.IntSupplier;

/**
 * How text is laid out.
 *
 * @param color whether escape sequences are written
 * @param width columns of the terminal, asked only when needed; 0 does not cut lines
 */
public record TextStyle(boolean color, IntSupplier width) {
  /** For files and pipes: never cut, no colors. */
  public static final TextStyle PLAIN = new TextStyle(false, () -> 0);

  String bold(String text) {
    return style("1", text);
  }

  String faint(String text) {
    return style("2", text);
  }

  /** A line of free text as a terminal may show it. */
  public String line(String text, Tint tint) {
    String safe = Values.printable(text.replace("\t", "    "));
    return tint == Tint.NONE ? safe : style(tint.code(), safe);
  }

  private String style(String code, String text) {
    return color && !text.isEmpty() ? "\033[" + code + "m" + text + "\033[0m" : text;
  }
}
