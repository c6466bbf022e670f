package org.ghcdebug.client.junit;

/**
 * What a heap may hold.
 *
 * <pre>{@code
 * assertThat(heap).hasAtMost(100, "Main.Session");
 * assertThat(heap.from("Main.Cache")).hasNone("Main.Connection");
 * assertThat(heap).since(earlier).grewByAtMost(10);
 * }</pre>
 */
public final class HeapAssertions {
  private HeapAssertions() {}

  /** Says what is asserted of a heap. */
  public static HeapAssert assertThat(ProgramHeap heap) {
    return new HeapAssert(heap, false);
  }
}
