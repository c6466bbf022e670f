package org.ghcdebug.stub.heap;

import java.util.HashMap;
import java.util.Map;
import org.ghcdebug.protocol.target.CcsPtr;
import org.ghcdebug.protocol.wire.Response;
import org.jspecify.annotations.Nullable;

/**
 * The cost centres of a profiled program and their stacks. They lie in memory that is not part of
 * the block list, and nobody reads them there: only their addresses matter.
 */
final class CostCentres {
  private static final long START_ADDR = 0x3000_0000L;
  private static final int COST_CENTRE_BYTES = 64;
  private static final int STACK_BYTES = 96;
  private static final int INDEX_TABLE_BYTES = 32;

  private final Map<Long, Response.CostCentre> costCentres = new HashMap<>();
  private final Map<Long, Response.Ccs> stacks = new HashMap<>();
  private final Map<Long, Response.IndexTable> indexTables = new HashMap<>();
  private final CcsPtr main;
  private long nextAddr = START_ADDR;
  private long lastCostCentreAddr;

  CostCentres() {
    main = new CcsPtr(stack(0, costCentre("MAIN", "MAIN", "<built-in>", false)));
  }

  CcsPtr main() {
    return main;
  }

  Response.@Nullable CostCentre costCentre(long address) {
    return costCentres.get(address);
  }

  Response.@Nullable Ccs stack(long address) {
    return stacks.get(address);
  }

  Response.@Nullable IndexTable indexTable(long address) {
    return indexTables.get(address);
  }

  /** Pushes a new cost centre on a stack and returns the new stack. */
  CcsPtr push(CcsPtr parent, String label, String module, String location, boolean isCaf) {
    return new CcsPtr(stack(parent.address(), costCentre(label, module, location, isCaf)));
  }

  private long costCentre(String label, String module, String location, boolean isCaf) {
    long address = reserve(COST_CENTRE_BYTES);
    costCentres.put(
        address,
        new Response.CostCentre(
            costCentres.size() + 1L, label, module, location, 0, 0, isCaf, lastCostCentreAddr));
    lastCostCentreAddr = address;
    return address;
  }

  private long stack(long parentAddr, long costCentreAddr) {
    long address = reserve(STACK_BYTES);
    Response.Ccs parent = stacks.get(parentAddr);
    long depth = 1;
    if (parent != null) {
      depth = parent.depth() + 1;
      long entryAddr = reserve(INDEX_TABLE_BYTES);
      indexTables.put(
          entryAddr,
          new Response.IndexTable(costCentreAddr, address, parent.indexTableAddr(), false));
      stacks.put(parentAddr, withIndexTable(parent, entryAddr));
    }
    stacks.put(
        address,
        new Response.Ccs(
            stacks.size() + 1L, costCentreAddr, parentAddr, 0, 0, depth, 0, 0, 0, 0, 0, 0));
    return address;
  }

  private static Response.Ccs withIndexTable(Response.Ccs ccs, long indexTableAddr) {
    return new Response.Ccs(
        ccs.id(),
        ccs.costCentreAddr(),
        ccs.previousAddr(),
        indexTableAddr,
        ccs.rootAddr(),
        ccs.depth(),
        ccs.sccCount(),
        ccs.selected(),
        ccs.timeTicks(),
        ccs.allocatedWords(),
        ccs.inheritedAllocatedWords(),
        ccs.inheritedTicks());
  }

  private long reserve(int bytes) {
    long address = nextAddr;
    nextAddr += bytes;
    return address;
  }
}
