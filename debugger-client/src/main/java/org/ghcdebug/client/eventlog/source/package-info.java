/**
 * Where eventlogs come from: files, growing files, pipes, sockets; and the order of their events.
 *
 * <p>{@link org.ghcdebug.client.eventlog.source.LogSource} opens a stream of bytes, {@link
 * org.ghcdebug.client.eventlog.source.LogReader} decodes one to its end, {@link
 * org.ghcdebug.client.eventlog.source.LiveLogs} reads several at once and reconnects. Events come
 * in stream order; {@link org.ghcdebug.client.eventlog.source.OrderedLog} and {@link
 * org.ghcdebug.client.eventlog.source.LiveOrder} put them in time order.
 *
 * <p>Compressed files are told apart by content. Live sources start one thread each.
 */
@NullMarked
package org.ghcdebug.client.eventlog.source;

import org.jspecify.annotations.NullMarked;
