package org.ghcdebug.protocol.target;

/**
 * The address of a static reference table closure.
 *
 * @param address unsigned
 */
public record SrtPtr(long address) {
  /** The address as {@code 0x} and 16 digits. */
  @Override
  public String toString() {
    return "0x%016x".formatted(address);
  }
}
