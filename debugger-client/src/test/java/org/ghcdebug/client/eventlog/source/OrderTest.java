package org.ghcdebug.client.eventlog.source;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.ghcdebug.client.eventlog.EventLogSamples;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.protocol.eventlog.EventLogDecoder;
import org.ghcdebug.protocol.eventlog.TimedEvent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Time order, compared with a stable sort of the whole log in memory. */
class OrderTest {
  private @TempDir Path directory;

  private static List<TimedEvent> sorted(byte[] bytes) {
    List<TimedEvent> events = new ArrayList<>(EventLogSamples.events(bytes));
    events.sort(Comparator.comparingLong(TimedEvent::timestampNanos));
    return events;
  }

  private static void assertSame(List<TimedEvent> expected, List<TimedEvent> actual, Object where) {
    for (int i = 0; i < Math.min(expected.size(), actual.size()); i++) {
      assertEquals(expected.get(i), actual.get(i), where + ", event " + i);
    }
    assertEquals(expected.size(), actual.size(), where + ", events");
  }

  @Test
  void aFileInOrderIsItsStableSort() throws IOException {
    for (Path sample : EventLogSamples.files()) {
      byte[] bytes = EventLogSamples.bytes(sample);
      Path plain = Files.write(directory.resolve("plain.eventlog"), bytes);
      List<TimedEvent> actual = new ArrayList<>();
      OrderedLog.read(
          new FileLog(plain), event -> actual.add(event.toTimedEvent()), Work.UNATTENDED);
      assertSame(sorted(bytes), actual, sample);
    }
  }

  @Test
  void aCompressedFileIsOrderedToo() {
    List<TimedEvent> actual = new ArrayList<>();
    OrderedLog.read(
        new FileLog(EventLogSamples.file("ghc-9.6.6/multi-n2")),
        event -> actual.add(event.toTimedEvent()),
        Work.UNATTENDED);
    assertSame(sorted(EventLogSamples.bytes("ghc-9.6.6/multi-n2")), actual, "multi-n2");
  }

  @Test
  void aLiveLogThatFlushesComesInExactOrderAndNothingWaitsLongerThanAFlush() {
    for (String name :
        List.of(
            "ghc-9.6.6/flush-n2",
            "ghc-9.10.3/flush-n2",
            "live/ghc-9.10.3-hT-1-from-start",
            "live/ghc-9.6.6-hT-2-late-attach-control",
            "live/ghc-9.10.3-hi-late-attach",
            "live/ghc-9.6.6-hT-3-until-exit")) {
      byte[] bytes = EventLogSamples.bytes(name);
      List<TimedEvent> actual = new ArrayList<>();
      LiveOrder order = new LiveOrder(event -> actual.add(event.toTimedEvent()), 1 << 26);
      EventLogDecoder decoder = new EventLogDecoder();
      long longest = 0;
      for (int at = 0; at < bytes.length; at += 100) {
        decoder.push(bytes, at, Math.min(100, bytes.length - at));
        decoder.drain(order);
        if (order.releasedNanos() != Long.MIN_VALUE) {
          longest = Math.max(longest, order.newestNanos() - order.releasedNanos());
        }
      }
      decoder.finish();
      decoder.drain(order);
      assertSame(sorted(bytes), actual, name);
      assertEquals(0, order.lateEvents(), name);
      assertEquals(0, order.forcedReleases(), name);
      // Flushes come each second, and a block of each capability comes with each.
      assertTrue(longest < 2_500_000_000L, name + ": " + longest + " ns behind");
    }
  }

  @Test
  void aProgramThatDoesNotFlushIsHeldWithinTheLimitAndLateEventsAreCounted() {
    byte[] bytes = EventLogSamples.bytes("ghc-9.6.6/multi-n2");
    List<TimedEvent> actual = new ArrayList<>();
    LiveOrder order = new LiveOrder(event -> actual.add(event.toTimedEvent()), 20_000);
    EventLogDecoder decoder = new EventLogDecoder();
    decoder.push(bytes, 0, bytes.length);
    decoder.finish();
    decoder.drain(order);
    assertEquals(sorted(bytes).size(), actual.size());
    assertTrue(order.forcedReleases() > 0);
    assertTrue(order.lateEvents() > 0);
  }

  @Test
  void timeOrderCrossesCapabilities() {
    List<String> runs = new ArrayList<>();
    OrderedLog.read(
        new FileLog(EventLogSamples.file("synthetic/two-caps-interleaved")),
        event -> {
          if (event.knownId() == 1) {
            runs.add(event.timestampNanos() + " t" + event.u32(0) + " c" + event.capability());
          }
        },
        Work.UNATTENDED);
    assertEquals(
        List.of(
            "1000 t1 c0",
            "2000 t2 c1",
            "3000 t2 c1",
            "4000 t1 c0",
            "7000 t1 c0",
            "8000 t3 c0",
            "9000 t2 c1",
            "10000 t3 c0"),
        runs);
  }
}
