package org.ghcdebug.client.eventlog.export;

import java.io.IOException;
import java.io.UncheckedIOException;

/** Writes JSON piece by piece; the caller keeps the structure right. */
final class Json {
  private final Appendable out;

  Json(Appendable out) {
    this.out = out;
  }

  /** Appends text as it is. */
  Json raw(String text) {
    try {
      out.append(text);
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Appends a string literal. */
  Json string(String text) {
    StringBuilder literal = new StringBuilder(text.length() + 2).append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"' -> literal.append("\\\"");
        case '\\' -> literal.append("\\\\");
        case '\n' -> literal.append("\\n");
        case '\t' -> literal.append("\\t");
        case '\r' -> literal.append("\\r");
        default -> {
          if (c < ' ' || Character.isSurrogate(c) && !paired(text, i)) {
            literal.append("\\u%04x".formatted((int) c));
          } else {
            literal.append(c);
          }
        }
      }
    }
    return raw(literal.append('"').toString());
  }

  private static boolean paired(String text, int at) {
    return Character.isHighSurrogate(text.charAt(at))
        ? at + 1 < text.length() && Character.isLowSurrogate(text.charAt(at + 1))
        : at > 0 && Character.isHighSurrogate(text.charAt(at - 1));
  }

  /** Appends a key and its colon. */
  Json key(String name) {
    return string(name).raw(":");
  }
}
