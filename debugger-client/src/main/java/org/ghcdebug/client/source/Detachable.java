package org.ghcdebug.client.source;

import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A live source of which little has to be read while its program is held: once the blocks are
 * copied, so can be its static data, and the rest never changes.
 */
public interface Detachable {
  /**
   * Copies the program's static data, so that it can go on.
   *
   * @param infoAddrs from the address of a closure or frame in blocks to its info pointer, 0 where
   *     there is none
   * @return a source whose answers stay those of now, except for {@link HeapSource#roots} and what
   *     is in blocks, which it does not know; {@code null} when that is impossible from here. It
   *     holds resources of its own; closing it does not close this source
   */
  @Nullable HeapSource detach(LongUnaryOperator infoAddrs);
}
