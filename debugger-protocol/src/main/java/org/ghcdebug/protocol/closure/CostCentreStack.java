package org.ghcdebug.protocol.closure;

/**
 * A cost-centre stack of a profiled program (RTS {@code CostCentreStack},
 * rts/include/rts/prof/CCS.h): the cost centre on top, and the stack below it.
 *
 * @param address unsigned
 * @param parentAddr the stack below, 0 for none
 * @param label of the cost centre on top, such as {@code insert} or {@code CAF:main1}
 * @param module of that cost centre
 * @param location of that cost centre, such as {@code Main.hs:(3,1)-(4,12)}; can be empty
 * @param isCaf whether that cost centre stands for a CAF
 */
public record CostCentreStack(
    long address, long parentAddr, String label, String module, String location, boolean isCaf) {
  /** {@code Module.label} of the cost centre on top. */
  public String topName() {
    return module.isEmpty() ? label : module + '.' + label;
  }
}
