package org.ghcdebug.repl.command.verb;

import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.ghcdebug.protocol.eventlog.EventClass;
import org.ghcdebug.protocol.eventlog.EventCursor;
import org.ghcdebug.protocol.eventlog.EventText;
import org.ghcdebug.protocol.eventlog.EventType;
import org.ghcdebug.protocol.eventlog.TimedEvent;
import org.ghcdebug.repl.command.Durations;
import org.ghcdebug.repl.command.UsageException;
import org.ghcdebug.repl.render.Column;
import org.ghcdebug.repl.render.Layout;
import org.ghcdebug.repl.render.Tint;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that choose events, and an event as a row. */
final class EventLogFilter {
  /**
   * One event.
   *
   * @param thread the thread that it names, or that ran on its capability then; null where none did
   */
  record Row(
      long timeNanos,
      @Nullable Long capability,
      @Nullable Long thread,
      String event,
      String text,
      @Nullable EventClass eventClass) {
    /** As {@code ghc-events show} writes it. */
    String line() {
      return "%d: %s%s"
          .formatted(timeNanos, capability == null ? "" : "cap " + capability + ": ", text);
    }

    /** What people wrote stands out most, what describes the program least. */
    Tint tint() {
      return switch (eventClass) {
        case null -> Tint.FAINT;
        case USER -> Tint.GREEN;
        case GC, NONMOVING -> Tint.YELLOW;
        case SPARKS_SAMPLED, SPARKS_FULL -> Tint.CYAN;
        case PROFILING, TICKY -> Tint.MAGENTA;
        case BASE, INFO_TABLES -> Tint.FAINT;
        case SCHEDULER -> Tint.NONE;
      };
    }
  }

  /** A line for each event. */
  static final Layout<Row> LAYOUT = new Layout.Lines<>(Row::line, Row::tint);

  static final List<Column<Row>> COLUMNS =
      List.of(
          new Column.Nanos<>("timeNanos", Row::timeNanos),
          new Column.Id<>("capability", Row::capability),
          new Column.Id<>("thread", Row::thread),
          new Column.Text<>("event", Row::event),
          new Column.Text<>("text", Row::text));

  @Option(
      names = "--class",
      paramLabel = "CLASS",
      split = ",",
      description =
          "Only events of these classes: base, scheduler, gc, nonmoving, sparks, sparks-full, user,"
              + " profiling, info-tables, ticky.")
  private List<String> classes = List.of();

  @Option(names = "--thread", paramLabel = "ID", description = "Only events of this thread.")
  private @Nullable Long onlyThread;

  @Option(names = "--cap", paramLabel = "N", description = "Only events of this capability.")
  private @Nullable Integer onlyCapability;

  @Option(
      names = "--from",
      paramLabel = "DURATION",
      converter = Durations.class,
      description = "Only events from this time of the program on: 250ms, 10s, 1.5m.")
  private @Nullable Duration from;

  @Option(
      names = "--until",
      paramLabel = "DURATION",
      converter = Durations.class,
      description = "Only events up to this time of the program.")
  private @Nullable Duration until;

  @Option(
      names = "--grep",
      paramLabel = "REGEX",
      description = "Only events whose text has a match.")
  private @Nullable String grep;

  private @Nullable Pattern pattern;

  // capability -> thread that runs on it
  private final Map<Integer, Long> running = new HashMap<>();

  /**
   * Checks the options.
   *
   * @throws UsageException when one makes no sense
   */
  void prepare() {
    for (String name : classes) {
      if (!classNames().contains(name)) {
        throw new UsageException(
            "--class: \"%s\" is not a class; expected one of %s"
                .formatted(name, String.join(", ", classNames())));
      }
    }
    if (grep != null) {
      try {
        pattern = Pattern.compile(grep);
      } catch (PatternSyntaxException e) {
        throw new UsageException("--grep: not a regular expression: " + e.getDescription());
      }
    }
  }

  private static List<String> classNames() {
    return Arrays.stream(EventClass.values()).map(EventClass::label).toList();
  }

  /** The event as a row, or null where it is not wanted. Block markers are never wanted. */
  @Nullable Row row(EventCursor event) {
    int id = event.knownId();
    Long thread = thread(event, id);
    if (id == 18
        || (onlyCapability != null && onlyCapability != event.capability())
        || (onlyThread != null && !onlyThread.equals(thread))
        || (from != null && event.timestampNanos() < from.toNanos())
        || (until != null && event.timestampNanos() > until.toNanos())
        || !hasClass(event.id())) {
      return null;
    }
    EventType type = EventType.findById(event.id());
    TimedEvent value = event.toTimedEvent();
    String text = EventText.of(value.event());
    if (pattern != null && !pattern.matcher(text).find()) {
      return null;
    }
    return new Row(
        event.timestampNanos(),
        event.capability() < 0 ? null : (long) event.capability(),
        thread,
        EventType.nameOf(event.id()),
        text,
        type == null ? null : type.eventClass());
  }

  private boolean hasClass(int id) {
    if (classes.isEmpty()) {
      return true;
    }
    EventType type = EventType.findById(id);
    return type != null && classes.contains(type.eventClass().label());
  }

  private @Nullable Long thread(EventCursor event, int id) {
    return switch (id) {
      case 1 -> {
        running.put(event.capability(), event.u32(0));
        yield event.u32(0);
      }
      case 2 -> {
        running.remove(event.capability());
        yield event.u32(0);
      }
      case 0, 3, 4, 5, 6, 8, 15, 44 -> event.u32(0);
      default -> running.get(event.capability());
    };
  }
}
