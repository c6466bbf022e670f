package org.ghcdebug.repl.command.verb;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.ghcdebug.client.eventlog.EventStats;
import org.ghcdebug.client.eventlog.source.LiveLogs;
import org.ghcdebug.client.eventlog.source.LogSource;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.protocol.error.DebuggerException;
import org.ghcdebug.protocol.error.SourceUnavailableException;
import org.ghcdebug.protocol.eventlog.ControlMessage;
import org.ghcdebug.repl.command.Prompt;
import org.ghcdebug.repl.command.Session;
import org.ghcdebug.repl.render.TextStyle;
import org.ghcdebug.repl.render.Tint;
import org.ghcdebug.repl.render.Values;
import org.jspecify.annotations.Nullable;

/**
 * Live events on their way to the prompt: read on one thread, shown by another a few times a
 * second, since each time the line being typed is drawn anew. Lines wait while a verb runs; of
 * those that would be too many the oldest are dropped and counted.
 */
final class EventWatch implements Session.Watch {
  private static final long SHOW_MILLIS = 100;

  /** Lines that are kept for the next time: a screenful. */
  private static final int LINES = 40;

  private final LogSource source;
  private final LiveLogs logs;
  private final Prompt prompt;
  private final TextStyle style;
  private final Deque<String> waiting = new ArrayDeque<>(); // guarded by itself
  private long dropped; // guarded by waiting
  private boolean silent; // guarded by waiting
  private volatile boolean ended;

  private EventWatch(LogSource source, LiveLogs logs, Prompt prompt, TextStyle style) {
    this.source = source;
    this.logs = logs;
    this.prompt = prompt;
    this.style = style;
  }

  static EventWatch start(
      LogSource source, boolean reconnect, EventLogFilter filter, Prompt prompt, TextStyle style) {
    var logs = new LiveLogs(List.of(source), EventLogTail.options(reconnect, null));
    var watch = new EventWatch(source, logs, prompt, style);
    Thread.ofPlatform().daemon().name("events").start(() -> watch.read(filter));
    Thread.ofPlatform().daemon().name("events above the prompt").start(watch::show);
    return watch;
  }

  private void read(EventLogFilter filter) {
    try {
      logs.run(
          new EventLogTail.Follower(
              new EventStats(),
              event -> {
                EventLogFilter.Row row = filter.row(event);
                if (row != null) {
                  add(style.line(row.line(), row.tint()));
                }
              },
              logs,
              List.of()) {
            @Override
            public void opened(LogSource source) {
              add(style.line(source.name() + " is read", Tint.FAINT));
            }

            @Override
            public void closed(LogSource source, @Nullable SourceUnavailableException problem) {
              String why = problem == null ? source.name() + " has ended" : problem.getMessage();
              add(style.line(String.valueOf(why), Tint.FAINT));
            }
          },
          Work.UNATTENDED);
    } catch (DebuggerException e) {
      add(style.line(String.valueOf(e.getMessage()), Tint.FAINT));
    }
    ended = true;
  }

  private void add(String line) {
    synchronized (waiting) {
      if (silent) {
        return;
      }
      if (waiting.size() == LINES) {
        waiting.removeFirst();
        dropped++;
      }
      waiting.addLast(line);
    }
  }

  private void show() {
    try {
      boolean more = true;
      while (more) {
        Thread.sleep(SHOW_MILLIS);
        // Asked before, so that what was added last is still shown.
        boolean last = ended;
        if (prompt.isReading()) {
          List<String> lines = take();
          if (!lines.isEmpty()) {
            prompt.printAbove(String.join("\n", lines));
          }
          more = !last;
        }
      }
    } catch (InterruptedException e) {
      // Nobody interrupts but the end of the process.
      return;
    }
  }

  private List<String> take() {
    synchronized (waiting) {
      List<String> lines = new ArrayList<>();
      if (dropped > 0) {
        lines.add(style.line("… %s more lines".formatted(Values.count(dropped)), Tint.FAINT));
        dropped = 0;
      }
      lines.addAll(waiting);
      waiting.clear();
      return lines;
    }
  }

  /**
   * Sends commands to the program.
   *
   * @throws SourceUnavailableException if it is not connected or takes none
   */
  void send(List<ControlMessage> commands) {
    EventLogControl.send(logs, source, commands);
  }

  @Override
  public void close() {
    synchronized (waiting) {
      silent = true;
      waiting.clear();
      dropped = 0;
    }
    logs.close();
    ended = true;
  }
}
