package org.ghcdebug.repl.command.verb;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.ghcdebug.client.eventlog.EventStats;
import org.ghcdebug.client.eventlog.EventVisitors;
import org.ghcdebug.client.eventlog.LogValidator;
import org.ghcdebug.client.eventlog.source.LogSource;
import org.ghcdebug.client.eventlog.source.OrderedLog;
import org.ghcdebug.repl.command.Session;
import org.ghcdebug.repl.command.UsageException;
import org.ghcdebug.repl.command.Verb;
import org.ghcdebug.repl.render.Column;
import org.ghcdebug.repl.render.Layout;
import org.ghcdebug.repl.render.Rows;
import org.ghcdebug.repl.render.Shape;
import org.ghcdebug.repl.render.View;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What the automata of validate do, step by step. */
@Command(
    name = "eventlog simulate",
    header = "Show every step of the automata of threads, tasks and sparks.",
    description = {
      "",
      "A step that the automaton does not allow is marked and does not end the run."
    },
    footer = {
      "",
      "Example:",
      "  ghc-debug eventlog simulate app.eventlog --automaton threads --thread 7"
    })
final class EventLogSimulate implements Verb {
  /**
   * @param violations steps that are not allowed
   */
  record Totals(long events, long steps, long violations) {}

  private static final Shape<LogValidator.Transition, Totals> SHAPE =
      new Shape<>(
          "eventlog simulate",
          new Layout.Lines<>(EventLogSimulate::line),
          List.of(
              new Column.Nanos<>("timeNanos", LogValidator.Transition::timestampNanos),
              new Column.Text<>("automaton", step -> name(step.automaton())),
              new Column.Text<>("subject", LogValidator.Transition::subject),
              new Column.Text<>("before", LogValidator.Transition::before),
              new Column.Text<>("event", LogValidator.Transition::event),
              new Column.Text<>("after", LogValidator.Transition::after),
              new Column.Flag<>("valid", LogValidator.Transition::valid)),
          List.of(
              new Column.Count<>("events", Totals::events),
              new Column.Count<>("steps", Totals::steps),
              new Column.Count<>("violations", Totals::violations)));

  @Parameters(
      paramLabel = "SOURCE",
      description = "A file, - for standard input, a Unix socket or tcp://HOST:PORT.")
  private String source = "";

  @Option(
      names = "--automaton",
      paramLabel = "NAME",
      split = ",",
      description =
          "Only these: threads, threadpool, threadrun, taskpool, tasks, sparks; all unless given.")
  private List<String> automata = List.of();

  @Option(names = "--thread", paramLabel = "ID", description = "Only steps of this thread.")
  private @Nullable Long onlyThread;

  private long steps;
  private long violations;

  static String name(LogValidator.Automaton automaton) {
    return automaton.toString().toLowerCase(Locale.ROOT).replace("_", "");
  }

  private static String line(LogValidator.Transition step) {
    return "%d: %s: %s: %s -> %s by %s%s"
        .formatted(
            step.timestampNanos(),
            name(step.automaton()),
            step.subject(),
            step.before(),
            step.after(),
            step.event(),
            step.valid() ? "" : "  NOT ALLOWED");
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
    Set<LogValidator.Automaton> chosen = chosen();
    String subject = onlyThread == null ? null : "thread " + onlyThread;
    LogSource log = EventLogReading.source(source);
    var stats = new EventStats();
    var work = new EventLogReading.UntilStopped(session.work());
    Rows<LogValidator.Transition> rows =
        sink -> {
          LogValidator.StepListener listener =
              step -> {
                if (!chosen.contains(step.automaton())
                    || subject != null && !subject.equals(step.subject())) {
                  return;
                }
                steps++;
                violations += step.valid() ? 0 : 1;
                if (!sink.test(step)) {
                  work.stop();
                  work.checkStopped();
                }
              };
          work.run(
              () ->
                  OrderedLog.read(log, EventVisitors.all(stats, new LogValidator(listener)), work));
        };
    return new View<>(
        SHAPE,
        rows,
        () ->
            EventLogReading.summary(stats.result(), new Totals(stats.events(), steps, violations)));
  }

  private Set<LogValidator.Automaton> chosen() {
    if (automata.isEmpty()) {
      return EnumSet.allOf(LogValidator.Automaton.class);
    }
    Set<LogValidator.Automaton> chosen = EnumSet.noneOf(LogValidator.Automaton.class);
    for (String wanted : automata) {
      chosen.add(
          Arrays.stream(LogValidator.Automaton.values())
              .filter(automaton -> name(automaton).equals(wanted))
              .findFirst()
              .orElseThrow(
                  () ->
                      new UsageException(
                          "--automaton: \"%s\"; expected threads, threadpool, threadrun,"
                                  .formatted(wanted)
                              + " taskpool, tasks or sparks")));
    }
    return chosen;
  }
}
