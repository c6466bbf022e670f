package org.ghcdebug.protocol.eventlog;

/**
 * One entry of the header: how large an event is and what it is about.
 *
 * @param id the event's number
 * @param sizeBytes payload size, or {@link EventType#VARIABLE}
 * @param description text for people
 * @param extra extra information; no GHC writes any so far
 */
public record EventDeclaration(int id, int sizeBytes, String description, Bytes extra) {
  public EventDeclaration {
    if (id < 0 || id >= 0xFFFF || sizeBytes < 0 || sizeBytes > EventType.VARIABLE) {
      throw new IllegalArgumentException("event id " + id + ", size " + sizeBytes);
    }
  }

  /** Whether each event carries its own length. */
  public boolean isVariable() {
    return sizeBytes == EventType.VARIABLE;
  }
}
