package org.ghcdebug.repl.render;

/** How a line of text stands out on a terminal that has colors. */
public enum Tint {
  NONE(""),
  FAINT("2"),
  GREEN("32"),
  YELLOW("33"),
  MAGENTA("35"),
  CYAN("36");

  private final String code;

  Tint(String code) {
    this.code = code;
  }

  /** The number of ECMA-48's "select graphic rendition"; empty for none. */
  String code() {
    return code;
  }
}
