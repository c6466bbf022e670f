/**
 * Folds the events of an eventlog into figures: counts, heap figures and profiles, pauses, the
 * states of threads and capabilities, samples, tables; and checks that logs make sense.
 *
 * <p>Each processor is an {@link org.ghcdebug.protocol.eventlog.EventVisitor} with a method that
 * gives its result as plain records, at any time. Those that say so need their events in time
 * order, as {@link org.ghcdebug.client.eventlog.source.OrderedLog} and {@link
 * org.ghcdebug.client.eventlog.source.LiveOrder} give them. {@link
 * org.ghcdebug.client.eventlog.EventLogs} has an entry point for each question about a finished
 * log.
 */
@NullMarked
package org.ghcdebug.client.eventlog;

import org.jspecify.annotations.NullMarked;
