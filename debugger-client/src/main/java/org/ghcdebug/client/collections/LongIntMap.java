package org.ghcdebug.client.collections;

/**
 * A map from non-zero {@code long} keys to non-negative {@code int} values; open addressing with
 * linear probing, at most half full: 24 bytes per entry at worst after growth, 12 per slot.
 */
public final class LongIntMap {
  /** What {@link #get} answers for a key that is not there. */
  public static final int MISSING = -1;

  private long[] keys = new long[64];
  private int[] values = new int[64];
  private int size;

  /** O(1). */
  public int size() {
    return size;
  }

  /** O(1) on average; {@link #MISSING} when the key is not there. */
  public int get(long key) {
    int mask = keys.length - 1;
    for (int slot = hash(key) & mask; keys[slot] != 0; slot = (slot + 1) & mask) {
      if (keys[slot] == key) {
        return values[slot];
      }
    }
    return MISSING;
  }

  /**
   * O(1) amortized. Replaces a former value.
   *
   * @throws IllegalArgumentException when the key is 0 or the value negative
   */
  public void put(long key, int value) {
    if (key == 0 || value < 0) {
      throw new IllegalArgumentException("key " + key + ", value " + value);
    }
    int mask = keys.length - 1;
    int slot = hash(key) & mask;
    while (keys[slot] != 0 && keys[slot] != key) {
      slot = (slot + 1) & mask;
    }
    if (keys[slot] == 0) {
      keys[slot] = key;
      size++;
    }
    values[slot] = value;
    if (2 * size > keys.length) {
      grow();
    }
  }

  private void grow() {
    long[] oldKeys = keys;
    int[] oldValues = values;
    keys = new long[Math.multiplyExact(oldKeys.length, 2)];
    values = new int[keys.length];
    size = 0;
    for (int slot = 0; slot < oldKeys.length; slot++) {
      if (oldKeys[slot] != 0) {
        put(oldKeys[slot], oldValues[slot]);
      }
    }
  }

  private static int hash(long key) {
    long mixed = key * 0x9E3779B97F4A7C15L;
    return (int) (mixed >>> 32);
  }
}
