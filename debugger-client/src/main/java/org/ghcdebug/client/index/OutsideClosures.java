package org.ghcdebug.client.index;

import java.util.ArrayList;
import java.util.List;
import org.ghcdebug.client.collections.LongIntMap;
import org.ghcdebug.client.collections.LongList;
import org.ghcdebug.client.source.HeapSource;
import org.ghcdebug.protocol.target.AddressList;
import org.jspecify.annotations.Nullable;

/**
 * Closures that are in no block of the image: static ones, and those in the later blocks of compact
 * regions. Each has a dense id; they are fetched in batches.
 */
final class OutsideClosures {
  private final LongIntMap ids = new LongIntMap(); // address -> id
  private final LongList addresses = new LongList(); // id -> address
  private final List<long @Nullable []> words = new ArrayList<>(); // id -> words, null if none

  /** {@link LongIntMap#MISSING} when the closure has not been met. */
  int id(long addr) {
    return addr == 0 ? LongIntMap.MISSING : ids.get(addr);
  }

  /** Notes a closure to be fetched; its id is the number of closures met before. */
  void add(long addr) {
    ids.put(addr, addresses.size());
    addresses.add(addr);
  }

  /**
   * Fetches what was added since the last call.
   *
   * @return the id of the first closure fetched; the others follow up to {@link #size}
   */
  int fetch(HeapSource source) {
    int first = words.size();
    if (first < addresses.size()) {
      words.addAll(
          source.closures(AddressList.copyOfRange(addresses.toArray(), first, addresses.size())));
    }
    return first;
  }

  int size() {
    return addresses.size();
  }

  /** Addresses of those that could be read. */
  AddressList readable() {
    LongList readable = new LongList();
    for (int id = 0; id < words.size(); id++) {
      if (words.get(id) != null) {
        readable.add(addresses.get(id));
      }
    }
    return AddressList.of(readable.toArray());
  }

  long address(int id) {
    return addresses.get(id);
  }

  /** {@code null} when there is no closure, or it has not been fetched. */
  long @Nullable [] words(int id) {
    return id < words.size() ? words.get(id) : null;
  }
}
