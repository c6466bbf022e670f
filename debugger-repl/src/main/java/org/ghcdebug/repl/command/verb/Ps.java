package org.ghcdebug.repl.command.verb;

import java.time.Duration;
import java.util.List;
import org.ghcdebug.client.debuggee.Debuggee;
import org.ghcdebug.client.source.socket.DebuggeeSocket;
import org.ghcdebug.repl.command.Session;
import org.ghcdebug.repl.command.Verb;
import org.ghcdebug.repl.render.Column;
import org.ghcdebug.repl.render.Shape;
import org.ghcdebug.repl.render.View;
import picocli.CommandLine.Command;

/** Debuggees that can be found. */
@Command(
    name = "ps",
    header = "List debuggees of this user.",
    description = {
      "",
      "Programs that were started without GHC_DEBUG_SOCKET listen in a common folder,",
      "$XDG_DATA_HOME/ghc-debug/debuggee/sockets. A socket that does not answer was left behind by",
      "a program that was killed."
    },
    footer = {"", "Example:", "  ghc-debug ps"})
final class Ps implements Verb {
  private static final Duration TIMEOUT = Duration.ofSeconds(1);

  private static final Shape<DebuggeeSocket, Void> SHAPE =
      Shape.table(
          "ps",
          List.<Column<DebuggeeSocket>>of(
              new Column.Id<>("pid", DebuggeeSocket::pid),
              new Column.Text<>("program", DebuggeeSocket::program),
              new Column.Flag<>("answers", DebuggeeSocket::live),
              new Column.Text<>("socket", socket -> socket.path().toString())));

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
    return View.of(SHAPE, Debuggee.discover(TIMEOUT));
  }
}
