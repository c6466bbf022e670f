package org.ghcdebug.protocol.target;

/**
 * The first word of a closure or stack frame: with tables next to code it points just past the info
 * table.
 *
 * @param address unsigned
 */
public record InfoPtr(long address) {
  /** The address as {@code 0x} and 16 digits. */
  @Override
  public String toString() {
    return "0x%016x".formatted(address);
  }
}
