package org.ghcdebug.protocol.eventlog;

/** Receives what a decoder finds, in stream order, without a value being made for each event. */
@FunctionalInterface
public interface EventVisitor {
  /**
   * An event, a block marker included.
   *
   * @param event valid during the call only
   */
  void event(EventCursor event);

  /** A log begins. */
  default void header(LogHeader header) {}

  /** Bytes were skipped. */
  default void damage(Damage damage) {}

  /** A log ended. */
  default void end(LogEnd end) {}
}
