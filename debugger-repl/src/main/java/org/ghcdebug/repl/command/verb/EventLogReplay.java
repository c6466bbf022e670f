package org.ghcdebug.repl.command.verb;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import org.ghcdebug.client.eventlog.export.LogReplay;
import org.ghcdebug.client.eventlog.export.ReplayPipe;
import org.ghcdebug.client.eventlog.export.ReplayServer;
import org.ghcdebug.client.eventlog.source.LogSource;
import org.ghcdebug.client.eventlog.source.PlainFile;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.protocol.eventlog.ControlMessage;
import org.ghcdebug.repl.command.ExitCode;
import org.ghcdebug.repl.command.Session;
import org.ghcdebug.repl.command.UsageException;
import org.ghcdebug.repl.command.Verb;
import org.ghcdebug.repl.render.Column;
import org.ghcdebug.repl.render.Layout;
import org.ghcdebug.repl.render.Rows;
import org.ghcdebug.repl.render.Shape;
import org.ghcdebug.repl.render.Summary;
import org.ghcdebug.repl.render.Values;
import org.ghcdebug.repl.render.View;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A recorded log in the part of a program that is monitored. */
@Command(
    name = "eventlog replay",
    header = "Play a recorded eventlog with its original timing, as a monitored program would.",
    description = {
      "",
      "Each block is sent when the program wrote it, or each piece when it arrived, with"
          + " --arrivals. On",
      "a socket the commands of eventlog-socket are obeyed: stop and start heap profiling, time",
      "profiling and classes of events, and one census; and readers may come late, leave, and come"
          + " again."
    },
    footer = {
      "",
      "Example:",
      "  ghc-debug eventlog replay app.eventlog --to /tmp/replay.sock &",
      "  ghc-debug eventlog summary /tmp/replay.sock"
    })
final class EventLogReplay implements Verb {
  /** Something that happened. */
  record Row(long timeNanos, String what, @Nullable String detail) {
    String line() {
      return "%9.3f s  %s%s".formatted(timeNanos / 1e9, what, detail == null ? "" : " " + detail);
    }
  }

  /**
   * @param latestNanos by how much the latest piece was late
   */
  record Totals(long bytes, long pieces, long readers, long commands, long latestNanos) {}

  private static final Shape<Row, Totals> SHAPE =
      new Shape<>(
          "eventlog replay",
          new Layout.Lines<>(Row::line),
          List.of(
              new Column.Nanos<>("timeNanos", Row::timeNanos),
              new Column.Text<>("what", Row::what),
              new Column.Text<>("detail", Row::detail)),
          List.of(
              new Column.Bytes<>("bytes", Totals::bytes),
              new Column.Count<>("pieces", Totals::pieces),
              new Column.Count<>("readers", Totals::readers),
              new Column.Count<>("commands", Totals::commands),
              new Column.Nanos<>("latestNanos", Totals::latestNanos)));

  @Parameters(paramLabel = "FILE", description = "A recorded log.")
  private String file = "";

  @Option(
      names = "--to",
      paramLabel = "SOCKET|FIFO",
      required = true,
      description = "A Unix socket to make, tcp://HOST:PORT to listen on, or an existing pipe.")
  private String to = "";

  @Option(
      names = "--arrivals",
      paramLabel = "TSV",
      description = "When each piece of a capture came: lines of seconds, recv, offset and bytes.")
  private @Nullable Path arrivals;

  @Option(
      names = "--speed",
      paramLabel = "FACTOR",
      description = "2 plays twice as fast as it was; 1 unless given.")
  private double speed = 1;

  @Option(
      names = "--no-wait",
      description = "Begin at once, not when the first reader comes: it will have come late.")
  private boolean noWait;

  private long readers;
  private long commands;
  private LogReplay.@Nullable Result result;

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
    if (!(speed > 0 && Double.isFinite(speed))) {
      throw new UsageException("--speed: expected a number above 0");
    }
    LogSource log = LogSource.parse(file);
    var work = new EventLogReading.UntilStopped(session.work());
    Rows<Row> rows =
        sink ->
            work.run(
                () -> {
                  try (PlainFile plain = PlainFile.of(log, work)) {
                    replay(plain.path(), sink, work);
                  }
                });
    return new View<>(SHAPE, rows, this::summary);
  }

  private Summary<Totals> summary() {
    LogReplay.Result done = result;
    return done == null
        ? new Summary<>(
            false, List.of("the replay was stopped before its end"), null, ExitCode.OK, 0)
        : Summary.of(
            true,
            List.of(),
            new Totals(done.bytes(), done.pieces(), readers, commands, done.latestNanos()));
  }

  private void replay(Path log, Predicate<? super Row> sink, Work work) {
    List<LogReplay.Piece> schedule =
        arrivals == null ? LogReplay.blockEnds(log, work) : LogReplay.arrivals(arrivals);
    if (to.startsWith("tcp://")) {
      try (ReplayServer server = tcp(work)) {
        serve(server, "tcp://localhost:" + server.port(), log, schedule, sink, work);
      }
      return;
    }
    Path path = Path.of(to);
    if (Files.exists(path) && LogSource.isPipe(path)) {
      try (var pipe = new ReplayPipe(path, work)) {
        sink.test(new Row(0, "waiting for a reader of", to));
        pipe.awaitReader();
        readers = 1;
        sink.test(new Row(0, "playing", null));
        result = new LogReplay(log, schedule, (_, _, _) -> {}).run(pipe, speed, work);
      }
    } else if (Files.exists(path) && !LogSource.isSocket(path)) {
      throw new UsageException(
          "--to: %s is there already and is neither a socket nor a pipe".formatted(to));
    } else {
      try (ReplayServer server = ReplayServer.unix(path, work)) {
        serve(server, to, log, schedule, sink, work);
      }
    }
  }

  private ReplayServer tcp(Work work) {
    try {
      var uri = new URI(to);
      if (uri.getHost() != null && uri.getPort() >= 0 && uri.getPort() <= 0xFFFF) {
        return ReplayServer.tcp(uri.getHost(), uri.getPort(), work);
      }
    } catch (URISyntaxException e) {
      throw new UsageException("--to: tcp://HOST:PORT expected: " + e.getReason());
    }
    throw new UsageException("--to: tcp://HOST:PORT expected");
  }

  private void serve(
      ReplayServer server,
      String name,
      Path log,
      List<LogReplay.Piece> schedule,
      Predicate<? super Row> sink,
      Work work) {
    sink.test(new Row(0, "listening on", name));
    if (!noWait) {
      server.awaitReader();
    }
    LogReplay.Listener listener =
        (atNanos, signal, obeyed) -> sink.test(row(atNanos, signal, obeyed));
    result = new LogReplay(log, schedule, listener).run(server, speed, work);
  }

  private Row row(long atNanos, LogReplay.Signal signal, boolean obeyed) {
    return switch (signal) {
      case LogReplay.Signal.Joined() -> {
        readers++;
        yield new Row(atNanos, "a reader came", null);
      }
      case LogReplay.Signal.Left() -> new Row(atNanos, "the reader left", null);
      case LogReplay.Signal.Commanded(ControlMessage command) -> {
        commands++;
        yield new Row(
            atNanos,
            obeyed ? "obeyed" : "ignored",
            Values.printable(command.namespace()) + " " + command.commandId());
      }
    };
  }
}
