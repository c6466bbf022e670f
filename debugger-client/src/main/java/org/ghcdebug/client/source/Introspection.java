package org.ghcdebug.client.source;

import java.util.Optional;
import org.ghcdebug.protocol.extension.Hello;
import org.ghcdebug.protocol.extension.RtsFigures;

/** A source that knows more about its program than the heap tells. */
public interface Introspection {
  /** What the program's debuggee library says of itself and of the program; empty for old ones. */
  Optional<Hello> hello();

  /** What the RTS counts, as of now; none of them when the source cannot tell. */
  RtsFigures figures();

  /** Which other client held the program when this one last wanted to; empty for none. No I/O. */
  Optional<String> otherHolder();

  /**
   * How {@link HeapSource#blocks} was answered last, for people: {@code socket}, for instance;
   * empty before the first time. No I/O.
   */
  Optional<String> blockPath();
}
