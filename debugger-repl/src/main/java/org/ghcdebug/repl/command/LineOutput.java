package org.ghcdebug.repl.command;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Serial;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Writes lines in UTF-8 to a stream, which stays open. */
final class LineOutput implements Consumer<String> {
  private static final long FLUSH_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final BufferedWriter writer;
  private long flushedNanos = System.nanoTime();

  LineOutput(OutputStream stream) {
    writer = new BufferedWriter(new OutputStreamWriter(stream, StandardCharsets.UTF_8), 1 << 16);
  }

  /** Buffers lines that come fast; lines that come slowly are seen at once. */
  @Override
  public void accept(String line) {
    try {
      writer.write(line);
      writer.write('\n');
      long now = System.nanoTime();
      if (now - flushedNanos > FLUSH_NANOS) {
        writer.flush();
        flushedNanos = now;
      }
    } catch (IOException e) {
      throw new ClosedException(e);
    }
  }

  void flush() {
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
