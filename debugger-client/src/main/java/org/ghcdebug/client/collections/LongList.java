package org.ghcdebug.client.collections;

import java.util.Arrays;

/** A growable array of {@code long}s that can be used as a stack; 8 bytes per element. */
public final class LongList {
  private long[] elements = new long[16];
  private int size;

  /** O(1). */
  public int size() {
    return size;
  }

  /** O(1). */
  public boolean isEmpty() {
    return size == 0;
  }

  /** Appends; O(1) amortized. */
  public void add(long element) {
    if (size == elements.length) {
      elements = Arrays.copyOf(elements, Math.multiplyExact(size, 2));
    }
    elements[size++] = element;
  }

  /**
   * O(1).
   *
   * @throws IndexOutOfBoundsException when there is no such element
   */
  public long get(int index) {
    if (index >= size) {
      throw new IndexOutOfBoundsException(index);
    }
    return elements[index];
  }

  /**
   * Removes and returns the element added last; O(1).
   *
   * @throws IndexOutOfBoundsException when empty
   */
  public long pop() {
    return elements[--size];
  }

  /** Forgets all elements, keeps the memory. */
  public void clear() {
    size = 0;
  }

  /** A copy of the elements. */
  public long[] toArray() {
    return Arrays.copyOf(elements, size);
  }
}
