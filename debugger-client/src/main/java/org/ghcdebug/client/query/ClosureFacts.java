package org.ghcdebug.client.query;

import java.util.Set;
import org.ghcdebug.client.index.ClosureCursor;

/**
 * What only an index of the whole heap can tell of a closure. Methods are asked only for fields
 * that {@link #knows} has confirmed.
 */
public interface ClosureFacts {
  /** Nothing is known. */
  ClosureFacts NONE =
      new ClosureFacts() {
        @Override
        public boolean knows(Field field) {
          return false;
        }

        @Override
        public long retainedBytes(ClosureCursor closure) {
          return 0;
        }

        @Override
        public Set<String> rootKinds(ClosureCursor closure) {
          return Set.of();
        }

        @Override
        public long generation(ClosureCursor closure) {
          return 0;
        }
      };

  /** Whether filters may use a field. */
  boolean knows(Field field);

  /** Bytes that would be free without it. */
  long retainedBytes(ClosureCursor closure);

  /** As what the garbage collector starts from it, such as {@code thread}; empty if it does not. */
  Set<String> rootKinds(ClosureCursor closure);

  /** Number of the generation that it is in. */
  long generation(ClosureCursor closure);
}
