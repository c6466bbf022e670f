package org.ghcdebug.client.query;

/** Compares a field's value with a given one. */
public enum Operator {
  EQUAL("="),
  NOT_EQUAL("!="),
  LESS("<"),
  AT_MOST("<="),
  GREATER(">"),
  AT_LEAST(">="),
  /** A regular expression is found in the text. */
  MATCHES("~");

  private final String symbol;

  Operator(String symbol) {
    this.symbol = symbol;
  }

  /**
   * The operator of a symbol.
   *
   * @throws IllegalArgumentException when there is none
   */
  public static Operator parse(String symbol) {
    for (Operator operator : values()) {
      if (operator.symbol.equals(symbol)) {
        return operator;
      }
    }
    throw new IllegalArgumentException("no operator \"" + symbol + "\"");
  }

  /**
   * Whether {@code value OPERATOR given}, both unsigned.
   *
   * @throws IllegalArgumentException for {@link #MATCHES}
   */
  public boolean holds(long value, long given) {
    int order = Long.compareUnsigned(value, given);
    return switch (this) {
      case EQUAL -> order == 0;
      case NOT_EQUAL -> order != 0;
      case LESS -> order < 0;
      case AT_MOST -> order <= 0;
      case GREATER -> order > 0;
      case AT_LEAST -> order >= 0;
      case MATCHES -> throw new IllegalArgumentException("numbers do not match");
    };
  }

  /** As written in filters. */
  @Override
  public String toString() {
    return symbol;
  }
}
