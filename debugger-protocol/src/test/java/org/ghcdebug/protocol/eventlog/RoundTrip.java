package org.ghcdebug.protocol.eventlog;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import org.ghcdebug.protocol.eventlog.SampleLogs.Sample;

/** Writes what was read, and reads it again. */
final class RoundTrip {
  private RoundTrip() {}

  static void check(Sample sample) {
    List<LogItem> first = SampleLogs.decode(sample.bytes(), 1 << 16);
    byte[] written = write(first);
    if (first.stream().noneMatch(RoundTrip::changesWhenWritten)) {
      assertEquals(Bytes.of(sample.bytes()), Bytes.of(written), "the same bytes");
    }
    assertEquals(events(first), events(SampleLogs.decode(written, 1 << 16)));
  }

  /** Whether fewer or other bytes are written than were read. */
  private static boolean changesWhenWritten(LogItem item) {
    return switch (item) {
      case Damage _ -> true;
      case LogEnd end -> end.incompleteBytes() > 0;
      case TimedEvent event ->
          event.event() instanceof Event.InfoTableProv
              || event.event().toString().contains("\uFFFD");
      case LogHeader _ -> false;
    };
  }

  /** Blocks get the size that their events have now. */
  static byte[] write(List<LogItem> items) {
    ByteBuf out = Unpooled.buffer();
    EventLogEncoder encoder = new EventLogEncoder(LogHeader.standard());
    TimedEvent marker = null;
    List<TimedEvent> block = new ArrayList<>();
    for (LogItem item : items) {
      if (item instanceof TimedEvent event && !(event.event() instanceof Event.BlockMarker)) {
        block.add(event);
        continue;
      }
      if (item instanceof Damage) {
        continue;
      }
      boolean endInside =
          item instanceof LogEnd end
              && end.endMarker()
              && marker != null
              && ((Event.BlockMarker) marker.event()).sizeBytes()
                  == end.offsetBytes() - marker.offsetBytes();
      flush(encoder, marker, block, endInside ? 2 : 0, out);
      marker = null;
      switch (item) {
        case LogHeader header -> {
          encoder = new EventLogEncoder(header);
          encoder.header(out);
        }
        case TimedEvent event -> marker = event;
        case LogEnd end -> {
          if (end.endMarker()) {
            encoder.end(out);
          }
        }
        case Damage _ -> {}
      }
    }
    return ByteBufUtil.getBytes(out);
  }

  private static void flush(
      EventLogEncoder encoder,
      TimedEvent marker,
      List<TimedEvent> block,
      int endMarkerBytes,
      ByteBuf out) {
    ByteBuf body = Unpooled.buffer();
    for (TimedEvent event : block) {
      encoder.event(event, body);
    }
    block.clear();
    if (marker != null) {
      Event.BlockMarker was = (Event.BlockMarker) marker.event();
      Event.BlockMarker is =
          new Event.BlockMarker(
              24 + marker.extra().length() + body.readableBytes() + endMarkerBytes,
              was.endTimestampNanos(),
              was.capability());
      encoder.event(
          new TimedEvent(0, marker.timestampNanos(), marker.capability(), is, marker.extra()), out);
    }
    out.writeBytes(body);
  }

  /** The events without their offsets and blocks without their sizes, which may change. */
  static List<TimedEvent> events(List<LogItem> items) {
    return items.stream()
        .filter(TimedEvent.class::isInstance)
        .map(TimedEvent.class::cast)
        .map(
            event ->
                new TimedEvent(
                    0,
                    event.timestampNanos(),
                    event.capability(),
                    event.event() instanceof Event.BlockMarker(long _, long end, int capability)
                        ? new Event.BlockMarker(0, end, capability)
                        : event.event(),
                    event.extra()))
        .toList();
  }
}
