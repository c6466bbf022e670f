package org.ghcdebug.repl.command.verb;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import org.ghcdebug.client.eventlog.export.LogMerger;
import org.ghcdebug.client.eventlog.source.LogSource;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.protocol.error.IoReason;
import org.ghcdebug.protocol.error.SourceUnavailableException;
import org.ghcdebug.repl.command.ExitCode;
import org.ghcdebug.repl.command.Session;
import org.ghcdebug.repl.command.UsageException;
import org.ghcdebug.repl.command.Verb;
import org.ghcdebug.repl.render.Column;
import org.ghcdebug.repl.render.Shape;
import org.ghcdebug.repl.render.Summary;
import org.ghcdebug.repl.render.View;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** One log of several. */
@Command(
    name = "eventlog merge",
    header = "Make one eventlog of several, aligned by wall clock.",
    description = {
      "",
      "Time 0 of the result is that of the log that began first. Threads, capabilities, capability",
      "sets, cost centres and tasks of each log are numbered behind those of the logs before it.",
      "Until it is whole the result is called FILE.partial. Events are counted without the markers",
      "of blocks, which depend on how a log was written; eventlog stats lists those, too."
    },
    footer = {
      "",
      "Example:",
      "  ghc-debug eventlog merge client.eventlog server.eventlog -o both.eventlog"
    })
final class EventLogMerge implements Verb {
  /**
   * One of the logs.
   *
   * @param shiftNanos what was added to its times
   */
  record Row(String source, long events, long shiftNanos, long firstCapability, long firstThread) {}

  record Totals(String file, long fileBytes, long events) {}

  private static final Shape<Row, Totals> SHAPE =
      Shape.table(
          "eventlog merge",
          List.of(
              new Column.Text<>("source", Row::source),
              new Column.Count<>("events", Row::events),
              new Column.Nanos<>("shiftNanos", Row::shiftNanos),
              new Column.Id<>("firstCapability", Row::firstCapability),
              new Column.Id<>("firstThread", Row::firstThread)),
          List.of(
              new Column.Text<>("file", Totals::file),
              new Column.Bytes<>("fileBytes", Totals::fileBytes),
              new Column.Count<>("events", Totals::events)));

  @Parameters(
      paramLabel = "FILE",
      arity = "2..*",
      description = "Finished logs, also compressed ones; each is read twice.")
  private List<String> files = List.of();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      required = true,
      description = "The file to write; replaced if it is there.")
  private Path output = Path.of("");

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
    List<LogSource> sources = files.stream().map(LogSource::parse).toList();
    for (String file : files) {
      if (!Files.isRegularFile(Path.of(file))) {
        throw new UsageException(
            "%s is no file; logs to merge are read twice, so save it first".formatted(file));
      }
    }
    LogMerger.Result merged = write(sources, session.work());
    List<Row> rows = new ArrayList<>();
    List<String> warnings = new ArrayList<>();
    for (LogMerger.Log log : merged.logs()) {
      rows.add(
          new Row(
              log.name(),
              log.events(),
              log.shiftNanos(),
              log.firstCapability(),
              log.firstThread()));
      for (String warning : EventLogReading.warnings(log.stats())) {
        warnings.add(log.name() + ": " + warning);
      }
    }
    boolean complete = merged.logs().stream().allMatch(log -> log.stats().isComplete());
    return View.of(
        SHAPE,
        rows,
        new Summary<>(
            complete,
            warnings,
            new Totals(output.toString(), size(), merged.events()),
            complete ? ExitCode.OK : ExitCode.DAMAGED,
            0));
  }

  private LogMerger.Result write(List<LogSource> sources, Work work) {
    Path partial = output.resolveSibling(output.getFileName() + ".partial");
    try {
      LogMerger.Result merged;
      try (var out = new BufferedOutputStream(Files.newOutputStream(partial), 1 << 16)) {
        merged = LogMerger.merge(sources, out, work);
      } catch (UncheckedIOException e) {
        throw e.getCause();
      } catch (RuntimeException e) {
        Files.deleteIfExists(partial);
        throw e;
      }
      Files.move(partial, output, StandardCopyOption.REPLACE_EXISTING);
      return merged;
    } catch (IOException e) {
      throw new SourceUnavailableException(
          output.toString(),
          "cannot be written (%s); write to another file".formatted(IoReason.of(e)),
          e);
    }
  }

  private long size() {
    try {
      return Files.size(output);
    } catch (IOException e) {
      throw new SourceUnavailableException(output.toString(), "is gone again", e);
    }
  }
}
