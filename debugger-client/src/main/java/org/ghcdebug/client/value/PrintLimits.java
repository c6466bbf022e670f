package org.ghcdebug.client.value;

/**
 * How much of a value to print; what is cut is shown as {@code …}.
 *
 * @param depth levels of values inside values
 * @param elements of each collection
 * @param characters of the whole text, roughly: a number or name is not cut in two
 */
public record PrintLimits(int depth, int elements, int characters) {
  /** Enough for a screen or two. */
  public static final PrintLimits DEFAULT = new PrintLimits(20, 100, 4000);

  /**
   * @throws IllegalArgumentException when a limit is not positive
   */
  public PrintLimits {
    if (depth < 1 || elements < 1 || characters < 1) {
      throw new IllegalArgumentException(
          "limits must be positive: %d, %d, %d".formatted(depth, elements, characters));
    }
  }
}
