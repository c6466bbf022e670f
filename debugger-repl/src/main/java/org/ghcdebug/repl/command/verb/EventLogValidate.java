package org.ghcdebug.repl.command.verb;

import java.util.ArrayList;
import java.util.List;
import org.ghcdebug.client.eventlog.EventLogs;
import org.ghcdebug.client.eventlog.LogValidator;
import org.ghcdebug.repl.command.ExitCode;
import org.ghcdebug.repl.command.Session;
import org.ghcdebug.repl.command.Verb;
import org.ghcdebug.repl.render.Column;
import org.ghcdebug.repl.render.Shape;
import org.ghcdebug.repl.render.Summary;
import org.ghcdebug.repl.render.View;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Whether a log makes sense. */
@Command(
    name = "eventlog validate",
    header = "Check an eventlog by the automata of threads, tasks and sparks.",
    description = {
      "",
      "Real logs often have violations, of threads that were there before the log above all.",
      "Exit code 1 says that there are some, 5 that the log itself is damaged."
    },
    footer = {"", "Example:", "  ghc-debug eventlog validate app.eventlog"})
final class EventLogValidate implements Verb {
  /** Violations by automaton. */
  record Totals(
      long events,
      long threads,
      long threadPool,
      long threadRun,
      long taskPool,
      long tasks,
      long sparks) {}

  private static final Shape<LogValidator.Violation, Totals> SHAPE =
      Shape.table(
          "eventlog validate",
          List.of(
              new Column.Text<>("automaton", row -> EventLogSimulate.name(row.automaton())),
              new Column.Text<>("subject", LogValidator.Violation::subject),
              new Column.Text<>("state", LogValidator.Violation::state),
              new Column.Text<>("event", LogValidator.Violation::event),
              new Column.Nanos<>("timeNanos", LogValidator.Violation::timestampNanos),
              new Column.Id<>(
                  "capability", row -> row.capability() < 0 ? null : (long) row.capability()),
              new Column.Id<>("offsetBytes", LogValidator.Violation::offsetBytes)),
          List.of(
              new Column.Count<>("events", Totals::events),
              new Column.Count<>("threads", Totals::threads),
              new Column.Count<>("threadPool", Totals::threadPool),
              new Column.Count<>("threadRun", Totals::threadRun),
              new Column.Count<>("taskPool", Totals::taskPool),
              new Column.Count<>("tasks", Totals::tasks),
              new Column.Count<>("sparks", Totals::sparks)));

  @Parameters(paramLabel = "SOURCE", description = "A file, or - for standard input.")
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
    EventLogs.Validation found = EventLogs.validate(EventLogReading.source(source), session.work());
    var automata = found.automata();
    var totals =
        new Totals(
            found.stats().events(),
            count(automata, LogValidator.Automaton.THREADS),
            count(automata, LogValidator.Automaton.THREAD_POOL),
            count(automata, LogValidator.Automaton.THREAD_RUN),
            count(automata, LogValidator.Automaton.TASK_POOL),
            count(automata, LogValidator.Automaton.TASKS),
            count(automata, LogValidator.Automaton.SPARKS));
    List<String> warnings = new ArrayList<>(EventLogReading.warnings(found.stats()));
    long all = automata.counts().values().stream().mapToLong(Long::longValue).sum();
    if (all > automata.violations().size()) {
      warnings.add("of %d violations the first of each automaton are shown".formatted(all));
    }
    int code =
        !found.stats().isComplete()
            ? ExitCode.DAMAGED
            : automata.violations().isEmpty() ? ExitCode.OK : ExitCode.FAILED;
    return View.of(
        SHAPE,
        automata.violations(),
        new Summary<>(
            found.stats().isComplete() && all == automata.violations().size(),
            warnings,
            totals,
            code,
            0));
  }

  private static long count(LogValidator.Result result, LogValidator.Automaton automaton) {
    return result.counts().getOrDefault(automaton, 0L);
  }
}
