package org.ghcdebug.protocol.eventlog;

/** What a decoder finds in a stream, in stream order. */
public sealed interface LogItem permits LogHeader, TimedEvent, Damage, LogEnd {
  /** Offset from the start of the stream, in bytes. */
  long offsetBytes();
}
