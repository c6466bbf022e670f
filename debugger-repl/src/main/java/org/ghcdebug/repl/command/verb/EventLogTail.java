package org.ghcdebug.repl.command.verb;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.ghcdebug.client.eventlog.EventStats;
import org.ghcdebug.client.eventlog.EventVisitors;
import org.ghcdebug.client.eventlog.source.LiveLogs;
import org.ghcdebug.client.eventlog.source.LiveOrder;
import org.ghcdebug.client.eventlog.source.LogSource;
import org.ghcdebug.client.eventlog.source.RetryPolicy;
import org.ghcdebug.protocol.eventlog.ControlMessage;
import org.ghcdebug.protocol.eventlog.EventVisitor;
import org.ghcdebug.repl.command.Session;
import org.ghcdebug.repl.command.TokenOption;
import org.ghcdebug.repl.command.Verb;
import org.ghcdebug.repl.render.Rows;
import org.ghcdebug.repl.render.Shape;
import org.ghcdebug.repl.render.View;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The events of a live log as they come. */
@Command(
    name = "eventlog tail",
    header = "Follow the events of a live eventlog.",
    description = {
      "",
      "Events come in time order, one flush behind: run the program with"
          + " --eventlog-flush-interval.",
      "A program with our debuggee library sends its eventlog over its debug socket, too, without",
      "+RTS -l: what it was started with, the user's events, and the collector's with +RTS -T."
    },
    footer = {
      "",
      "Example:",
      "  ghc-debug eventlog tail app-eventlog.sock --class user --reconnect"
    })
final class EventLogTail implements Verb {
  /** Memory for events that wait for their turn; a queue that grows needs more for a moment. */
  static final long ORDER_BYTES = Math.min(64L << 20, Runtime.getRuntime().maxMemory() / 8);

  private static final Shape<EventLogFilter.Row, Void> SHAPE =
      new Shape<>("eventlog tail", EventLogFilter.LAYOUT, EventLogFilter.COLUMNS, List.of());

  @Parameters(
      paramLabel = "SOURCE",
      description = "A file that grows, a pipe, - , a Unix socket or tcp://HOST:PORT.")
  private String source = "";

  @Mixin private EventLogFilter filter = new EventLogFilter();

  @Mixin private EventLogControl control = new EventLogControl();

  @Mixin private TokenOption token = new TokenOption();

  @Option(names = "--reconnect", description = "Open the source again whenever it ends.")
  private boolean reconnect;

  @Option(names = "--copy", paramLabel = "FILE", description = "Also write the raw log to FILE.")
  private @Nullable Path copy;

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
    LogSource log = EventLogReading.liveSource(source, token);
    List<ControlMessage> commands = control.commands(log);
    var stats = new EventStats();
    var work = new EventLogReading.UntilStopped(session.work());
    Rows<EventLogFilter.Row> rows =
        sink ->
            work.run(
                () -> {
                  var logs = new LiveLogs(List.of(log), options(reconnect, copy));
                  logs.run(new Follower(stats, choose(sink, work), logs, commands), work);
                });
    return new View<>(SHAPE, rows, () -> EventLogReading.followed(log, stats.result()));
  }

  static LiveLogs.Options options(boolean reconnect, @Nullable Path copy) {
    RetryPolicy retry = reconnect ? RetryPolicy.every(Duration.ofSeconds(1)) : RetryPolicy.NONE;
    return new LiveLogs.Options(
        retry, reconnect, true, Optional.ofNullable(copy), Duration.ofSeconds(1));
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

  /** Counts what comes, puts it in order, and lets go of what waits for blocks that do not come. */
  static class Follower implements LiveLogs.Listener {
    private static final int PATIENCE_TICKS = 3;

    private final EventStats stats;
    private final LiveOrder order;
    private final LiveLogs logs;
    private final List<ControlMessage> commands;
    private long eventsAtLastTick;
    private int quietTicks;

    /**
     * @param commands sent to the program each time it is connected
     */
    Follower(EventStats stats, EventVisitor inOrder, LiveLogs logs, List<ControlMessage> commands) {
      this.stats = stats;
      this.logs = logs;
      this.commands = commands;
      this.order = new LiveOrder(inOrder, ORDER_BYTES);
    }

    @Override
    public EventVisitor visitor(LogSource source) {
      return EventVisitors.all(stats, order);
    }

    @Override
    public void opened(LogSource source) {
      EventLogControl.send(logs, source, commands);
    }

    @Override
    public void tick(long nanoTime) {
      long events = stats.events();
      quietTicks = events == eventsAtLastTick ? quietTicks + 1 : 0;
      eventsAtLastTick = events;
      if (quietTicks == PATIENCE_TICKS) {
        order.expire();
      }
    }
  }
}
