package org.ghcdebug.client.source.socket;

import java.util.Arrays;
import java.util.function.LongPredicate;
import org.ghcdebug.protocol.target.AddressList;
import org.ghcdebug.protocol.target.Target;

/** Those of a list of addresses that may be sent, cut into requests. */
final class Batch {
  /**
   * Addresses in a request. The protocol allows 65,535; this many make 64 KiB, of which two
   * requests fit in a socket's buffer, so that writing cannot block. That is far beyond the point
   * where the round trip matters.
   */
  static final int MAX_REQUEST_SIZE =
      (Connection.MAX_UNANSWERED_BYTES / 2 - 10) / Target.WORD_BYTES;

  private final int askedSize;
  private final long[] addresses;
  private final int[] positions; // index in addresses -> index in the list asked for

  /**
   * @param isPlausible whether an address may be sent to a stub that follows any pointer
   */
  Batch(AddressList asked, LongPredicate isPlausible) {
    askedSize = asked.size();
    long[] kept = new long[askedSize];
    int[] keptPositions = new int[askedSize];
    int count = 0;
    for (int i = 0; i < askedSize; i++) {
      if (isPlausible.test(asked.get(i))) {
        kept[count] = asked.get(i);
        keptPositions[count++] = i;
      }
    }
    addresses = Arrays.copyOf(kept, count);
    positions = Arrays.copyOf(keptPositions, count);
  }

  /** Addresses asked for, sent or not. */
  int askedSize() {
    return askedSize;
  }

  /** Number of requests. */
  int requests() {
    return (addresses.length + MAX_REQUEST_SIZE - 1) / MAX_REQUEST_SIZE;
  }

  /** Number of addresses in a request. */
  int size(int request) {
    return Math.min(MAX_REQUEST_SIZE, addresses.length - request * MAX_REQUEST_SIZE);
  }

  /** The addresses of a request. */
  AddressList part(int request) {
    int from = request * MAX_REQUEST_SIZE;
    return AddressList.copyOfRange(addresses, from, from + size(request));
  }

  /** Where the n-th address of a request stands in the list asked for. */
  int position(int request, int index) {
    return positions[request * MAX_REQUEST_SIZE + index];
  }
}
