package org.ghcdebug.client.query;

import java.util.Set;
import org.ghcdebug.client.index.ClosureCursor;
import org.ghcdebug.client.index.HeapCopy;
import org.ghcdebug.client.index.RootKind;
import org.jspecify.annotations.Nullable;

/**
 * What only an index of the whole heap can tell of a closure. Methods are asked only for fields
 * that {@link #knows} has confirmed.
 */
public interface ClosureFacts {
  /** Nothing is known. */
  ClosureFacts NONE =
      new ClosureFacts() {
        @Override
        public @Nullable HeapCopy copy() {
          return null;
        }

        @Override
        public boolean knows(Field field) {
          return false;
        }

        @Override
        public long retainedBytes(ClosureCursor closure) {
          return 0;
        }

        @Override
        public Set<RootKind> rootKinds(ClosureCursor closure) {
          return Set.of();
        }

        @Override
        public int generation(ClosureCursor closure) {
          return 0;
        }
      };

  /** The whole heap, if it is in memory; then strings are read faster. */
  @Nullable HeapCopy copy();

  /** Whether filters may use a field. */
  boolean knows(Field field);

  /** Bytes that would be free without it. */
  long retainedBytes(ClosureCursor closure);

  /** As what it is alive by itself; empty if it is not. */
  Set<RootKind> rootKinds(ClosureCursor closure);

  /** Number of the generation that it is in; negative where it is in none, as a static one. */
  int generation(ClosureCursor closure);
}
