package org.ghcdebug.stub.heap;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Disjoint groups of bytes, found by address in O(log groups). Immutable, safe to share. */
final class Memory {
  private static final Comparator<BlockGroup> BY_START =
      (a, b) -> Long.compareUnsigned(a.startAddr(), b.startAddr());

  private final List<BlockGroup> groups;

  Memory(Collection<BlockGroup> groups) {
    var sorted = new ArrayList<>(groups);
    sorted.sort(BY_START);
    this.groups = List.copyOf(sorted);
  }

  /** All groups by ascending address. */
  List<BlockGroup> groups() {
    return groups;
  }

  /** The group that contains an address. */
  @Nullable BlockGroup find(long address) {
    int low = 0;
    int high = groups.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (Long.compareUnsigned(groups.get(middle).startAddr(), address) <= 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low > 0 && groups.get(low - 1).contains(address) ? groups.get(low - 1) : null;
  }

  /** Copies words; {@code null} when they are not all in one group. */
  long @Nullable [] words(long address, long count) {
    BlockGroup group = find(address);
    return group == null ? null : group.words(address, count);
  }
}
