package org.ghcdebug.repl.command.verb;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.function.Predicate;
import org.ghcdebug.client.eventlog.EventStats;
import org.ghcdebug.client.eventlog.EventVisitors;
import org.ghcdebug.client.eventlog.LiveSummary;
import org.ghcdebug.client.eventlog.source.LiveLogs;
import org.ghcdebug.client.eventlog.source.LogSource;
import org.ghcdebug.client.eventlog.source.OrderedLog;
import org.ghcdebug.protocol.error.SourceUnavailableException;
import org.ghcdebug.protocol.eventlog.ControlMessage;
import org.ghcdebug.protocol.eventlog.EventCursor;
import org.ghcdebug.protocol.eventlog.EventVisitor;
import org.ghcdebug.protocol.eventlog.LogEnd;
import org.ghcdebug.protocol.eventlog.LogHeader;
import org.ghcdebug.repl.command.Session;
import org.ghcdebug.repl.command.TokenOption;
import org.ghcdebug.repl.command.Verb;
import org.ghcdebug.repl.render.Column;
import org.ghcdebug.repl.render.Layout;
import org.ghcdebug.repl.render.Rows;
import org.ghcdebug.repl.render.Shape;
import org.ghcdebug.repl.render.Values;
import org.ghcdebug.repl.render.View;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Memory and collections, one line a second. */
@Command(
    name = "eventlog summary",
    header = "Sum up memory and collections, one line a second.",
    description = {
      "",
      "Live sources give a line each second of real time, whether or not something happened; a"
          + " file",
      "gives a line for each second of the program's time."
    },
    footer = {"", "Example:", "  ghc-debug eventlog summary app-eventlog.sock"})
final class EventLogSummary implements Verb {
  private static final long SECOND = 1_000_000_000;

  private static final Shape<LiveSummary.Line, Void> SHAPE =
      new Shape<>(
          "eventlog summary",
          new Layout.Lines<>(EventLogSummary::text),
          List.of(
              new Column.Nanos<>("timeNanos", LiveSummary.Line::timestampNanos),
              new Column.Bytes<>("liveBytes", line -> known(line.heap().liveBytes())),
              new Column.Bytes<>("heapBytes", line -> known(line.heap().sizeBytes())),
              new Column.Bytes<>("blocksBytes", line -> known(line.heap().blocksBytes())),
              new Column.Count<>("mblocksCurrent", line -> known(line.heap().mblocksCurrent())),
              new Column.Count<>("mblocksNeeded", line -> known(line.heap().mblocksNeeded())),
              new Column.Count<>("mblocksReturned", line -> known(line.heap().mblocksReturned())),
              new Column.Bytes<>(
                  "allocatedBytesPerSecond", line -> Math.round(line.allocatedPerSecond())),
              new Column.Bytes<>(
                  "copiedBytesPerSecond", line -> Math.round(line.copiedPerSecond())),
              new Column.Count<>("minorCollections", EventLogSummary::minor),
              new Column.Count<>("majorCollections", EventLogSummary::major),
              new Column.Nanos<>("pauseNanos", LiveSummary.Line::pauseNanos),
              new Column.Nanos<>("longestPauseNanos", LiveSummary.Line::longestPauseNanos),
              new Column.Decimal<>("gcPercent", line -> 100 * line.gcShare()),
              new Column.Decimal<>("mutatorPercent", line -> 100 * line.mutatorShare()),
              new Column.Count<>("threadsRunning", LiveSummary.Line::threadsRunning),
              new Column.Count<>("threadsBlocked", LiveSummary.Line::threadsBlocked),
              new Column.Count<>("threadsTotal", LiveSummary.Line::threadsTotal),
              new Column.Count<>("sparksConverted", LiveSummary.Line::sparksConverted),
              new Column.Count<>("sparksCreated", LiveSummary.Line::sparksCreated),
              new Column.Count<>("messages", LiveSummary.Line::messages),
              new Column.Nanos<>("lagNanos", line -> known(line.lagNanos()))),
          List.of());

  @Parameters(
      paramLabel = "SOURCE",
      description = "A file, a pipe, - for standard input, a Unix socket or tcp://HOST:PORT.")
  private String source = "";

  @Mixin private EventLogControl control = new EventLogControl();

  @Mixin private TokenOption token = new TokenOption();

  @Option(names = "--reconnect", description = "Open the source again whenever it ends.")
  private boolean reconnect;

  private static @Nullable Long known(OptionalLong value) {
    return value.isPresent() ? value.getAsLong() : null;
  }

  private static long minor(LiveSummary.Line line) {
    return line.collections().getOrDefault(0, 0L);
  }

  private static long major(LiveSummary.Line line) {
    return line.collections().values().stream().mapToLong(Long::longValue).sum() - minor(line);
  }

  private static String bytes(OptionalLong value) {
    return value.isPresent() ? Values.bytes(value.getAsLong()) : "-";
  }

  private static String text(LiveSummary.Line line) {
    return String.format(
        Locale.ROOT,
        "%9.3f s  live %9s  heap %9s  blocks %9s  alloc/s %10s  copied/s %10s  GC %d+%d  pause"
            + " %.1f/%.1f ms  GC %4.1f%%  mut %5.1f%%  threads %d/%d/%d  sparks %d/%d  msgs %d%s",
        line.timestampNanos() / 1e9,
        bytes(line.heap().liveBytes()),
        bytes(line.heap().sizeBytes()),
        bytes(line.heap().blocksBytes()),
        Values.bytes(Math.round(line.allocatedPerSecond())),
        Values.bytes(Math.round(line.copiedPerSecond())),
        minor(line),
        major(line),
        line.pauseNanos() / 1e6,
        line.longestPauseNanos() / 1e6,
        100 * line.gcShare(),
        100 * line.mutatorShare(),
        line.threadsRunning(),
        line.threadsBlocked(),
        line.threadsTotal(),
        line.sparksConverted(),
        line.sparksCreated(),
        line.messages(),
        line.lagNanos().isPresent()
            ? String.format(Locale.ROOT, "  lag %.1f s", line.lagNanos().getAsLong() / 1e9)
            : "");
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
    LogSource log = EventLogReading.liveSource(source, token);
    List<ControlMessage> commands = control.commands(log);
    var stats = new EventStats();
    var work = new EventLogReading.UntilStopped(session.work());
    boolean finished = !source.equals("-") && Files.isRegularFile(Path.of(log.name()));
    Rows<LiveSummary.Line> rows =
        sink ->
            work.run(
                () -> {
                  var lines = new Lines(sink, work);
                  if (finished) {
                    OrderedLog.read(log, EventVisitors.all(stats, lines.byProgramTime()), work);
                  } else {
                    var logs = new LiveLogs(List.of(log), EventLogTail.options(reconnect, null));
                    logs.run(new Pace(stats, lines, logs, commands), work);
                  }
                });
    return new View<>(SHAPE, rows, () -> EventLogReading.summary(stats.result(), null));
  }

  /** Gives a line at each tick of the real clock. */
  private static final class Pace extends EventLogTail.Follower {
    private final Lines lines;

    Pace(EventStats stats, Lines lines, LiveLogs logs, List<ControlMessage> commands) {
      super(stats, lines.summary, logs, commands);
      this.lines = lines;
    }

    @Override
    public void tick(long nanoTime) {
      super.tick(nanoTime);
      lines.give(true);
    }

    @Override
    public void closed(LogSource source, @Nullable SourceUnavailableException problem) {
      lines.give(true);
    }
  }

  private static final class Lines {
    private final LiveSummary summary = new LiveSummary();
    private final Predicate<? super LiveSummary.Line> sink;
    private final EventLogReading.UntilStopped work;

    Lines(Predicate<? super LiveSummary.Line> sink, EventLogReading.UntilStopped work) {
      this.sink = sink;
      this.work = work;
    }

    /**
     * @param live whether the reader's clock says anything about the log
     */
    void give(boolean live) {
      LiveSummary.Line line = summary.line(System.currentTimeMillis() * 1_000_000);
      if (!sink.test(live ? line : line.withoutLag())) {
        work.stop();
        work.checkStopped();
      }
    }

    EventVisitor byProgramTime() {
      return new EventVisitor() {
        private long next = Long.MIN_VALUE;

        @Override
        public void header(LogHeader header) {
          summary.header(header);
          next = Long.MIN_VALUE;
        }

        @Override
        public void event(EventCursor event) {
          if (event.id() != 18) {
            if (next == Long.MIN_VALUE) {
              next = event.timestampNanos() + SECOND;
            }
            while (event.timestampNanos() >= next) {
              summary.advanceTo(next);
              give(false);
              next += SECOND;
            }
          }
          summary.event(event);
        }

        @Override
        public void end(LogEnd end) {
          give(false);
        }
      };
    }
  }
}
