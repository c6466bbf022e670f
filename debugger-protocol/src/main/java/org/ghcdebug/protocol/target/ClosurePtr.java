package org.ghcdebug.protocol.target;

/**
 * The untagged address of a closure.
 *
 * @param address unsigned
 */
public record ClosurePtr(long address) {
  /**
   * @throws IllegalArgumentException when a pointer tag is set; see {@link Target#untag}
   */
  public ClosurePtr {
    if ((address & Target.TAG_MASK) != 0) {
      throw new IllegalArgumentException("tagged closure pointer 0x%016x".formatted(address));
    }
  }

  /** The address as {@code 0x} and 16 digits. */
  @Override
  public String toString() {
    return "0x%016x".formatted(address);
  }
}
