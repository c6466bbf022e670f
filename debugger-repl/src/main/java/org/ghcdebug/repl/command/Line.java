package org.ghcdebug.repl.command;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A line of the prompt or of a script, taken apart as a shell would.
 *
 * <p>Words are separated by blanks; {@code '…'} keeps everything, {@code "…"} all but {@code $} and
 * {@code \}; {@code \} keeps the next character. {@code $name}, {@code $1} and {@code $_} are
 * replaced and stay within their word. {@code #} at the start of a word begins a comment. {@code >
 * FILE} ends the line, and so does {@code | COMMAND}, which is left to the shell as it stands.
 *
 * @param words the verb and its arguments; empty for a blank line
 * @param redirect the file that answers go to
 * @param pipe the shell command that answers go to
 */
record Line(List<String> words, @Nullable String redirect, @Nullable String pipe) {
  Line {
    words = List.copyOf(words);
  }

  /**
   * @param variables gives the value of a variable's name
   * @throws UsageException when quotes or a redirection are not finished
   */
  static Line parse(String text, UnaryOperator<String> variables) {
    return new Parser(text, variables).line();
  }

  /** Words as text which {@link #parse} reads as the same words. */
  static String quote(List<String> words) {
    return String.join(
        " ",
        words.stream()
            .map(
                word ->
                    word.matches("[\\w./:@%+,=~^*-]+")
                        ? word
                        : "'" + word.replace("'", "'\\''") + "'")
            .toList());
  }

  private static final class Parser {
    private static final Pattern NUMBER = Pattern.compile("=?[0-9][0-9.]*([KMGT]?i?B)?");
    private final String text;
    private final UnaryOperator<String> variables;
    private final List<String> words = new ArrayList<>();
    private int at;

    Parser(String text, UnaryOperator<String> variables) {
      this.text = text;
      this.variables = variables;
    }

    Line line() {
      while (skipBlanks()) {
        switch (text.charAt(at)) {
          case '#' -> at = text.length();
          case '>' -> {
            at++;
            return new Line(words, file(), null);
          }
          case '|' -> {
            String command = text.substring(at + 1).strip();
            if (command.isEmpty()) {
              throw new UsageException("a shell command is expected behind |");
            }
            return new Line(words, null, command);
          }
          default -> words.add(word());
        }
      }
      return new Line(words, null, null);
    }

    private String file() {
      String file = skipBlanks() ? word() : "";
      if (file.isEmpty()) {
        throw new UsageException("a file is expected behind >");
      }
      if (NUMBER.matcher(file).matches()) {
        throw new UsageException(
            ("> sends the answer to a file, and %s is hardly one: quote comparisons, as in 'size >"
                    + " 1KiB'; or write > ./%s")
                .formatted(file, file));
      }
      if (skipBlanks() && text.charAt(at) != '#') {
        throw new UsageException(
            "> sends the answer to a file, and nothing is expected behind %s, found: %s; quote comparisons, as in 'size > 1KiB'"
                .formatted(file, text.substring(at)));
      }
      return file;
    }

    private boolean skipBlanks() {
      while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
        at++;
      }
      return at < text.length();
    }

    private String word() {
      var word = new StringBuilder();
      while (at < text.length()) {
        char c = text.charAt(at);
        if (Character.isWhitespace(c) || c == '>' || c == '|') {
          break;
        }
        at++;
        switch (c) {
          case '\'' -> word.append(quoted());
          case '"' -> doubleQuoted(word);
          case '\\' -> word.append(escaped());
          case '$' -> word.append(variable());
          default -> word.append(c);
        }
      }
      return word.toString();
    }

    private String quoted() {
      int end = text.indexOf('\'', at);
      if (end < 0) {
        throw new UsageException("a quote ' is not closed");
      }
      String inside = text.substring(at, end);
      at = end + 1;
      return inside;
    }

    private void doubleQuoted(StringBuilder word) {
      while (at < text.length()) {
        char c = text.charAt(at++);
        switch (c) {
          case '"' -> {
            return;
          }
          case '\\' -> word.append(escaped());
          case '$' -> word.append(variable());
          default -> word.append(c);
        }
      }
      throw new UsageException("a quote \" is not closed");
    }

    private char escaped() {
      if (at == text.length()) {
        throw new UsageException("a character is expected behind \\");
      }
      return text.charAt(at++);
    }

    private String variable() {
      int start = at;
      if (at < text.length() && Character.isDigit(text.charAt(at))) {
        while (at < text.length() && Character.isDigit(text.charAt(at))) {
          at++;
        }
      } else {
        while (at < text.length()
            && (Character.isLetterOrDigit(text.charAt(at)) || text.charAt(at) == '_')) {
          at++;
        }
      }
      return start == at ? "$" : variables.apply(text.substring(start, at));
    }
  }
}
