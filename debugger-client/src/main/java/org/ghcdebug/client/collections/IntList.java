package org.ghcdebug.client.collections;

import java.util.Arrays;

/** A growable array of {@code int}s that can be used as a stack; 4 bytes per element. */
public final class IntList {
  private int[] elements = new int[16];
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
  public void add(int element) {
    if (size == elements.length) {
      elements = Arrays.copyOf(elements, (int) Math.min(2L * size, Integer.MAX_VALUE - 8));
    }
    elements[size++] = element;
  }

  /**
   * O(1).
   *
   * @throws IndexOutOfBoundsException when there is no such element
   */
  public int get(int index) {
    if (index >= size) {
      throw new IndexOutOfBoundsException(index);
    }
    return elements[index];
  }

  /**
   * Replaces an element; O(1).
   *
   * @throws IndexOutOfBoundsException when there is no such element
   */
  public void set(int index, int element) {
    if (index >= size) {
      throw new IndexOutOfBoundsException(index);
    }
    elements[index] = element;
  }

  /**
   * The element added last; O(1).
   *
   * @throws IndexOutOfBoundsException when empty
   */
  public int last() {
    return elements[size - 1];
  }

  /**
   * Removes and returns the element added last; O(1).
   *
   * @throws IndexOutOfBoundsException when empty
   */
  public int pop() {
    return elements[--size];
  }

  /** Forgets all elements, keeps the memory. */
  public void clear() {
    size = 0;
  }

  /** A copy of the elements. */
  public int[] toArray() {
    return Arrays.copyOf(elements, size);
  }
}
