package org.ghcdebug.repl.command.verb;

import org.ghcdebug.client.eventlog.source.LogSource;
import org.ghcdebug.repl.command.ExitCode;
import org.ghcdebug.repl.command.Prompt;
import org.ghcdebug.repl.command.Session;
import org.ghcdebug.repl.command.TokenOption;
import org.ghcdebug.repl.command.UsageException;
import org.ghcdebug.repl.command.Verb;
import org.ghcdebug.repl.render.Shape;
import org.ghcdebug.repl.render.View;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Live events above the line being typed. */
@Command(
    name = "events on",
    header = "Show the events of a live eventlog above the prompt.",
    description = {
      "",
      "They come while a line is being typed, which stays as it is, and wait while a verb runs."
          + " What",
      "comes too fast to be read is counted instead. \"events off\" ends it."
    },
    footer = {"", "Example:", "  events on app-eventlog.sock --class user --reconnect"})
final class EventsOn implements Verb {
  @Parameters(
      paramLabel = "SOURCE",
      description = "A file that grows, a pipe, a Unix socket or tcp://HOST:PORT.")
  private String source = "";

  @Mixin private EventLogFilter filter = new EventLogFilter();

  @Mixin private TokenOption token = new TokenOption();

  @Option(names = "--reconnect", description = "Open the source again whenever it ends.")
  private boolean reconnect;

  @Override
  public Shape<?, ?> shape() {
    return Shape.NOTHING;
  }

  @Override
  public boolean needsTarget() {
    return false;
  }

  @Override
  public View<?, ?> run(Session session) {
    Prompt prompt =
        session
            .findPrompt()
            .orElseThrow(
                () ->
                    new UsageException(
                        "events are shown above a prompt, and nobody types at one; use eventlog"
                            + " tail"));
    if (source.equals("-")) {
      throw new UsageException("standard input is where lines are typed; name another source");
    }
    filter.prepare();
    LogSource log = EventLogReading.liveSource(source, token);
    session.watch(EventWatch.start(log, reconnect, filter, prompt, session.style()));
    return View.nothing(ExitCode.OK);
  }
}
