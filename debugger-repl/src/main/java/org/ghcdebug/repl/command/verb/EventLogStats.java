package org.ghcdebug.repl.command.verb;

import java.util.List;
import org.ghcdebug.client.eventlog.EventLogs;
import org.ghcdebug.client.eventlog.EventStats;
import org.ghcdebug.repl.command.Session;
import org.ghcdebug.repl.command.Verb;
import org.ghcdebug.repl.render.Column;
import org.ghcdebug.repl.render.Shape;
import org.ghcdebug.repl.render.View;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** How many events of each kind. */
@Command(
    name = "eventlog stats",
    header = "Count the events of an eventlog by kind.",
    footer = {"", "Example:", "  ghc-debug eventlog stats app.eventlog"})
final class EventLogStats implements Verb {
  /** Over all kinds. */
  record Totals(long events, long bytes, long durationNanos, boolean truncated) {}

  private static final Shape<EventStats.Row, Totals> SHAPE =
      Shape.table(
          "eventlog stats",
          List.of(
              new Column.Text<>("event", EventStats.Row::event),
              new Column.Id<>("id", row -> (long) row.id()),
              new Column.Count<>("count", EventStats.Row::count),
              new Column.Bytes<>("bytes", EventStats.Row::bytes)),
          List.of(
              new Column.Count<>("events", Totals::events),
              new Column.Bytes<>("bytes", Totals::bytes),
              new Column.Nanos<>("durationNanos", Totals::durationNanos),
              new Column.Flag<>("truncated", Totals::truncated)));

  @Parameters(
      paramLabel = "SOURCE",
      description = "A file, - for standard input, a Unix socket or tcp://HOST:PORT.")
  private String source = "";

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
    EventStats.Result stats = EventLogs.stats(EventLogReading.source(source), session.work());
    var totals =
        new Totals(stats.events(), stats.bytes(), stats.durationNanos(), stats.truncated());
    return View.of(SHAPE, stats.rows(), EventLogReading.summary(stats, totals));
  }
}
