package org.ghcdebug.protocol.target;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * An immutable list of unsigned 64-bit addresses; 8 bytes an address. Safe to share.
 *
 * <p>It says nothing about what is at the addresses, nor whether they carry pointer tags; whoever
 * hands one out does.
 */
public final class AddressList {
  private static final AddressList EMPTY = new AddressList(new long[0]);

  private final long[] addresses;

  private AddressList(long[] addresses) {
    this.addresses = addresses;
  }

  /** A list of these addresses in this order; the array is copied. */
  public static AddressList of(long... addresses) {
    return addresses.length == 0 ? EMPTY : new AddressList(addresses.clone());
  }

  /** A list of {@code array[from]} to {@code array[to - 1]}, copied. */
  public static AddressList copyOfRange(long[] array, int from, int to) {
    return from == to ? EMPTY : new AddressList(Arrays.copyOfRange(array, from, to));
  }

  /** The number of addresses. */
  public int size() {
    return addresses.length;
  }

  public boolean isEmpty() {
    return addresses.length == 0;
  }

  /**
   * @throws IndexOutOfBoundsException when {@code index} is not below {@link #size}
   */
  public long get(int index) {
    return addresses[index];
  }

  /** A new array of the addresses. */
  public long[] toArray() {
    return addresses.clone();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof AddressList that && Arrays.equals(addresses, that.addresses);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(addresses);
  }

  /** The size, and the first addresses as {@code 0x} and 16 digits. */
  @Override
  public String toString() {
    var text = new StringBuilder().append(addresses.length).append(" addresses [");
    int shown = Math.min(addresses.length, 4);
    for (int i = 0; i < shown; i++) {
      text.append(i == 0 ? "" : ", ").append("0x%016x".formatted(addresses[i]));
    }
    return text.append(shown < addresses.length ? ", …]" : "]").toString();
  }
}
