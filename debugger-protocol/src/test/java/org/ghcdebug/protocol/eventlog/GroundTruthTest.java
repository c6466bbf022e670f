package org.ghcdebug.protocol.eventlog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.ghcdebug.protocol.eventlog.SampleLogs.Sample;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Every sample, line by line, against what ghc-events says about it. */
class GroundTruthTest {
  /** Samples on which the reference stops early, and from which more events are read here. */
  private static final List<String> MORE_THAN_THE_REFERENCE =
      List.of(
          "corrupt/ghc-9.10.3-nonthreaded-hc-p-race",
          "corrupt/ghc-9.6.6-nonthreaded-hc-p-race",
          "synthetic/invalid-utf8",
          "synthetic/trailing-garbage",
          "synthetic/truncated-in-header",
          "synthetic/undeclared-event-id");

  @TestFactory
  Stream<DynamicTest> dumpIsTheGroundTruth() {
    return SampleLogs.all()
        .filter(sample -> !MORE_THAN_THE_REFERENCE.contains(sample.name()))
        .map(sample -> DynamicTest.dynamicTest(sample.name(), () -> assertSame(sample)));
  }

  private static void assertSame(Sample sample) {
    List<String> dump = dump(SampleLogs.decode(sample.bytes(), 4096));
    for (int i = 0; i < Math.min(dump.size(), sample.truth().size()); i++) {
      assertEquals(sample.truth().get(i), dump.get(i), sample.name() + ", line " + (i + 1));
    }
    assertEquals(sample.truth().size(), dump.size(), sample.name() + ", lines");
  }

  @TestFactory
  Stream<DynamicTest> undamagedSamplesReportNoDamage() {
    return SampleLogs.all()
        .filter(sample -> !MORE_THAN_THE_REFERENCE.contains(sample.name()))
        .map(
            sample ->
                DynamicTest.dynamicTest(
                    sample.name(),
                    () ->
                        assertEquals(
                            List.of(),
                            SampleLogs.decode(sample.bytes(), 1 << 20).stream()
                                .filter(Damage.class::isInstance)
                                .toList())));
  }

  @TestFactory
  Stream<DynamicTest> readWriteReadIsTheIdentity() {
    return SampleLogs.all()
        .map(sample -> DynamicTest.dynamicTest(sample.name(), () -> RoundTrip.check(sample)));
  }

  @Test
  void damagedLogOfGhc966LosesOnlyThePartsThatARaceDestroyed() {
    assertDamaged("corrupt/ghc-9.6.6-nonthreaded-hc-p-race", 3_663, 28 + 27);
  }

  @Test
  void damagedLogOfGhc9103LosesOnlyThePartsThatARaceDestroyed() {
    assertDamaged("corrupt/ghc-9.10.3-nonthreaded-hc-p-race", 3_495, 51);
  }

  private static void assertDamaged(String name, int eventsInLastBlock, long lostBytes) {
    Sample sample = SampleLogs.named(name);
    List<LogItem> items = SampleLogs.decode(sample.bytes(), 1 << 20);
    long lost = 0;
    int inBlock = 0;
    for (LogItem item : items) {
      switch (item) {
        case Damage damage -> {
          lost += damage.lengthBytes();
          assertEquals(25165, damage.ghcIssue().orElse(0), damage.toString());
        }
        case TimedEvent event ->
            inBlock = event.event() instanceof Event.BlockMarker ? 0 : inBlock + 1;
        case LogHeader _, LogEnd _ -> {}
      }
    }
    assertTrue(inBlock >= eventsInLastBlock, inBlock + " events in the last block");
    assertTrue(lost <= lostBytes, lost + " bytes lost");
    // Up to the first damage the reference agrees, and what follows lies between its times.
    long first =
        items.stream().filter(Damage.class::isInstance).findFirst().orElseThrow().offsetBytes();
    List<String> prefix =
        dump(items.stream().filter(item -> item.offsetBytes() < first).toList()).stream()
            .dropWhile(line -> !line.startsWith("== events"))
            .filter(line -> !line.isEmpty())
            .toList();
    List<String> truth =
        sample.truth().stream().dropWhile(line -> !line.startsWith("== events")).toList();
    assertEquals(truth.subList(0, prefix.size()), prefix);
  }

  @Test
  void malformedTextIsReplacedAndNothingElseIsLost() {
    List<LogItem> items = SampleLogs.decode(SampleLogs.named("synthetic/invalid-utf8").bytes(), 7);
    List<TimedEvent> events = events(items);
    assertEquals(8, events.size());
    assertTrue(
        events.stream().anyMatch(e -> e.event().equals(new Event.UserMessage("ok \uFFFD( bad"))));
  }

  @Test
  void bytesAfterTheEndMarkerAreReported() {
    List<LogItem> items =
        SampleLogs.decode(SampleLogs.named("synthetic/trailing-garbage").bytes(), 7);
    assertEquals(9, events(items).size());
    Damage damage = (Damage) items.getLast();
    assertEquals(Damage.Reason.TRAILING_BYTES, damage.reason());
    assertEquals(17, damage.lengthBytes());
  }

  @Test
  void aHeaderCutShortGivesAnEndAndNothingElse() {
    byte[] bytes = SampleLogs.named("synthetic/truncated-in-header").bytes();
    List<LogItem> items = SampleLogs.decode(bytes, 7);
    assertEquals(1, items.size(), items.toString());
    assertTrue(
        items.getFirst() instanceof LogEnd(long offset, boolean marker, long incomplete)
            && offset == bytes.length
            && !marker
            && incomplete > 0);
  }

  @Test
  void anUndeclaredEventIsSkippedUpToTheNextPlausibleOne() {
    List<LogItem> items =
        SampleLogs.decode(SampleLogs.named("synthetic/undeclared-event-id").bytes(), 7);
    assertTrue(events(items).size() >= 7, items.toString());
    assertTrue(
        items.stream()
            .anyMatch(
                item ->
                    item instanceof Damage damage
                        && damage.reason() == Damage.Reason.UNDECLARED_EVENT));
  }

  static List<TimedEvent> events(List<LogItem> items) {
    return items.stream().filter(TimedEvent.class::isInstance).map(TimedEvent.class::cast).toList();
  }

  /** The text format of the ground truth. */
  static List<String> dump(List<LogItem> items) {
    List<String> lines = new ArrayList<>();
    lines.add("== event types declared in the header: id size(v=variable) description");
    List<TimedEvent> events = events(items);
    Map<String, Integer> counts = new TreeMap<>();
    for (LogItem item : items) {
      if (item instanceof LogHeader header) {
        for (EventDeclaration declaration : header.declarations()) {
          lines.add(
              declaration.id()
                  + "\t"
                  + (declaration.isVariable() ? "v" : declaration.sizeBytes())
                  + "\t"
                  + declaration.description());
        }
      } else if (item instanceof TimedEvent event) {
        counts.merge(EventType.nameOf(event.event().id()), 1, Integer::sum);
      }
    }
    lines.add("== decoded events: " + events.size());
    lines.add("== counts per event constructor");
    counts.forEach((name, count) -> lines.add(count + "\t" + name));
    lines.add("== events, stream order: <time ns> <cap or -> <pretty text as in ghc-events>");
    for (TimedEvent event : events) {
      String text =
          event.event() instanceof Event.BlockMarker(long size, long end, int capability)
              ? "BLOCK end=%d cap=%d bytes=%d".formatted(end, capability & 0xFFFF, size - 24)
              : EventText.of(event.event());
      String line =
          event.timestampNanos()
              + "\t"
              + (event.capability() < 0 ? "-" : event.capability())
              + "\t"
              + text;
      lines.addAll(List.of(line.split("\n", -1)));
    }
    lines.add("");
    return lines;
  }
}
