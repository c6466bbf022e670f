package org.ghcdebug.protocol.closure;

import org.ghcdebug.protocol.target.CcsPtr;

/**
 * The two words that follow the info pointer in a profiled program (RTS {@code StgProfHeader},
 * rts/storage/Closures.h).
 *
 * @param ccs the cost-centre stack that allocated the closure
 * @param word its meaning depends on the heap profile that runs
 */
public record ProfilingHeader(CcsPtr ccs, long word) {}
