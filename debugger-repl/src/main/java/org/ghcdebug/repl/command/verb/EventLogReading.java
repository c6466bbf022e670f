package org.ghcdebug.repl.command.verb;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.ghcdebug.client.debuggee.Debuggee;
import org.ghcdebug.client.debuggee.DebuggeeLog;
import org.ghcdebug.client.debuggee.Options;
import org.ghcdebug.client.debuggee.PauseMode;
import org.ghcdebug.client.debuggee.TargetSpec;
import org.ghcdebug.client.eventlog.EventStats;
import org.ghcdebug.client.eventlog.source.FileLog;
import org.ghcdebug.client.eventlog.source.LogChannel;
import org.ghcdebug.client.eventlog.source.LogSource;
import org.ghcdebug.client.eventlog.source.SocketLog;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.protocol.error.CanceledException;
import org.ghcdebug.protocol.error.MalformedDataException;
import org.ghcdebug.protocol.error.SourceUnavailableException;
import org.ghcdebug.protocol.error.TimeLimitException;
import org.ghcdebug.protocol.eventlog.Damage;
import org.ghcdebug.repl.command.ExitCode;
import org.ghcdebug.repl.command.TokenOption;
import org.ghcdebug.repl.render.Summary;
import org.ghcdebug.repl.render.Values;
import org.jspecify.annotations.Nullable;

/** What the verbs of eventlogs share. */
final class EventLogReading {
  private static final Duration PROBE_TIMEOUT = Duration.ofSeconds(4);

  /** Damages that are told one by one. */
  private static final int DAMAGES_TOLD = 5;

  private EventLogReading() {}

  /**
   * The source that a text names, as {@link LogSource#parse} has it, to be read to its end. The log
   * of a debuggee ends with the program, so its socket is refused instead.
   */
  static LogSource source(String text) {
    return orOfDebuggee(text, spec -> refuse(text, spec));
  }

  /** The same, to be followed; of a debuggee's socket, the log that it sends when it is asked. */
  static LogSource liveSource(String text, TokenOption token) {
    Options options = probing(token.over(null));
    return orOfDebuggee(text, spec -> DebuggeeLog.open(spec, options));
  }

  private static LogSource orOfDebuggee(
      String text, Function<TargetSpec, LogChannel.@Nullable Controllable> debuggee) {
    LogSource source = LogSource.parse(text);
    if (source instanceof FileLog && Files.isDirectory(Path.of(text))) {
      throw new SourceUnavailableException(
          text, "is a folder; expected an eventlog: a file, a socket or a pipe");
    }
    return source instanceof SocketLog socket
        ? socket.whenSilent(() -> find(text, debuggee))
        : source;
  }

  private static LogChannel.@Nullable Controllable find(
      String text, Function<TargetSpec, LogChannel.@Nullable Controllable> debuggee) {
    var spec =
        text.startsWith("tcp://") ? TargetSpec.parse(text) : new TargetSpec.AtPath(Path.of(text));
    try {
      return debuggee.apply(spec);
    } catch (TimeLimitException | MalformedDataException noDebuggee) {
      return null; // A log may come yet.
    }
  }

  private static Options probing(@Nullable String token) {
    return new Options(PauseMode.COPY, PROBE_TIMEOUT, null, token);
  }

  private static LogChannel.Controllable refuse(String text, TargetSpec spec) {
    try (Debuggee debuggee = Debuggee.open(spec, probing(TokenOption.ofEnvironment()))) {
      throw new SourceUnavailableException(
          text,
          ("found a debuggee (GHC %s), whose eventlog ends with the program; follow it by eventlog"
               + " tail or summary, or keep it by eventlog tail %s --copy FILE and give the file")
              .formatted(debuggee.target().ghc(), text));
    }
  }

  /** Work that ends at once when nobody wants more rows. */
  static final class UntilStopped implements Work {
    private final Work work;
    private volatile boolean stopped;

    UntilStopped(Work work) {
      this.work = work;
    }

    void stop() {
      stopped = true;
    }

    /** Reads, and returns normally when {@link #stop} was called meanwhile. */
    void run(Runnable reading) {
      try {
        reading.run();
      } catch (CanceledException e) {
        if (!stopped) {
          throw e;
        }
      }
    }

    @Override
    public void progress(String phase, long done, long total) {
      work.progress(phase, done, total);
    }

    @Override
    public void checkStopped() {
      if (stopped) {
        throw new CanceledException("reading the eventlog");
      }
      work.checkStopped();
    }
  }

  /** What a log lacks, with the exit code that says so. */
  static <T> Summary<T> summary(EventStats.Result stats, @Nullable T totals) {
    List<String> warnings = warnings(stats);
    boolean complete = stats.isComplete();
    return new Summary<>(complete, warnings, totals, complete ? ExitCode.OK : ExitCode.DAMAGED, 0);
  }

  /** The same of a source that was to be followed. */
  static <T> Summary<T> followed(LogSource source, EventStats.Result stats) {
    Summary<T> read = summary(stats, null);
    boolean cannot = stats.truncated() && source instanceof FileLog file && file.isCompressedFile();
    return cannot
        ? new Summary<>(
            false,
            Stream.concat(
                    read.warnings().stream(),
                    Stream.of(
                        "a compressed file is read up to its present end; to follow it, decompress"
                            + " it as it grows: tail -c +1 -f FILE | gzip -dc | ghc-debug eventlog"
                            + " tail -"))
                .toList(),
            null,
            read.exitCode(),
            0)
        : read;
  }

  static List<String> warnings(EventStats.Result stats) {
    List<String> warnings = new ArrayList<>();
    if (stats.logs() == 0) {
      warnings.add("there is no eventlog in it");
    }
    if (stats.damageCount() > 0) {
      warnings.add(
          "%s bytes were skipped in %s places"
              .formatted(Values.count(stats.lostBytes()), Values.count(stats.damageCount())));
    }
    for (Damage damage : stats.damages().stream().limit(DAMAGES_TOLD).toList()) {
      warnings.add(
          "byte %d: %d bytes skipped: %s%s"
              .formatted(
                  damage.offsetBytes(),
                  damage.lengthBytes(),
                  damage.detail(),
                  damage.ghcIssue().isPresent()
                      ? " (GHC issue #" + damage.ghcIssue().getAsInt() + ")"
                      : ""));
    }
    if (stats.truncated() && stats.logs() > 0) {
      warnings.add("the log has no end marker: the program was killed, or still runs");
    }
    return warnings;
  }
}
