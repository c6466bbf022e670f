package org.ghcdebug.repl.command.verb;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.ghcdebug.client.eventlog.EventStats;
import org.ghcdebug.client.eventlog.EventVisitors;
import org.ghcdebug.client.eventlog.SchedulerAnalysis;
import org.ghcdebug.client.eventlog.SchedulerAnalysis.CapabilityTimes;
import org.ghcdebug.client.eventlog.SchedulerAnalysis.ThreadTimes;
import org.ghcdebug.client.eventlog.source.OrderedLog;
import org.ghcdebug.repl.command.Session;
import org.ghcdebug.repl.command.Verb;
import org.ghcdebug.repl.render.Column;
import org.ghcdebug.repl.render.Shape;
import org.ghcdebug.repl.render.View;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What threads did with their time. */
@Command(
    name = "eventlog profile",
    header = "Show how long each thread ran, waited to run, and was blocked.",
    description = {
      "",
      "Times reach from the first to the last event of the log. The state is unknown of a thread",
      "that the log only has the label of. blockedOn is what the thread was blocked on for the",
      "longest time. The capabilities' time is in the totals: threads ran on them (mutator),",
      "collected (gc), or did neither (idle)."
    },
    footer = {"", "Example:", "  ghc-debug eventlog profile app.eventlog --sort blockedNanos"})
final class EventLogProfile implements Verb {
  /**
   * @param threads rows
   * @param productivityPercent mutator time as a share of mutator and GC time; null without either
   */
  record Totals(
      long threads,
      long capabilities,
      long durationNanos,
      long mutatorNanos,
      long gcNanos,
      long idleNanos,
      @Nullable Double productivityPercent) {}

  private static final Shape<ThreadTimes, Totals> SHAPE =
      Shape.table(
          "eventlog profile",
          List.of(
              new Column.Id<>("thread", ThreadTimes::threadId),
              new Column.Text<>("label", row -> row.label().isEmpty() ? null : row.label()),
              new Column.Text<>("state", EventLogProfile::state),
              new Column.Count<>("runs", ThreadTimes::runs),
              new Column.Nanos<>("runningNanos", ThreadTimes::runningNanos),
              new Column.Nanos<>("queuedNanos", ThreadTimes::queuedNanos),
              new Column.Nanos<>("foreignNanos", ThreadTimes::foreignNanos),
              new Column.Nanos<>("blockedNanos", EventLogProfile::blocked),
              new Column.Text<>("blockedOn", EventLogProfile::blockedOn),
              new Column.Nanos<>("firstNanos", ThreadTimes::firstNanos),
              new Column.Nanos<>("lastNanos", ThreadTimes::lastNanos)),
          List.of(
              new Column.Count<>("threads", Totals::threads),
              new Column.Count<>("capabilities", Totals::capabilities),
              new Column.Nanos<>("durationNanos", Totals::durationNanos),
              new Column.Nanos<>("mutatorNanos", Totals::mutatorNanos),
              new Column.Nanos<>("gcNanos", Totals::gcNanos),
              new Column.Nanos<>("idleNanos", Totals::idleNanos),
              new Column.Decimal<>("productivityPercent", Totals::productivityPercent)));

  @Parameters(
      paramLabel = "SOURCE",
      description = "A file, - for standard input, a Unix socket or tcp://HOST:PORT.")
  private String source = "";

  @Option(names = "--sparks", description = "Only threads that were made to run sparks.")
  private boolean onlySparks;

  private static String state(ThreadTimes row) {
    return row.finished()
        ? "finished"
        : row.state() == null ? "unknown" : row.state().toString().toLowerCase(Locale.ROOT);
  }

  private static long blocked(ThreadTimes row) {
    return row.blockedNanos().values().stream().mapToLong(Long::longValue).sum();
  }

  private static @Nullable String blockedOn(ThreadTimes row) {
    return row.blockedNanos().entrySet().stream()
        .max(Map.Entry.<String, Long>comparingByValue().thenComparing(Map.Entry.comparingByKey()))
        .map(Map.Entry::getKey)
        .orElse(null);
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
    var stats = new EventStats();
    var scheduler = new SchedulerAnalysis();
    OrderedLog.read(
        EventLogReading.source(source), EventVisitors.all(stats, scheduler), session.work());
    SchedulerAnalysis.Result found = scheduler.result();
    List<ThreadTimes> rows =
        found.threads().stream()
            .filter(row -> !onlySparks || row.spark())
            .sorted(Comparator.comparingLong(ThreadTimes::threadId))
            .toList();
    List<CapabilityTimes> capabilities = found.capabilities();
    var totals =
        new Totals(
            rows.size(),
            capabilities.size(),
            found.lastNanos() - found.firstNanos(),
            capabilities.stream().mapToLong(CapabilityTimes::mutatorNanos).sum(),
            capabilities.stream().mapToLong(CapabilityTimes::gcNanos).sum(),
            capabilities.stream().mapToLong(CapabilityTimes::idleNanos).sum(),
            Double.isNaN(found.productivity()) ? null : 100 * found.productivity());
    return View.of(SHAPE, rows, EventLogReading.summary(stats.result(), totals));
  }
}
