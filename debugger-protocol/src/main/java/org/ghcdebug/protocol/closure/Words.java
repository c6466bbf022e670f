package org.ghcdebug.protocol.closure;

import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * Immutable raw words of a closure: pointers as stored (maybe tagged), or unboxed data.
 *
 * @param values copied on the way in and on the way out; see {@link #get} for reading one
 */
public record Words(long[] values) {
  /** No words. */
  public static final Words NONE = new Words(new long[0]);

  public Words {
    values = values.clone();
  }

  /** Copies {@code values}. */
  public static Words of(long... values) {
    return values.length == 0 ? NONE : new Words(values);
  }

  /** A copy. */
  @Override
  public long[] values() {
    return values.clone();
  }

  public int size() {
    return values.length;
  }

  /**
   * @throws IndexOutOfBoundsException unless 0 ≤ index < size
   */
  public long get(int index) {
    return values[index];
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Words that && Arrays.equals(values, that.values);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(values);
  }

  @Override
  public String toString() {
    return Arrays.stream(values)
        .mapToObj(word -> "0x" + Long.toHexString(word))
        .collect(Collectors.joining(", ", "[", "]"));
  }
}
