package org.ghcdebug.repl.command.verb;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import org.ghcdebug.client.eventlog.EventStats;
import org.ghcdebug.client.eventlog.EventVisitors;
import org.ghcdebug.client.eventlog.source.LogSource;
import org.ghcdebug.client.eventlog.source.OrderedLog;
import org.ghcdebug.protocol.eventlog.EventVisitor;
import org.ghcdebug.repl.command.Session;
import org.ghcdebug.repl.command.Verb;
import org.ghcdebug.repl.render.Rows;
import org.ghcdebug.repl.render.Shape;
import org.ghcdebug.repl.render.View;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The events of a finished log in time order. */
@Command(
    name = "eventlog show",
    header = "Show the events of an eventlog in time order.",
    description = {
      "",
      "Grouped by thread or capability, all chosen events are held in memory; else none are."
    },
    footer = {
      "",
      "Example:",
      "  ghc-debug eventlog show app.eventlog --class user,gc --from 2s --grep 'marker: '"
    })
final class EventLogShow implements Verb {
  private static final Shape<EventLogFilter.Row, Void> SHAPE =
      new Shape<>("eventlog show", EventLogFilter.LAYOUT, EventLogFilter.COLUMNS, List.of());

  @Parameters(
      paramLabel = "SOURCE",
      description = "A file, - for standard input, a Unix socket or tcp://HOST:PORT.")
  private String source = "";

  @Mixin private EventLogFilter filter = new EventLogFilter();

  @Option(
      names = "--by",
      paramLabel = "ORDER",
      description = "time, threads or caps: one after the other; time unless given.")
  private Order by = Order.TIME;

  enum Order {
    TIME,
    THREADS,
    CAPS
  }

  @Override
  public Shape<?, ?> shape() {
    return SHAPE;
  }

  @Override
  public boolean needsTarget() {
    return false;
  }

  @Override
  public View<?, ?> run(Session session) {
    filter.prepare();
    Comparator<EventLogFilter.Row> order =
        switch (by) {
          case TIME -> null;
          case THREADS ->
              Comparator.comparing(
                  EventLogFilter.Row::thread, Comparator.nullsLast(Comparator.naturalOrder()));
          case CAPS ->
              Comparator.comparing(
                  EventLogFilter.Row::capability, Comparator.nullsLast(Comparator.naturalOrder()));
        };
    LogSource log = EventLogReading.source(source);
    var stats = new EventStats();
    var work = new EventLogReading.UntilStopped(session.work());
    Rows<EventLogFilter.Row> inTime =
        sink ->
            work.run(
                () -> OrderedLog.read(log, EventVisitors.all(stats, choose(sink, work)), work));
    Rows<EventLogFilter.Row> rows =
        order == null
            ? inTime
            : sink -> {
              List<EventLogFilter.Row> all = new ArrayList<>(inTime.toList());
              all.sort(order);
              new Rows.Listed<>(all).forEach(sink);
            };
    return new View<>(SHAPE, rows, () -> EventLogReading.summary(stats.result(), null));
  }

  private EventVisitor choose(
      Predicate<? super EventLogFilter.Row> sink, EventLogReading.UntilStopped work) {
    return event -> {
      EventLogFilter.Row row = filter.row(event);
      if (row != null && !sink.test(row)) {
        work.stop();
        work.checkStopped();
      }
    };
  }
}
