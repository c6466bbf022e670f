package org.ghcdebug.client.value;

import java.math.BigDecimal;
import java.util.List;

/** Literals as the {@code Show} instances of base write them (Haskell 2010 report, §6.1 and §9). */
final class Lexemes {
  private static final List<String> CONTROL_NAMES =
      List.of(
          "NUL", "SOH", "STX", "ETX", "EOT", "ENQ", "ACK", "a", "b", "t", "n", "v", "f", "r", "SO",
          "SI", "DLE", "DC1", "DC2", "DC3", "DC4", "NAK", "SYN", "ETB", "CAN", "EM", "SUB", "ESC",
          "FS", "GS", "RS", "US");
  private static final int DEL = 127;

  private Lexemes() {}

  /** {@code 'a'}. */
  static String character(int codePoint) {
    return codePoint == '\'' ? "'\\''" : codePoint == '"' ? "'\"'" : "'" + escaped(codePoint) + "'";
  }

  /** {@code "abc"}, with an empty escape where two escapes would run into one. */
  static String string(int[] codePoints) {
    StringBuilder text = new StringBuilder(codePoints.length + 2).append('"');
    for (int i = 0; i < codePoints.length; i++) {
      String escape = escaped(codePoints[i]);
      text.append(escape);
      if (i + 1 < codePoints.length && runsInto(escape, codePoints[i + 1])) {
        text.append("\\&");
      }
    }
    return text.append('"').toString();
  }

  private static boolean runsInto(String escape, int next) {
    boolean isNumeric = escape.length() > 1 && escape.charAt(1) >= '0' && escape.charAt(1) <= '9';
    return isNumeric && next >= '0' && next <= '9' || escape.equals("\\SO") && next == 'H';
  }

  private static String escaped(int codePoint) {
    if (codePoint == '"' || codePoint == '\\') {
      return "\\" + (char) codePoint;
    }
    if (codePoint >= 0 && codePoint < ' ') {
      return "\\" + CONTROL_NAMES.get(codePoint);
    }
    if (codePoint == DEL) {
      return "\\DEL";
    }
    return codePoint > DEL || codePoint < 0
        ? "\\" + Integer.toUnsignedString(codePoint)
        : String.valueOf((char) codePoint);
  }

  /** {@code 2.5}, {@code 1.0e-2}, {@code Infinity}: the shortest digits that give the number. */
  static String floating(double value) {
    return floating(value, Double.toString(Math.abs(value)));
  }

  /** As {@link #floating(double)}, in single precision. */
  static String floating(float value) {
    return floating(value, Float.toString(Math.abs(value)));
  }

  private static String floating(double value, String shortest) {
    if (Double.isNaN(value)) {
      return "NaN";
    }
    String sign = Double.doubleToRawLongBits(value) < 0 ? "-" : "";
    return sign + (Double.isInfinite(value) ? "Infinity" : decimal(shortest));
  }

  private static String decimal(String shortest) {
    BigDecimal exact = new BigDecimal(shortest).stripTrailingZeros();
    if (exact.signum() == 0) {
      return "0.0";
    }
    String digits = exact.unscaledValue().toString();
    int exponent = digits.length() - exact.scale(); // value = 0.digits × 10^exponent
    if (exponent > 0 && exponent <= 7) {
      String padded = digits + "0".repeat(Math.max(0, exponent - digits.length()));
      String fraction = padded.substring(exponent);
      return padded.substring(0, exponent) + "." + (fraction.isEmpty() ? "0" : fraction);
    }
    if (exponent == 0) {
      return "0." + digits;
    }
    String fraction = digits.length() == 1 ? "0" : digits.substring(1);
    return digits.charAt(0) + "." + fraction + "e" + (exponent - 1);
  }

  /** Whether a constructor is written between its fields. */
  static boolean isOperator(String name) {
    return name.startsWith(":");
  }

  /** {@code 0x000000000000beef}, as a {@code Ptr} is shown. */
  static String address(long addr) {
    return "0x%016x".formatted(addr);
  }
}
