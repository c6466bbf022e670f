package org.ghcdebug.repl.render;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.ghcdebug.protocol.error.MalformedDataException;
import org.jspecify.annotations.Nullable;

/**
 * Reads back what this package writes as JSON: objects are maps, arrays lists, whole numbers {@link
 * Long}s, others {@link Double}s.
 */
public final class JsonReader {
  private static final int MAX_DEPTH = 100;

  private final String text;
  private final String where;
  private int at;
  private int depth;

  private JsonReader(String text, String where) {
    this.text = text;
    this.where = where;
  }

  /**
   * All values of a text, one behind the other, as in NDJSON; at least one.
   *
   * @param where names the text in errors
   * @throws MalformedDataException when it is no JSON
   */
  public static List<Object> readAll(String text, String where) {
    var reader = new JsonReader(text, where);
    var values = new ArrayList<Object>();
    do {
      Object value = reader.value();
      if (value == null) {
        throw reader.malformed("an object");
      }
      values.add(value);
      reader.skipBlanks();
    } while (reader.at < text.length());
    return values;
  }

  private @Nullable Object value() {
    skipBlanks();
    if (at == text.length() || ++depth > MAX_DEPTH) {
      throw malformed("a value");
    }
    Object value =
        switch (text.charAt(at)) {
          case '{' -> object();
          case '[' -> array();
          case '"' -> string();
          case 't' -> word("true", Boolean.TRUE);
          case 'f' -> word("false", Boolean.FALSE);
          case 'n' -> word("null", null);
          default -> number();
        };
    depth--;
    return value;
  }

  private Map<String, @Nullable Object> object() {
    var members = new LinkedHashMap<String, @Nullable Object>();
    at++;
    if (takes('}')) {
      return members;
    }
    do {
      skipBlanks();
      if (at == text.length() || text.charAt(at) != '"') {
        throw malformed("a key");
      }
      String key = string();
      require(':');
      members.put(key, value());
    } while (takes(','));
    require('}');
    return members;
  }

  private List<@Nullable Object> array() {
    var elements = new ArrayList<@Nullable Object>();
    at++;
    if (takes(']')) {
      return elements;
    }
    do {
      elements.add(value());
    } while (takes(','));
    require(']');
    return elements;
  }

  private String string() {
    var string = new StringBuilder();
    at++;
    while (at < text.length() && text.charAt(at) != '"') {
      char c = text.charAt(at++);
      string.append(c == '\\' ? escaped() : c);
    }
    if (at == text.length()) {
      throw malformed("the end of a string");
    }
    at++;
    return string.toString();
  }

  private char escaped() {
    char c = at < text.length() ? text.charAt(at++) : 0;
    return switch (c) {
      case '"', '\\', '/' -> c;
      case 'n' -> '\n';
      case 't' -> '\t';
      case 'r' -> '\r';
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'u' -> unicode();
      default -> throw malformed("an escape");
    };
  }

  private char unicode() {
    if (at + 4 > text.length() || !text.substring(at, at + 4).matches("[0-9a-fA-F]{4}")) {
      throw malformed("four hexadecimal digits");
    }
    char c = (char) Integer.parseInt(text.substring(at, at + 4), 16);
    at += 4;
    return c;
  }

  private @Nullable Object word(String word, @Nullable Object value) {
    if (!text.startsWith(word, at)) {
      throw malformed("a value");
    }
    at += word.length();
    return value;
  }

  private Object number() {
    int start = at;
    while (at < text.length() && "+-.0123456789eE".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
    String number = text.substring(start, at);
    try {
      return number.matches("-?[0-9]+") ? (Object) Long.valueOf(number) : Double.valueOf(number);
    } catch (NumberFormatException e) {
      at = start;
      throw malformed("a value");
    }
  }

  private boolean takes(char wanted) {
    skipBlanks();
    boolean takes = at < text.length() && text.charAt(at) == wanted;
    at += takes ? 1 : 0;
    return takes;
  }

  private void require(char wanted) {
    if (!takes(wanted)) {
      throw malformed(String.valueOf(wanted));
    }
  }

  private void skipBlanks() {
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
      at++;
    }
  }

  private MalformedDataException malformed(String expected) {
    String found = at < text.length() ? "\"" + text.charAt(at) + "\"" : "the end";
    return new MalformedDataException(
        where, at, "no JSON: found %s, expected %s".formatted(found, expected));
  }
}
