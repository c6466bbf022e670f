package org.ghcdebug.protocol.eventlog;

import java.util.Arrays;
import java.util.List;

/**
 * The header of one log: the event types that may follow. Declared does not mean emitted.
 *
 * @param offsetBytes where the header begins in the stream
 * @param declarations in the order of the stream
 */
public record LogHeader(long offsetBytes, List<EventDeclaration> declarations) implements LogItem {
  public LogHeader {
    declarations = List.copyOf(declarations);
  }

  /** A header that declares every type of the catalogue, as GHC 9.10 would. */
  public static LogHeader standard() {
    return new LogHeader(
        0,
        Arrays.stream(EventType.values())
            .map(
                type ->
                    new EventDeclaration(
                        type.id(), type.sizeBytes(), type.constructorName(), Bytes.EMPTY))
            .toList());
  }
}
