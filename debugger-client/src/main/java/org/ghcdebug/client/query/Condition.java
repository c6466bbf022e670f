package org.ghcdebug.client.query;

import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A filter, understood but not yet bound to a heap. */
sealed interface Condition {
  record Named(ClosureName name) implements Condition {}

  /**
   * @param shown what a thread is called, with its label or without
   */
  record ThreadNamed(String shown) implements Condition {}

  /**
   * @param given the text compared with
   * @param number the same as a number, for fields that have numbers
   * @param pattern the same as a regular expression, for {@link Operator#MATCHES} only
   */
  record Comparison(
      Field field, Operator operator, String given, long number, @Nullable Pattern pattern)
      implements Condition {
    /** Whether an address is given where a text could be. */
    boolean givesAddress() {
      return operator != Operator.MATCHES && given.startsWith("0x");
    }
  }

  record And(Condition left, Condition right) implements Condition {}

  record Or(Condition left, Condition right) implements Condition {}

  record Not(Condition condition) implements Condition {}

  /** It and all its parts. */
  default Stream<Comparison> comparisons() {
    return switch (this) {
      case Named _, ThreadNamed _ -> Stream.of();
      case Comparison comparison -> Stream.of(comparison);
      case And(Condition left, Condition right) ->
          Stream.concat(left.comparisons(), right.comparisons());
      case Or(Condition left, Condition right) ->
          Stream.concat(left.comparisons(), right.comparisons());
      case Not(Condition condition) -> condition.comparisons();
    };
  }
}
