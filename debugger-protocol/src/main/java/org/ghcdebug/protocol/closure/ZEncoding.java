package org.ghcdebug.protocol.closure;

/** GHC's encoding of names in symbols (GHC.Utils.Encoding). */
final class ZEncoding {
  private static final String LOWER_CODES = "abcdeghilmnpqrstuvxz";
  private static final String LOWER_MEANINGS = "&|^$=>#.<-!+'\\/*_%xz";
  private static final String UPPER_CODES = "LRMNCZ";
  private static final String UPPER_MEANINGS = "()[]:Z";

  private ZEncoding() {}

  /** Decodes; what is no valid code stays as it is. */
  static String decode(String encoded) {
    StringBuilder out = new StringBuilder();
    int at = 0;
    while (at < encoded.length()) {
      int next = decodeOne(encoded, at, out);
      if (next == at) {
        out.append(encoded.charAt(at));
        next++;
      }
      at = next;
    }
    return out.toString();
  }

  /** Where the code there ends, which has been decoded; {@code at} when there is none. */
  private static int decodeOne(String encoded, int at, StringBuilder out) {
    char first = encoded.charAt(at);
    if (first != 'z' && first != 'Z' || at + 1 == encoded.length()) {
      return at;
    }
    char second = encoded.charAt(at + 1);
    int meaning = (first == 'z' ? LOWER_CODES : UPPER_CODES).indexOf(second);
    if (meaning >= 0) {
      out.append((first == 'z' ? LOWER_MEANINGS : UPPER_MEANINGS).charAt(meaning));
      return at + 2;
    }
    return first == 'z' ? decodeCharacter(encoded, at, out) : decodeTuple(encoded, at, out);
  }

  /** {@code z} hexadecimal digits, the first of them a decimal one, {@code U}. */
  private static int decodeCharacter(String encoded, int at, StringBuilder out) {
    int end = at + 1;
    while (end < encoded.length() && Character.digit(encoded.charAt(end), 16) >= 0) {
      end++;
    }
    boolean isNumber = end < encoded.length() && encoded.charAt(end) == 'U' && end - at <= 7;
    if (!isNumber || end == at + 1) {
      return at;
    }
    int codePoint = Integer.parseInt(encoded, at + 1, end, 16);
    if (!Character.isDigit(encoded.charAt(at + 1)) || !Character.isValidCodePoint(codePoint)) {
      return at;
    }
    out.appendCodePoint(codePoint);
    return end + 1;
  }

  /** {@code Z} arity {@code T}, or {@code H} for an unboxed tuple. */
  private static int decodeTuple(String encoded, int at, StringBuilder out) {
    int end = at + 1;
    while (end < encoded.length() && Character.isDigit(encoded.charAt(end))) {
      end++;
    }
    if (end == at + 1 || end == encoded.length() || end - at > 4) {
      return at;
    }
    int arity = Integer.parseInt(encoded, at + 1, end, 10);
    String commas = ",".repeat(Math.max(0, arity - 1));
    switch (encoded.charAt(end)) {
      case 'T' -> out.append('(').append(commas).append(')');
      case 'H' -> out.append("(#").append(commas).append("#)");
      default -> {
        return at;
      }
    }
    return end + 1;
  }
}
