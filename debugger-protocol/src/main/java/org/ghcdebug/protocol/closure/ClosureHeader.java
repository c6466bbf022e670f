package org.ghcdebug.protocol.closure;

import org.ghcdebug.protocol.target.ClosurePtr;
import org.jspecify.annotations.Nullable;

/**
 * What every closure has.
 *
 * @param address where it is
 * @param info its info table
 * @param sizeWords its size as the RTS computes it, header included
 * @param profiling {@code null} unless the program is profiled
 */
public record ClosureHeader(
    ClosurePtr address, InfoTable info, long sizeWords, @Nullable ProfilingHeader profiling) {}
