package org.ghcdebug.repl.command;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Serial;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes lines in UTF-8 to a stream, which stays open.
 *
 * <p>Used by one thread; lines that come slowly, or in bursts with pauses between them, are seen
 * within {@link #FLUSH_NANOS}.
 */
final class LineOutput implements Consumer<String>, AutoCloseable {
  private static final long FLUSH_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final BufferedWriter writer;
  private long flushedNanos = System.nanoTime();

  /** Writes what a burst left behind; null until there was one, and where rows all exist. */
  private @Nullable Thread follower;

  private final boolean live;
  private @Nullable IOException failure;
  private boolean closed;

  /**
   * @param live whether it may take long until the next line
   */
  LineOutput(OutputStream stream, boolean live) {
    this.live = live;
    writer = new BufferedWriter(new OutputStreamWriter(stream, StandardCharsets.UTF_8), 1 << 16);
  }

  /** Buffers lines that come fast; lines that come slowly are seen at once. */
  @Override
  public synchronized void accept(String line) {
    try {
      if (failure != null) {
        throw failure;
      }
      writer.write(line);
      writer.write('\n');
      long now = System.nanoTime();
      if (now - flushedNanos > FLUSH_NANOS) {
        writer.flush();
        flushedNanos = now;
      } else if (live && follower == null) {
        follower = Thread.ofPlatform().daemon().name("output").start(this::follow);
      }
    } catch (IOException e) {
      throw new ClosedException(e);
    }
  }

  private void follow() {
    try {
      while (flushLater()) {
        TimeUnit.NANOSECONDS.sleep(FLUSH_NANOS);
      }
    } catch (InterruptedException e) {
      // Nobody wants the rest but close, which writes it.
      return;
    }
  }

  private synchronized boolean flushLater() {
    try {
      if (!closed) {
        writer.flush();
        flushedNanos = System.nanoTime();
      }
      return !closed;
    } catch (IOException e) {
      failure = e;
      return false;
    }
  }

  /** Writes what is left. */
  @Override
  public synchronized void close() {
    closed = true;
    if (follower != null) {
      follower.interrupt();
    }
    try {
      writer.flush();
    } catch (IOException e) {
      throw new ClosedException(e);
    }
  }

  /** The stream takes nothing more. */
  static final class ClosedException extends RuntimeException {
    @Serial private static final long serialVersionUID = 1L;

    private final IOException cause;

    ClosedException(IOException cause) {
      super(cause);
      this.cause = cause;
    }

    IOException cause() {
      return cause;
    }
  }
}
