package org.ghcdebug.protocol.eventlog;

/**
 * The end of one log.
 *
 * @param offsetBytes where the log ends in the stream
 * @param endMarker whether the log ended with its end marker; a killed program's does not
 * @param incompleteBytes bytes of a last record that was cut
 */
public record LogEnd(long offsetBytes, boolean endMarker, long incompleteBytes)
    implements LogItem {}
