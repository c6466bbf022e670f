package org.ghcdebug.protocol.eventlog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.ghcdebug.protocol.eventlog.SampleLogs.Sample;

class EventLogDecoderProperties {
  private static final int BUFFER_LIMIT = 2 << 20;

  @Provide
  Arbitrary<Sample> small() {
    return Arbitraries.of(
        SampleLogs.all().filter(sample -> sample.bytes().length < 20_000).toList());
  }

  @Example
  void everyPieceSizeGivesTheSameItems() {
    SampleLogs.all()
        .forEach(
            sample -> {
              List<LogItem> whole = SampleLogs.decode(sample.bytes(), sample.bytes().length);
              int[] pieces =
                  sample.bytes().length < 50_000
                      ? new int[] {1, 2, 3, 7, 1000}
                      : new int[] {1, 4096};
              for (int piece : pieces) {
                assertEquals(
                    whole, SampleLogs.decode(sample.bytes(), piece), sample + " by " + piece);
              }
            });
  }

  @Example
  void everyPieceSizeOfASmallLogGivesTheSameItems() {
    byte[] bytes = SampleLogs.named("synthetic/unknown-and-extended").bytes();
    List<LogItem> whole = SampleLogs.decode(bytes, bytes.length);
    for (int piece = 1; piece <= bytes.length; piece++) {
      assertEquals(whole, SampleLogs.decode(bytes, piece), "by " + piece);
    }
  }

  @Example
  void aLogCutAtAnyByteGivesAPrefixOfItsEventsAndNoDamage() {
    for (String name :
        List.of(
            "synthetic/minimal",
            "synthetic/ipe-length-overstated",
            "synthetic/ipe-length-correct",
            "synthetic/unknown-and-extended",
            "synthetic/two-caps-interleaved",
            "ghc-9.6.6/user-messages",
            "ghc-9.10.3/flush-n2")) {
      byte[] bytes = SampleLogs.named(name).bytes();
      List<TimedEvent> whole = GroundTruthTest.events(SampleLogs.decode(bytes, bytes.length));
      for (int length = 0; length < bytes.length; length++) {
        List<LogItem> items = SampleLogs.decode(Arrays.copyOf(bytes, length), 4096);
        List<TimedEvent> events = GroundTruthTest.events(items);
        assertEquals(whole.subList(0, events.size()), events, name + " cut at " + length);
        assertTrue(items.stream().noneMatch(Damage.class::isInstance), name + " at " + length);
        long accounted = items.isEmpty() ? 0 : ((LogEnd) items.getLast()).offsetBytes();
        assertEquals(length, accounted, name + " cut at " + length);
      }
    }
  }

  @Example
  void aSecondLogBehindACutOneIsFoundWhereverTheCutIs() {
    byte[] first = SampleLogs.named("ghc-9.6.6/user-messages").bytes();
    byte[] second = SampleLogs.named("synthetic/minimal").bytes();
    List<TimedEvent> firstEvents = RoundTrip.events(SampleLogs.decode(first, first.length));
    List<TimedEvent> secondEvents = RoundTrip.events(SampleLogs.decode(second, second.length));
    for (int length = 3500; length < first.length; length += 7) {
      byte[] both = Arrays.copyOf(first, length + second.length);
      System.arraycopy(second, 0, both, length, second.length);
      List<LogItem> items = SampleLogs.decode(both, 4096);
      List<TimedEvent> events = RoundTrip.events(items);
      int kept = events.size() - secondEvents.size();
      assertTrue(kept >= 0, "cut at " + length);
      for (int i = 0; i < kept; i++) {
        assertEquals(firstEvents.get(i), events.get(i), "cut at " + length);
      }
      assertEquals(secondEvents, events.subList(kept, events.size()), "cut at " + length);
      assertEquals(2, items.stream().filter(LogEnd.class::isInstance).count());
    }
  }

  @Property(tries = 150)
  void damageAnywhereGivesTheSameItemsInAnyPieces(
      @ForAll("small") Sample sample,
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 6) int hits) {
    Random random = new Random(seed);
    byte[] bytes = damage(sample.bytes(), random, hits);
    List<LogItem> whole = SampleLogs.decode(bytes, Math.max(1, bytes.length));
    assertAccounted(whole, bytes.length);
    assertSame(whole, SampleLogs.decode(bytes, 1), "by single bytes");
    assertSame(whole, SampleLogs.decode(bytes, 1 + random.nextInt(300)), "by pieces");
  }

  @Property(tries = 150)
  void arbitraryBytesGiveTypedResults(@ForAll @Size(max = 3000) byte[] bytes) {
    List<LogItem> whole = SampleLogs.decode(bytes, Math.max(1, bytes.length));
    assertAccounted(whole, bytes.length);
    assertSame(whole, SampleLogs.decode(bytes, 1), "by single bytes");
  }

  @Property(tries = 150)
  void arbitraryBytesBehindAHeaderGiveTypedResults(@ForAll @Size(max = 3000) byte[] bytes) {
    byte[] log = SampleLogs.named("ghc-9.10.3/class-user").bytes();
    byte[] joined = Arrays.copyOf(log, 3180 + bytes.length);
    System.arraycopy(bytes, 0, joined, 3180, bytes.length);
    List<LogItem> whole = SampleLogs.decode(joined, joined.length);
    assertAccounted(whole, joined.length);
    assertSame(whole, SampleLogs.decode(joined, 1), "by single bytes");
  }

  @Property(tries = 20)
  void memoryStaysBoundedWhateverComes(@ForAll long seed) {
    Random random = new Random(seed);
    byte[] header = Arrays.copyOf(SampleLogs.named("ghc-9.10.3/class-user").bytes(), 3180);
    EventLogDecoder decoder = new EventLogDecoder();
    decoder.push(header, 0, header.length);
    byte[] piece = new byte[1 << 16];
    // Small numbers are likelier to be declared ids and plausible lengths.
    int bound = 1 << (1 + random.nextInt(8));
    for (int i = 0; i < 64; i++) {
      for (int j = 0; j < piece.length; j++) {
        piece[j] = (byte) random.nextInt(bound);
      }
      decoder.push(piece, 0, piece.length);
      decoder.drain(event -> assertTrue(event.payloadLength() < BUFFER_LIMIT));
      assertTrue(decoder.bufferBytes() < BUFFER_LIMIT, decoder.bufferBytes() + " bytes held");
    }
  }

  private static void assertSame(List<LogItem> expected, List<LogItem> actual, String how) {
    for (int i = 0; i < Math.min(expected.size(), actual.size()); i++) {
      assertEquals(expected.get(i), actual.get(i), "item " + i + " " + how);
    }
    assertEquals(expected.size(), actual.size(), "items " + how);
  }

  /** Items come in order, do not overlap, and reach to the end of the input. */
  private static void assertAccounted(List<LogItem> items, long length) {
    long at = 0;
    for (LogItem item : items) {
      assertTrue(item.offsetBytes() >= 0 && item.offsetBytes() <= length, item.toString());
      if (item instanceof LogHeader) {
        continue; // comes after the damage inside it
      }
      assertTrue(item.offsetBytes() >= at || item instanceof LogEnd, item + " after " + at);
      at = item.offsetBytes() + (item instanceof Damage damage ? damage.lengthBytes() : 0);
    }
    assertEquals(length, at, "accounted");
  }

  private static byte[] damage(byte[] bytes, Random random, int hits) {
    List<Byte> changed = new ArrayList<>(bytes.length);
    for (byte b : bytes) {
      changed.add(b);
    }
    for (int i = 0; i < hits; i++) {
      int at = random.nextInt(changed.size());
      switch (random.nextInt(3)) {
        case 0 -> changed.set(at, (byte) random.nextInt());
        case 1 -> changed.add(at, (byte) random.nextInt());
        default -> {
          int until = Math.min(changed.size() - 1, at + random.nextInt(40));
          changed.subList(at, Math.max(at, until)).clear();
        }
      }
    }
    byte[] result = new byte[changed.size()];
    for (int i = 0; i < result.length; i++) {
      result[i] = changed.get(i);
    }
    return result;
  }
}
