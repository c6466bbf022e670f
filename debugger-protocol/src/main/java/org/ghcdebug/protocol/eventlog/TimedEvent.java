package org.ghcdebug.protocol.eventlog;

/**
 * An event with its place and time.
 *
 * @param offsetBytes where the event begins in the stream
 * @param timestampNanos nanoseconds since the runtime started, not since the log did
 * @param capability the capability whose buffer held it; {@link #NO_CAPABILITY} for the global one
 * @param event what happened
 * @param extra payload bytes after the fields that this library knows, as newer GHCs append them
 */
public record TimedEvent(
    long offsetBytes, long timestampNanos, int capability, Event event, Bytes extra)
    implements LogItem {
  /** The capability of events in the global buffer, and of events outside any block. */
  public static final int NO_CAPABILITY = -1;

  /** An event at no particular place, without extra bytes. */
  public TimedEvent(long timestampNanos, int capability, Event event) {
    this(0, timestampNanos, capability, event, Bytes.EMPTY);
  }
}
