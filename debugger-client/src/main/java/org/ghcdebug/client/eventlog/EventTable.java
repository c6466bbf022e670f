package org.ghcdebug.client.eventlog;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.ghcdebug.protocol.eventlog.Event;
import org.ghcdebug.protocol.eventlog.EventCursor;
import org.ghcdebug.protocol.eventlog.TimedEvent;
import org.jspecify.annotations.Nullable;

/**
 * Events of one kind by a number that they carry: info tables by address, cost centres by id. The
 * last event with a number counts.
 *
 * <p>Programs that were built with maps of all their libraries have hundreds of thousands of info
 * tables. From {@value #IN_MEMORY} entries on they are kept in two temporary files that are deleted
 * as soon as they are open: the payloads one after the other, and a hash table of 16 bytes for each
 * slot, which is mapped. So a large table costs the Java heap nothing. Adding and finding are O(1).
 */
final class EventTable {
  private static final int IN_MEMORY = 10_000;

  private final int eventId;
  private final EventCursor cursor = new EventCursor();
  private @Nullable Map<Long, byte[]> payloads = new HashMap<>();
  private @Nullable Spilled spilled;

  /**
   * @param eventId of the events
   */
  EventTable(int eventId) {
    this.eventId = eventId;
  }

  void put(long key, EventCursor event) {
    byte[] payload = new byte[event.payloadLength()];
    event.copyPayload(payload, 0);
    put(key, payload);
  }

  private void put(long key, byte[] payload) {
    Map<Long, byte[]> small = payloads;
    if (small != null) {
      small.put(key, payload);
      if (small.size() > IN_MEMORY) {
        Spilled large = new Spilled();
        small.forEach(large::put);
        spilled = large;
        payloads = null;
      }
    } else if (spilled != null) {
      spilled.put(key, payload);
    }
  }

  /** The event with a number, or null. */
  @Nullable Event find(long key) {
    byte[] payload =
        payloads != null ? payloads.get(key) : spilled != null ? spilled.find(key) : null;
    if (payload == null) {
      return null;
    }
    cursor.set(
        payload,
        0,
        payload.length,
        eventId,
        eventId,
        TimedEvent.NO_CAPABILITY,
        0,
        0,
        false,
        payload.length);
    return cursor.toEvent();
  }

  /** How many numbers there are events for. */
  int size() {
    return payloads != null ? payloads.size() : spilled != null ? spilled.count : 0;
  }

  /** The table on disk. */
  private static final class Spilled {
    private static final int SLOT_BYTES = 16;
    private static final int FIRST_SLOTS = 1 << 16;
    private static final int BUFFER_BYTES = 1 << 16;

    private final FileChannel data = temporaryFile();
    private final ByteBuffer unwritten = ByteBuffer.allocate(2 * BUFFER_BYTES);
    private long written;
    // slot -> key, and position + 1 in the data; 0 where the slot is empty
    private MappedByteBuffer slots = map(FIRST_SLOTS);
    private int slotCount = FIRST_SLOTS;
    private int count;

    private static FileChannel temporaryFile() {
      try {
        Path file = Files.createTempFile("ghc-debug", ".table");
        return FileChannel.open(
            file,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE,
            StandardOpenOption.DELETE_ON_CLOSE);
      } catch (IOException e) {
        throw new UncheckedIOException("making a temporary file failed", e);
      }
    }

    private static MappedByteBuffer map(int slotCount) {
      // A mapping outlives its channel.
      try (FileChannel channel = temporaryFile()) {
        return channel.map(
            FileChannel.MapMode.READ_WRITE, 0, Math.multiplyExact(slotCount, SLOT_BYTES));
      } catch (IOException e) {
        throw new UncheckedIOException("mapping a temporary file failed", e);
      }
    }

    void put(long key, byte[] payload) {
      int slot = slot(slots, slotCount, key);
      long position = slots.getLong(slot + 8);
      if (position != 0) {
        // Programs tell their tables again to each reader.
        if (Arrays.equals(payload, read(position - 1))) {
          return;
        }
      } else {
        count++;
      }
      slots.putLong(slot, key);
      slots.putLong(slot + 8, written + unwritten.position() + 1);
      append(payload);
      if (count > slotCount / 2) {
        grow();
      }
    }

    byte @Nullable [] find(long key) {
      long position = slots.getLong(slot(slots, slotCount, key) + 8);
      return position == 0 ? null : read(position - 1);
    }

    /** The offset of the slot that holds a key, or that it belongs into. */
    private static int slot(ByteBuffer slots, int slotCount, long key) {
      long hash = key * 0x9E37_79B9_7F4A_7C15L;
      int slot = (int) (hash >>> 40) & slotCount - 1;
      while (slots.getLong(slot * SLOT_BYTES + 8) != 0 && slots.getLong(slot * SLOT_BYTES) != key) {
        slot = slot + 1 & slotCount - 1;
      }
      return slot * SLOT_BYTES;
    }

    private void grow() {
      int largerCount = Math.multiplyExact(slotCount, 2);
      MappedByteBuffer larger = map(largerCount);
      for (int at = 0; at < slotCount * SLOT_BYTES; at += SLOT_BYTES) {
        long position = slots.getLong(at + 8);
        if (position != 0) {
          int slot = slot(larger, largerCount, slots.getLong(at));
          larger.putLong(slot, slots.getLong(at));
          larger.putLong(slot + 8, position);
        }
      }
      slots = larger;
      slotCount = largerCount;
    }

    private void append(byte[] payload) {
      unwritten.putInt(payload.length).put(payload);
      if (unwritten.position() >= BUFFER_BYTES - Integer.BYTES) {
        flush();
      }
    }

    private void flush() {
      try {
        unwritten.flip();
        while (unwritten.hasRemaining()) {
          written += data.write(unwritten, written);
        }
        unwritten.clear();
      } catch (IOException e) {
        throw new UncheckedIOException("writing a temporary file failed", e);
      }
    }

    private byte[] read(long position) {
      if (position >= written) {
        int at = (int) (position - written);
        byte[] payload = new byte[unwritten.getInt(at)];
        unwritten.get(at + Integer.BYTES, payload);
        return payload;
      }
      ByteBuffer length = ByteBuffer.allocate(Integer.BYTES);
      readFully(length, position);
      byte[] payload = new byte[length.getInt(0)];
      readFully(ByteBuffer.wrap(payload), position + Integer.BYTES);
      return payload;
    }

    private void readFully(ByteBuffer target, long position) {
      try {
        while (target.hasRemaining()) {
          if (data.read(target, position + target.position()) < 0) {
            throw new IllegalStateException("a temporary file became shorter");
          }
        }
      } catch (IOException e) {
        throw new UncheckedIOException("reading a temporary file failed", e);
      }
    }
  }
}
