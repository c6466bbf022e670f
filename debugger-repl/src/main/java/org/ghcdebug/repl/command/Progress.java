package org.ghcdebug.repl.command;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.protocol.error.CanceledException;
import org.ghcdebug.protocol.error.TimeLimitException;
import org.ghcdebug.repl.render.Json;
import org.ghcdebug.repl.render.Values;
import org.jspecify.annotations.Nullable;

/**
 * Tells the progress of one verb, and whether it is to stop. Safe to be canceled, and told of
 * progress, by any thread.
 */
final class Progress implements Work {
  /** How progress is shown. */
  enum Display {
    NONE,
    /** One line that is written over. */
    LINE,
    /** An object a line. */
    JSON
  }

  private static final long INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  private final String verb;
  private final Display display;
  private final @Nullable Duration timeout;
  private final Consumer<String> err;
  private final long startNanos = System.nanoTime();
  private long nextNanos = startNanos + INTERVAL_NANOS;
  private boolean shown;
  private volatile boolean canceled;
  private @Nullable Thread waiting; // guarded by this

  /**
   * @param timeout of the whole verb
   * @param err takes characters as they are, line ends included
   */
  Progress(String verb, Display display, @Nullable Duration timeout, Consumer<String> err) {
    this.verb = verb;
    this.display = display;
    this.timeout = timeout;
    this.err = err;
  }

  synchronized void cancel() {
    canceled = true;
    if (waiting != null) {
      waiting.interrupt();
    }
  }

  @Override
  public void waiting(Runnable wait) {
    synchronized (this) {
      checkStopped();
      waiting = Thread.currentThread();
    }
    try {
      wait.run();
    } finally {
      synchronized (this) {
        waiting = null;
        Thread.interrupted(); // Of a cancellation that came too late for the wait.
      }
    }
  }

  boolean isCanceled() {
    return canceled;
  }

  @Override
  public void checkStopped() {
    if (canceled) {
      throw new CanceledException(verb);
    }
    if (timeout != null && System.nanoTime() - startNanos > timeout.toNanos()) {
      throw new TimeLimitException(
          timeout,
          "%s took longer than %s; give it more by --timeout"
              .formatted(verb, Values.duration(timeout.toNanos())));
    }
  }

  @Override
  public synchronized void progress(String phase, long done, long total) {
    long now = System.nanoTime();
    if (display == Display.NONE || now - nextNanos < 0) {
      return;
    }
    nextNanos = now + INTERVAL_NANOS;
    long elapsed = now - startNanos;
    if (display == Display.JSON) {
      err.accept(
          "{\"progress\":%s,\"phase\":%s,\"done\":%d,\"total\":%d,\"elapsedNanos\":%d}\n"
              .formatted(Json.string(verb), Json.string(phase), done, total, elapsed));
      return;
    }
    String amount =
        total > 0
            ? "%d %%, %s left".formatted(done * 100 / total, estimate(done, total, elapsed))
            : Values.count(done);
    // Carriage return, text, erase to the end of the line.
    err.accept("\r%s: %s %s\033[K".formatted(verb, phase, amount));
    shown = true;
  }

  private static String estimate(long done, long total, long elapsedNanos) {
    return done == 0
        ? "…"
        : Values.duration((long) ((double) elapsedNanos / done * Math.max(0, total - done)));
  }

  /** Takes the line of progress away again. */
  synchronized void end() {
    if (shown) {
      err.accept("\r\033[K");
      shown = false;
    }
  }
}
