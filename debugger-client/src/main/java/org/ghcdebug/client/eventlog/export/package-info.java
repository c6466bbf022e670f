/**
 * Eventlogs in the formats of other tools: NDJSON, CSV, Chrome and Perfetto traces, speedscope,
 * folded stacks, {@code .hp} files; merged into one log; and played again with their original
 * timing.
 *
 * <p>Exporters write to an {@link java.lang.Appendable} or a stream that the caller opens and
 * closes; an {@link java.io.IOException} of it comes out as {@link java.io.UncheckedIOException}.
 */
@NullMarked
package org.ghcdebug.client.eventlog.export;

import org.jspecify.annotations.NullMarked;
