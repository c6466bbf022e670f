package org.ghcdebug.client.eventlog.export;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import org.ghcdebug.protocol.eventlog.Bytes;
import org.ghcdebug.protocol.eventlog.Event;
import org.ghcdebug.protocol.eventlog.EventCursor;
import org.ghcdebug.protocol.eventlog.EventText;
import org.ghcdebug.protocol.eventlog.EventType;
import org.ghcdebug.protocol.eventlog.EventVisitor;
import org.ghcdebug.protocol.eventlog.StopStatus;
import org.ghcdebug.protocol.eventlog.TimedEvent;
import org.jspecify.annotations.Nullable;

/**
 * One row for each event, in the order in which they come.
 *
 * <p>NDJSON rows are objects with {@code timeNanos}, {@code capability} (null for the global
 * buffer), {@code event} (ghc-events' name), {@code id}, the event's own fields under {@code
 * fields}, and its {@code text}. CSV rows have the columns {@code
 * timeNanos,capability,id,event,text} as RFC 4180 has it.
 */
public final class EventRows implements EventVisitor {
  private static final Map<Class<?>, RecordComponent[]> COMPONENTS = new ConcurrentHashMap<>();

  private final Appendable out;
  private final boolean csv;

  private EventRows(Appendable out, boolean csv) {
    this.out = out;
    this.csv = csv;
  }

  /** A visitor that writes NDJSON. */
  public static EventRows ndjson(Appendable out) {
    return new EventRows(out, false);
  }

  /** A visitor that writes CSV; writes the heading at once. */
  public static EventRows csv(Appendable out) {
    EventRows rows = new EventRows(out, true);
    rows.append("timeNanos,capability,id,event,text\r\n");
    return rows;
  }

  @Override
  public void event(EventCursor cursor) {
    TimedEvent event = cursor.toTimedEvent();
    if (csv) {
      append(
          Long.toUnsignedString(event.timestampNanos())
              + ","
              + (event.capability() < 0 ? "" : event.capability())
              + ","
              + cursor.id()
              + ","
              + EventType.nameOf(cursor.id())
              + ","
              + quoted(EventText.of(event.event()))
              + "\r\n");
    } else {
      Json json = new Json(out);
      json.raw("{\"timeNanos\":")
          .raw(Long.toUnsignedString(event.timestampNanos()))
          .raw(",\"capability\":")
          .raw(event.capability() < 0 ? "null" : Integer.toString(event.capability()))
          .raw(",\"event\":")
          .string(EventType.nameOf(cursor.id()))
          .raw(",\"id\":")
          .raw(Integer.toString(cursor.id()))
          .raw(",\"fields\":");
      fields(json, event.event());
      json.raw(",\"text\":").string(EventText.of(event.event())).raw("}\n");
    }
  }

  private void append(String text) {
    try {
      out.append(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String quoted(String text) {
    return text.matches("[^\",\\r\\n]*") ? text : '"' + text.replace("\"", "\"\"") + '"';
  }

  private static void fields(Json json, Event event) {
    json.raw("{");
    String separator = "";
    for (RecordComponent component :
        COMPONENTS.computeIfAbsent(event.getClass(), Class::getRecordComponents)) {
      json.raw(separator).key(component.getName());
      separator = ",";
      try {
        value(json, component.getAccessor().invoke(event));
      } catch (IllegalAccessException | InvocationTargetException e) {
        throw new IllegalStateException("a public record's accessor failed", e);
      }
    }
    json.raw("}");
  }

  private static void value(Json json, @Nullable Object value) {
    switch (value) {
      case null -> json.raw("null");
      // Addresses and task ids need all 64 bits, which JSON readers do not keep as numbers.
      case Long number when number < -1 || number > 1L << 53 ->
          json.string("0x" + Long.toHexString(number));
      case Number number -> json.raw(number.toString());
      case OptionalLong optional ->
          value(json, optional.isPresent() ? (Object) optional.getAsLong() : null);
      case Optional<?> optional -> value(json, optional.orElse(null));
      case StopStatus status -> json.string(status.label());
      case Bytes bytes -> json.string(bytes.toString());
      case List<?> list -> {
        json.raw("[");
        for (int i = 0; i < list.size(); i++) {
          json.raw(i > 0 ? "," : "");
          value(json, list.get(i));
        }
        json.raw("]");
      }
      default -> json.string(value.toString());
    }
  }
}
