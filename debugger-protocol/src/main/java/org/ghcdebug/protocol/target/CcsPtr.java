package org.ghcdebug.protocol.target;

/**
 * The address of a cost-centre stack (RTS {@code CostCentreStack}).
 *
 * @param address unsigned
 */
public record CcsPtr(long address) {
  /** The address as {@code 0x} and 16 digits. */
  @Override
  public String toString() {
    return "0x%016x".formatted(address);
  }
}
