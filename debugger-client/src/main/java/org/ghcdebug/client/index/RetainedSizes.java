package org.ghcdebug.client.index;

/** How much each closure of a {@link HeapGraph} keeps alive by itself. */
@FunctionalInterface
public interface RetainedSizes {
  /** Bytes that would go if the closure went, its own included. O(1). */
  long retainedBytes(int closureId);
}
