package org.ghcdebug.client.eventlog.source;

import java.util.Arrays;
import org.ghcdebug.protocol.eventlog.EventCursor;
import org.ghcdebug.protocol.eventlog.EventVisitor;

/**
 * Events that wait for their turn: one chain for each buffer of the program, each kept in time
 * order, merged on release. Ties keep the order of the stream.
 *
 * <p>An event costs 32 bytes and its payload. Adding is O(1) where the chain is sorted, and
 * O(distance) for an event that belongs further back; releasing is O(chains) for each run of events
 * of one chain.
 */
final class EventQueue {
  private static final int EVENT_BYTES = 32;

  private Chain[] chains = new Chain[0];
  private final EventCursor cursor = new EventCursor();

  private static final class Chain {
    // Slots head..tail-1 are the waiting events, by time; all arrays have the same slots.
    private long[] times = new long[16];
    private long[] offsets = new long[16];
    private int[] payloads = new int[16];
    private int[] lengths = new int[16];
    private int[] ids = new int[16];
    private int head;
    private int tail;

    private byte[] bytes = new byte[256];
    private int used;
    private int live;
    private final int capability;

    Chain(int capability) {
      this.capability = capability;
    }

    void add(EventCursor event, long offset) {
      makeRoom(event.payloadLength());
      event.copyPayload(bytes, used);
      long time = event.timestampNanos();
      int slot = tail++;
      while (slot > head && times[slot - 1] > time) {
        move(slot - 1, slot);
        slot--;
      }
      times[slot] = time;
      offsets[slot] = offset;
      payloads[slot] = used;
      lengths[slot] = event.payloadLength();
      ids[slot] = event.id() | (event.knownId() < 0 ? 0x1_0000 : 0);
      used += event.payloadLength();
      live += event.payloadLength();
    }

    private void move(int from, int to) {
      times[to] = times[from];
      offsets[to] = offsets[from];
      payloads[to] = payloads[from];
      lengths[to] = lengths[from];
      ids[to] = ids[from];
    }

    private void makeRoom(int length) {
      if (tail == times.length) {
        compactSlots();
      }
      if (bytes.length - used < length) {
        compactBytes(length);
      }
    }

    private void compactSlots() {
      int count = tail - head;
      int capacity = count > times.length / 2 ? 2 * times.length : times.length;
      times = shifted(times, count, capacity);
      offsets = shifted(offsets, count, capacity);
      payloads = shifted(payloads, count, capacity);
      lengths = shifted(lengths, count, capacity);
      ids = shifted(ids, count, capacity);
      head = 0;
      tail = count;
    }

    private long[] shifted(long[] from, int count, int capacity) {
      long[] to = capacity == from.length ? from : new long[capacity];
      System.arraycopy(from, head, to, 0, count);
      return to;
    }

    private int[] shifted(int[] from, int count, int capacity) {
      int[] to = capacity == from.length ? from : new int[capacity];
      System.arraycopy(from, head, to, 0, count);
      return to;
    }

    private void compactBytes(int length) {
      int needed = Math.addExact(live, length);
      byte[] target = new byte[Math.max(bytes.length, Math.addExact(needed, needed / 2))];
      int at = 0;
      for (int slot = head; slot < tail; slot++) {
        System.arraycopy(bytes, payloads[slot], target, at, lengths[slot]);
        payloads[slot] = at;
        at += lengths[slot];
      }
      bytes = target;
      used = at;
    }

    /** Puts slots emptied by a release to use again, and gives a large memory back. */
    void trim() {
      if (head == tail) {
        head = 0;
        tail = 0;
        used = 0;
        if (bytes.length > 1 << 20) {
          bytes = new byte[256];
        }
      }
    }
  }

  /** Adds an event to the chain of its capability. */
  void add(EventCursor event, long offset) {
    chainOf(event.capability()).add(event, offset);
  }

  private Chain chainOf(int capability) {
    for (Chain chain : chains) {
      if (chain.capability == capability) {
        return chain;
      }
    }
    chains = Arrays.copyOf(chains, chains.length + 1);
    chains[chains.length - 1] = new Chain(capability);
    return chains[chains.length - 1];
  }

  /** Bytes that the waiting events need. */
  long waitingBytes() {
    long bytes = 0;
    for (Chain chain : chains) {
      bytes += chain.live + (long) EVENT_BYTES * (chain.tail - chain.head);
    }
    return bytes;
  }

  /** The time of the earliest waiting event, or Long.MAX_VALUE. */
  long earliest() {
    long earliest = Long.MAX_VALUE;
    for (Chain chain : chains) {
      if (chain.head < chain.tail) {
        earliest = Math.min(earliest, chain.times[chain.head]);
      }
    }
    return earliest;
  }

  /** Hands out all events with a time up to {@code until}, in order. */
  void release(long until, EventVisitor visitor) {
    while (true) {
      Chain first = null;
      long time = until;
      long offset = Long.MAX_VALUE;
      long nextTime = until;
      long nextOffset = Long.MAX_VALUE;
      for (Chain chain : chains) {
        if (chain.head == chain.tail) {
          continue;
        }
        long chainTime = chain.times[chain.head];
        long chainOffset = chain.offsets[chain.head];
        if (before(chainTime, chainOffset, time, offset)) {
          nextTime = time;
          nextOffset = offset;
          first = chain;
          time = chainTime;
          offset = chainOffset;
        } else if (before(chainTime, chainOffset, nextTime, nextOffset)) {
          nextTime = chainTime;
          nextOffset = chainOffset;
        }
      }
      if (first == null) {
        break;
      }
      // This chain is first until another one's head is.
      do {
        int slot = first.head++;
        int id = first.ids[slot] & 0xFFFF;
        cursor.set(
            first.bytes,
            first.payloads[slot],
            first.lengths[slot],
            id,
            first.ids[slot] == id ? id : -1,
            first.capability,
            first.times[slot],
            first.offsets[slot],
            false,
            first.lengths[slot] + 10);
        first.live -= first.lengths[slot];
        visitor.event(cursor);
      } while (first.head < first.tail
          && before(first.times[first.head], first.offsets[first.head], nextTime, nextOffset));
      first.trim();
    }
  }

  private static boolean before(long time, long offset, long otherTime, long otherOffset) {
    return time < otherTime || (time == otherTime && offset < otherOffset);
  }
}
