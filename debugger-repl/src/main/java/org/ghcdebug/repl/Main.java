package org.ghcdebug.repl;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.ghcdebug.repl.command.ExitCode;
import org.ghcdebug.repl.command.ScriptOptions;
import org.ghcdebug.repl.command.Session;
import org.ghcdebug.repl.command.verb.Verbs;
import org.ghcdebug.repl.shell.Shell;
import org.ghcdebug.repl.shell.SystemHost;

/** The program {@code ghc-debug}. */
public final class Main {
  /** How long the end of the process waits for the debuggee to be resumed. */
  private static final long RESUME_SECONDS = 5;

  private Main() {}

  /** Runs one sub-command and exits with its code. */
  public static void main(String[] arguments) {
    var host = new SystemHost();
    var session = new Session(host, Verbs.REGISTRY);
    var closed = new CountDownLatch(1);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> interrupt(session, closed)));
    int code;
    try (session) {
      code =
          session
              .interpreter()
              .runSubcommand(List.of(arguments), options -> prompt(session, host, options));
    } finally {
      closed.countDown();
    }
    // exit() would load the platform's logging first, to tell nobody.
    if (code != ExitCode.OK) {
      System.exit(code);
    }
  }

  private static int prompt(Session session, SystemHost host, ScriptOptions options) {
    if (host.inIsTerminal()) {
      new Shell(session, host.terminal()).run();
      return ExitCode.OK;
    }
    return session.interpreter().runLines(host.in(), "standard input", options.keepGoing());
  }

  /** Runs when the process is to end: by itself, by Ctrl-C, or by another signal. */
  private static void interrupt(Session session, CountDownLatch closed) {
    if (!session.cancel()) {
      session.close();
      return;
    }
    try {
      closed.await(RESUME_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
