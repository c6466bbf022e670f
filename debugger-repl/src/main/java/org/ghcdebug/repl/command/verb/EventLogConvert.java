package org.ghcdebug.repl.command.verb;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.ghcdebug.client.eventlog.EventStats;
import org.ghcdebug.client.eventlog.EventVisitors;
import org.ghcdebug.client.eventlog.LogInfo;
import org.ghcdebug.client.eventlog.ProfileAnalysis;
import org.ghcdebug.client.eventlog.export.ChromeTrace;
import org.ghcdebug.client.eventlog.export.EventRows;
import org.ghcdebug.client.eventlog.export.HeapProfileExports;
import org.ghcdebug.client.eventlog.export.StackExports;
import org.ghcdebug.client.eventlog.source.LogSource;
import org.ghcdebug.client.eventlog.source.OrderedLog;
import org.ghcdebug.protocol.eventlog.Event;
import org.ghcdebug.protocol.eventlog.EventVisitor;
import org.ghcdebug.repl.command.Session;
import org.ghcdebug.repl.command.UsageException;
import org.ghcdebug.repl.command.Verb;
import org.ghcdebug.repl.render.Column;
import org.ghcdebug.repl.render.Layout;
import org.ghcdebug.repl.render.Rows;
import org.ghcdebug.repl.render.Shape;
import org.ghcdebug.repl.render.View;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A log in the format of another tool. */
@Command(
    name = "eventlog convert",
    header = "Write an eventlog in the format of another tool.",
    footer = {
      "",
      "Example:",
      "  ghc-debug eventlog convert app.eventlog --as chrome -o app.trace.json"
    })
final class EventLogConvert implements Verb {
  private static final Shape<String, Void> SHAPE =
      new Shape<>(
          "eventlog convert",
          new Layout.Verbatim<>(line -> line),
          List.of(new Column.Text<>("text", line -> line)),
          List.of());

  @Parameters(
      paramLabel = "SOURCE",
      description = "A file, - for standard input, a Unix socket or tcp://HOST:PORT.")
  private String source = "";

  @Option(
      names = "--as",
      paramLabel = "FORMAT",
      required = true,
      description =
          "ndjson or csv: events; chrome: a trace for Perfetto and Chrome; speedscope or folded:"
              + " the sampled stacks; hp: the heap profile for hp2ps.")
  private String as = "";

  private final List<String> notes = new ArrayList<>();

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
    LogSource log = EventLogReading.source(source);
    var stats = new EventStats();
    var work = new EventLogReading.UntilStopped(session.work());
    Rows<String> rows =
        switch (as) {
          case "ndjson" ->
              sink -> events(log, stats, work, EventRows.ndjson(new Lines(sink, work)));
          case "csv" -> sink -> work.run(() -> csv(log, stats, work, new Lines(sink, work)));
          case "chrome" ->
              sink -> {
                var lines = new Lines(sink, work);
                work.run(
                    () -> {
                      var trace = new ChromeTrace(lines);
                      OrderedLog.read(log, EventVisitors.all(stats, trace), work);
                      trace.finish();
                    });
              };
          case "speedscope", "folded", "hp" ->
              sink -> work.run(() -> profile(log, stats, work, new Lines(sink, work)));
          default ->
              throw new UsageException(
                  "--as: \"%s\"; expected ndjson, csv, chrome, speedscope, folded or hp"
                      .formatted(as));
        };
    return new View<>(
        SHAPE, rows, () -> EventLogReading.<Void>summary(stats.result(), null).withNotes(notes));
  }

  private static void events(
      LogSource log, EventStats stats, EventLogReading.UntilStopped work, EventVisitor rows) {
    work.run(() -> OrderedLog.read(log, EventVisitors.all(stats, rows), work));
  }

  private static void csv(
      LogSource log, EventStats stats, EventLogReading.UntilStopped work, Lines lines) {
    OrderedLog.read(log, EventVisitors.all(stats, EventRows.csv(lines)), work);
  }

  private void profile(
      LogSource log, EventStats stats, EventLogReading.UntilStopped work, Lines lines) {
    var profiles = new ProfileAnalysis();
    var info = new LogInfo();
    OrderedLog.read(log, EventVisitors.all(stats, info, profiles), work);
    String job = String.join(" ", info.arguments());
    ProfileAnalysis.Samples samples = profiles.costCentreSamples();
    if (samples.samples() == 0) {
      samples = profiles.callStackSamples();
    }
    if (as.equals("hp")) {
      if (profiles.heapProfile().samples().isEmpty()) {
        notes.add("the log has no samples of a heap profile; run the program with +RTS -l -hT");
      }
    } else if (samples.samples() == 0) {
      notes.add("the log has no samples of stacks; run a profiled program with +RTS -l -p");
    }
    switch (as) {
      case "speedscope" -> StackExports.speedscope(job, samples, lines);
      case "folded" -> StackExports.folded(samples, lines);
      default ->
          HeapProfileExports.hp(
              profiles.heapProfile(),
              job,
              Instant.EPOCH.plusNanos(info.wallClockBaseNanos().orElse(0)),
              label -> profiles.infoTable(label).map(EventLogConvert::name).orElse(label),
              lines);
    }
  }

  /** An info table as people know it; {@code -hi} profiles have its address. */
  private static String name(Event.InfoTableProv table) {
    String name = table.label().isEmpty() ? table.tableName() : table.label();
    return table.module()
        + ":"
        + name
        + (table.sourceLocation().isEmpty() ? "" : " (" + table.sourceLocation() + ")");
  }

  /** Gives text on, line by line. */
  private static final class Lines implements Appendable {
    private final StringBuilder open = new StringBuilder();
    private final Predicate<? super String> sink;
    private final EventLogReading.UntilStopped work;

    Lines(Predicate<? super String> sink, EventLogReading.UntilStopped work) {
      this.sink = sink;
      this.work = work;
    }

    @Override
    public Appendable append(CharSequence text) {
      open.append(text);
      int start = 0;
      for (int end = open.indexOf("\n"); end >= 0; end = open.indexOf("\n", start)) {
        if (!sink.test(open.substring(start, end))) {
          work.stop();
          work.checkStopped();
        }
        start = end + 1;
      }
      open.delete(0, start);
      return this;
    }

    @Override
    public Appendable append(CharSequence text, int start, int end) {
      return append(text.subSequence(start, end));
    }

    @Override
    public Appendable append(char c) {
      return append(String.valueOf(c));
    }
  }
}
