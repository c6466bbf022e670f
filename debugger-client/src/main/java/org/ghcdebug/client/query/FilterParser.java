package org.ghcdebug.client.query;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.ghcdebug.client.index.RootKind;
import org.ghcdebug.protocol.closure.ClosureType;
import org.jspecify.annotations.Nullable;

/**
 * Reads filters.
 *
 * <pre>
 *   condition  = conjunction { "or" conjunction }
 *   conjunction = negation { "and" negation }
 *   negation   = "not" negation | "(" condition ")" | FIELD OP value | name | thread
 *   name       = [ "&lt;" TYPE "&gt;" ] [ word | "type" NUMBER ] [ "(" POSITION ")" ]
 *   thread     = "thread" NUMBER [ '"' LABEL '"' ]
 *   value      = word | quoted | number [ unit ]
 * </pre>
 */
final class FilterParser {
  private static final Pattern POSITION = Pattern.compile("\\s*\\([^():=<>~]+:\\(?[0-9]");
  private static final Pattern IN_PARENTHESES = Pattern.compile("\\([,#|_]*\\)|\\(near \\S+\\)");

  /** What an operator's or a tuple's name follows: a module, or what the compiler adds, as $w. */
  private static final Pattern BEFORE_OPERATOR = Pattern.compile("(?:\\S*\\.)?(?:\\$\\w+)*");

  private static final String OPERATOR_CHARACTERS = "!#$%&*+./<=>?@\\^|-~:";
  private static final Pattern THREAD =
      Pattern.compile("thread [0-9]+(?: \".*?\")?(?=\\s|\\)|$)", Pattern.DOTALL);
  private static final Pattern UNKNOWN_TYPE = Pattern.compile("type [0-9]+(?=\\s|\\)|$)");
  private static final Pattern TYPE_NAME = Pattern.compile("<(\\w+)>");
  private static final Pattern ADDRESS = Pattern.compile("0x([0-9a-fA-F]{1,16})");
  private static final Pattern KEYWORD = Pattern.compile("and|or|not");

  /** What {@link Field#ROOT} is of closures that are alive only because others are. */
  static final String NO_ROOT = "none";

  private static final List<String> ROOTS =
      Stream.concat(Stream.of(RootKind.values()).map(FilterParser::word), Stream.of(NO_ROOT))
          .toList();

  private final String text;
  private int at;

  FilterParser(String text) {
    this.text = text;
  }

  Condition parse() {
    Condition condition = condition();
    if (!isAtEnd()) {
      throw expected("\"and\", \"or\" or the end");
    }
    return condition;
  }

  /** A kind of root as filters name it: {@code stable-pointer}. */
  static String word(RootKind kind) {
    return kind.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private Condition condition() {
    Condition left = conjunction();
    while (takeKeyword("or")) {
      left = new Condition.Or(left, conjunction());
    }
    return left;
  }

  private Condition conjunction() {
    Condition left = negation();
    while (takeKeyword("and")) {
      left = new Condition.And(left, negation());
    }
    return left;
  }

  private Condition negation() {
    if (takeKeyword("not")) {
      return new Condition.Not(negation());
    }
    if (isAtEnd()) {
      throw expected("a name such as Map.Bin, or a comparison such as size > 1KiB");
    }
    if (text.charAt(at) == '(' && !isNameInParentheses()) {
      at++;
      Condition inner = condition();
      if (isAtEnd() || text.charAt(at) != ')') {
        throw expected("\"and\", \"or\" or \")\"");
      }
      at++;
      return inner;
    }
    return comparisonOrName();
  }

  private Condition comparisonOrName() {
    int start = at;
    if (text.charAt(at) == '"' || text.charAt(at) == '\'') {
      return new Condition.Named(parseName(quoted(), start));
    }
    Matcher thread = THREAD.matcher(text).region(at, text.length());
    if (thread.lookingAt()) {
      at = thread.end();
      return new Condition.ThreadNamed(thread.group());
    }
    Matcher unknownType = UNKNOWN_TYPE.matcher(text).region(at, text.length());
    if (unknownType.lookingAt()) {
      at = unknownType.end();
      return new Condition.Named(parseName(unknownType.group(), start));
    }
    String type = takeType();
    boolean mayBeFieldOrName = type == null || !isAtEnd() && !isFollowedByKeyword();
    String word = mayBeFieldOrName ? word(type != null) : "";
    if (type == null) {
      Optional<Operator> operator = takeOperator();
      if (operator.isPresent()) {
        return comparison(word, start, operator.get());
      }
    }
    if (type == null && (word.isEmpty() || KEYWORD.matcher(word).matches())) {
      at = start;
      throw expected("a name such as Map.Bin, or a comparison such as size > 1KiB");
    }
    if (isPosition()) {
      at = closing(text.indexOf('(', at));
    }
    return new Condition.Named(parseName(text.substring(start, at).strip(), start));
  }

  private ClosureName parseName(String name, int start) {
    try {
      return ClosureName.parse(name);
    } catch (IllegalArgumentException e) {
      throw FilterException.at(text, start, String.valueOf(e.getMessage()));
    }
  }

  private @Nullable String takeType() {
    Matcher type = TYPE_NAME.matcher(text).region(at, text.length());
    if (!type.lookingAt()) {
      return null;
    }
    at = type.end();
    return type.group(1);
  }

  private boolean isFollowedByKeyword() {
    int start = at;
    boolean is = KEYWORD.matcher(word()).matches() && !isPosition();
    at = start;
    return is;
  }

  private boolean isPosition() {
    return POSITION.matcher(text).region(at, text.length()).lookingAt()
        && closing(text.indexOf('(', at)) > 0;
  }

  private Condition comparison(String word, int start, Operator operator) {
    int operatorAt = at - operator.toString().length();
    Field field =
        Field.find(word)
            .orElseThrow(
                () ->
                    FilterException.at(
                        text,
                        start,
                        (word.isEmpty() ? "no field" : "no field \"%s\"".formatted(word))
                            + "; the fields are "
                            + join(Stream.of(Field.values()))));
    if (!field.operators().contains(operator)) {
      throw FilterException.at(
          text,
          operatorAt,
          "%s cannot be compared by %s, only by %s"
              .formatted(field, operator, join(field.operators().stream())));
    }
    if (isAtEnd()) {
      throw expected("a value of " + field);
    }
    int valueAt = at;
    if (operator == Operator.MATCHES) {
      String expression = isQuote() ? quoted() : expression();
      return new Condition.Comparison(field, operator, expression, 0, pattern(expression, valueAt));
    }
    String given = isQuote() ? quoted() : word();
    if (given.isEmpty()) {
      throw expected("a value of " + field);
    }
    return new Condition.Comparison(field, operator, given, number(field, given, valueAt), null);
  }

  private static String join(Stream<?> choices) {
    return choices.map(Object::toString).collect(Collectors.joining(" "));
  }

  private long number(Field field, String given, int valueAt) {
    return switch (field.kind()) {
      case TEXT -> {
        if (field == Field.TYPE
            && Stream.of(ClosureType.values()).noneMatch(type -> isOfType(type, given))) {
          throw FilterException.at(
              text, valueAt, "no closure type \"%s\", such as THUNK or ARR_WORDS".formatted(given));
        }
        if (field == Field.ROOT && !ROOTS.contains(given)) {
          throw FilterException.at(
              text,
              valueAt,
              "no kind of root \"%s\"; expected one of %s".formatted(given, join(ROOTS.stream())));
        }
        yield 0;
      }
      case TEXT_OR_ADDRESS -> ADDRESS.matcher(given).matches() ? address(given, valueAt) : 0;
      case ADDRESS -> address(given, valueAt);
      case SIZE -> bytes(given, valueAt);
      case NUMBER -> {
        if (!given.matches("[0-9]{1,18}")) {
          throw FilterException.at(
              text, valueAt, "found \"%s\", expected a whole number".formatted(given));
        }
        yield Long.parseLong(given);
      }
    };
  }

  /** Whether a type is the one meant, or a variant of it: THUNK_1_0 is one of THUNK. */
  static boolean isOfType(ClosureType type, String given) {
    return type.name().equals(given)
        || type.name().startsWith(given + "_") && !given.equals(ClosureType.AP.name());
  }

  private long address(String given, int valueAt) {
    Matcher matcher = ADDRESS.matcher(given);
    if (!matcher.matches()) {
      throw FilterException.at(
          text,
          valueAt,
          "found \"%s\", expected an address: 0x and hexadecimal digits".formatted(given));
    }
    return Long.parseUnsignedLong(matcher.group(1), 16);
  }

  /** A size; its unit may be a word of its own. */
  private long bytes(String given, int valueAt) {
    String amount = given;
    int end = at;
    if (given.matches("[0-9.]+") && !isAtEnd()) {
      String unit = word();
      if (Sizes.UNITS.contains(unit)) {
        amount = given + unit;
      } else {
        at = end;
      }
    }
    try {
      return Sizes.parse(amount);
    } catch (IllegalArgumentException e) {
      throw FilterException.at(text, valueAt, String.valueOf(e.getMessage()));
    }
  }

  private Pattern pattern(String expression, int valueAt) {
    try {
      return Pattern.compile(expression);
    } catch (PatternSyntaxException e) {
      throw FilterException.at(
          text,
          valueAt,
          "\"%s\" is not a regular expression: %s".formatted(expression, e.getDescription()));
    }
  }

  private boolean isQuote() {
    return text.charAt(at) == '"' || text.charAt(at) == '\'';
  }

  private String quoted() {
    char quote = text.charAt(at);
    int end = text.indexOf(quote, at + 1);
    if (end < 0) {
      throw FilterException.at(text, at, "the quote %s is not closed".formatted(quote));
    }
    String inside = text.substring(at + 1, end);
    at = end + 1;
    return inside;
  }

  /** A regular expression without quotes: up to a blank or a parenthesis that it did not open. */
  private String expression() {
    int start = at;
    int open = 0;
    while (at < text.length() && !Character.isWhitespace(text.charAt(at))) {
      char c = text.charAt(at);
      open += c == '(' ? 1 : c == ')' ? -1 : 0;
      if (open < 0) {
        break;
      }
      at++;
    }
    return text.substring(start, at);
  }

  private String word() {
    return word(false);
  }

  /**
   * A word; empty where there is none.
   *
   * @param isName whether no comparison can start here
   */
  private String word(boolean isName) {
    skipBlanks();
    int start = at;
    boolean inOperator = false;
    while (at < text.length()) {
      char c = text.charAt(at);
      boolean startsPart = BEFORE_OPERATOR.matcher(text).region(start, at).matches();
      inOperator =
          OPERATOR_CHARACTERS.indexOf(c) >= 0
              && (inOperator || startsPart && (at > start || isName || c == ':'));
      if (startsPart && isNameInParentheses()) {
        at = closing(at);
      } else if (inOperator || isWordPart()) {
        at++;
      } else {
        break;
      }
    }
    return text.substring(start, at);
  }

  /** Behind the parenthesis that closes the one here; -1 when none does. */
  private int closing(int opening) {
    int open = 0;
    for (int i = opening; i < text.length(); i++) {
      open += text.charAt(i) == '(' ? 1 : text.charAt(i) == ')' ? -1 : 0;
      if (open == 0) {
        return i + 1;
      }
    }
    return -1;
  }

  private boolean isWordPart() {
    char c = text.charAt(at);
    return switch (c) {
      case '(', ')', '=', '<', '>', '~', '"' -> false;
      case '!' -> at + 1 == text.length() || text.charAt(at + 1) != '=';
      default -> !Character.isWhitespace(c);
    };
  }

  /** The constructors of tuples and unit, and what stands for code without a symbol of its own. */
  private boolean isNameInParentheses() {
    return IN_PARENTHESES.matcher(text).region(at, text.length()).lookingAt() && closing(at) > 0;
  }

  private Optional<Operator> takeOperator() {
    skipBlanks();
    return Stream.of(Operator.values())
        .filter(operator -> text.startsWith(operator.toString(), at))
        .max((a, b) -> a.toString().length() - b.toString().length())
        .map(
            operator -> {
              at += operator.toString().length();
              return operator;
            });
  }

  private boolean takeKeyword(String keyword) {
    skipBlanks();
    int start = at;
    if (word().equals(keyword)) {
      return true;
    }
    at = start;
    return false;
  }

  private boolean isAtEnd() {
    skipBlanks();
    return at == text.length();
  }

  private void skipBlanks() {
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
      at++;
    }
  }

  private FilterException expected(String what) {
    String found = "the end";
    if (!isAtEnd()) {
      int start = at;
      String word = word();
      found = "\"%s\"".formatted(word.isEmpty() ? String.valueOf(text.charAt(start)) : word);
      at = start;
    }
    return FilterException.at(text, at, "found %s, expected %s".formatted(found, what));
  }
}
