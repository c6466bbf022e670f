package org.ghcdebug.protocol.target;

/**
 * The address of a stack frame: a stack's {@code sp}, or any frame above it.
 *
 * @param address unsigned
 */
public record StackPtr(long address) {
  /** The address as {@code 0x} and 16 digits. */
  @Override
  public String toString() {
    return "0x%016x".formatted(address);
  }
}
