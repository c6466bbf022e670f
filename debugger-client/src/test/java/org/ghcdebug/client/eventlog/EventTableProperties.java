package org.ghcdebug.client.eventlog;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.ghcdebug.protocol.eventlog.Event;
import org.ghcdebug.protocol.eventlog.EventCursor;

class EventTableProperties {
  private static byte[] payload(long address, String name) {
    byte[] text =
        (name + "\0" + "18\0type\0label\0module\0file\0").getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(8 + text.length).putLong(address).put(text).array();
  }

  /** A small table is in memory; those of more than ten thousand entries are on disk. */
  @Property(tries = 12)
  void findsWhatAMapFinds(
      @ForAll long seed,
      @ForAll @IntRange(max = 70_000) int entries,
      @ForAll @IntRange(min = 1, max = 20) int keyBits) {
    Random random = new Random(seed);
    Map<Long, String> twin = new HashMap<>();
    EventTable table = new EventTable(169);
    EventCursor cursor = new EventCursor();
    for (int i = 0; i < entries; i++) {
      // Addresses of info tables lie 16 bytes or so apart.
      long key = 0x40_0000L + 16L * random.nextInt(1 << keyBits);
      String name = "n" + random.nextInt(5) + "x".repeat(random.nextInt(60));
      byte[] payload = payload(key, name);
      cursor.set(payload, 0, payload.length, 169, 169, -1, 0, 0, false, payload.length);
      table.put(key, cursor);
      twin.put(key, name);
    }

    assertEquals(twin.size(), table.size());
    for (int i = 0; i < 1 << Math.min(keyBits, 12); i++) {
      long key = 0x40_0000L + 16L * random.nextInt(1 << keyBits);
      String found =
          table.find(key) instanceof Event.InfoTableProv entry ? entry.tableName() : null;
      assertEquals(twin.get(key), found);
    }
    twin.forEach(
        (key, name) -> assertEquals(name, ((Event.InfoTableProv) table.find(key)).tableName()));
  }
}
