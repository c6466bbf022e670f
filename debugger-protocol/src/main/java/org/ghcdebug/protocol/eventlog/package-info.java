/**
 * The GHC eventlog: header, events, damage, and the control messages of eventlog-socket.
 *
 * <p>A log is big-endian, without alignment, checksums or a length of the whole:
 *
 * <pre>
 * stream    := header data
 * header    := "hdrb" "hetb" eventType* "hete" "hdre"
 * eventType := "etb\0" u16 id, u16 size (FFFF = variable), u32 n, n bytes description,
 *              u32 m, m bytes extra, "ete\0"
 * data      := "datb" event* FFFF
 * event     := u16 id, u64 timestamp (ns), payload of the declared size, or u16 length and payload
 * marker    := 0012, u64 start time, u32 block size (marker included), u64 end time, u16 capability
 * </pre>
 *
 * <p>Every event after a block marker belongs to the marker's capability until the block ends;
 * capability FFFF is the global buffer. Within a block, times are ascending but for GC_END, which
 * carries a recorded time up to some 40 microseconds in the past. Across blocks the order is
 * arbitrary. Source: {@code rts/include/rts/EventLogFormat.h} and {@code rts/eventlog/EventLog.c}
 * of GHC 9.6 and 9.10.
 *
 * <p>{@link org.ghcdebug.protocol.eventlog.EventLogDecoder} takes bytes in any pieces and never
 * throws on what they say:
 *
 * {@snippet :
 * EventLogDecoder decoder = new EventLogDecoder();
 * decoder.push(bytes, 0, bytes.length);
 * decoder.finish();
 * for (LogItem item = decoder.poll(); item != null; item = decoder.poll()) {
 *   switch (item) {
 *     case LogHeader header -> {}
 *     case TimedEvent event -> {}
 *     case Damage damage -> {}
 *     case LogEnd end -> {}
 *   }
 * }
 * }
 *
 * <p>For speed, {@link org.ghcdebug.protocol.eventlog.EventLogDecoder#drain} hands the same events
 * to an {@link org.ghcdebug.protocol.eventlog.EventVisitor} without allocating. Nothing here opens
 * files, sockets or threads.
 */
@NullMarked
package org.ghcdebug.protocol.eventlog;

import org.jspecify.annotations.NullMarked;
