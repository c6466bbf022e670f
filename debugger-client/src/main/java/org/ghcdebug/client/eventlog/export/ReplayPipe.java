package org.ghcdebug.client.eventlog.export;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.protocol.error.CanceledException;
import org.ghcdebug.protocol.error.SourceUnavailableException;
import org.jspecify.annotations.Nullable;

/**
 * Writes a replay to a named pipe, as {@code +RTS -ol PIPE} does: it waits until somebody reads,
 * and for a slow reader. There are no commands.
 *
 * <p>Opening and writing may block for good, so a thread of its own does that.
 */
public final class ReplayPipe implements LogReplay.Sink, AutoCloseable {
  private static final long LOOK_MILLIS = 5;

  private final Path path;
  private final Work work;
  private final ExecutorService thread =
      Executors.newSingleThreadExecutor(
          Thread.ofPlatform().daemon().name("eventlog replay").factory());
  private @Nullable Future<FileChannel> opening;

  /**
   * @param path an existing named pipe
   */
  public ReplayPipe(Path path, Work work) {
    this.path = path;
    this.work = work;
  }

  /**
   * Returns when somebody reads the pipe.
   *
   * @throws SourceUnavailableException if it cannot be opened
   * @throws CanceledException if the work was canceled
   */
  public void awaitReader() {
    try {
      opening = thread.submit(() -> FileChannel.open(path, StandardOpenOption.WRITE));
      patiently(opening);
    } catch (IOException e) {
      throw new SourceUnavailableException(
          path.toString(), "cannot be written: " + e.getMessage(), e);
    }
  }

  @Override
  public void write(ByteBuffer bytes) {
    Future<FileChannel> opened = opening;
    if (opened == null) {
      throw new IllegalStateException("nobody reads " + path + " yet");
    }
    try {
      patiently(
          thread.submit(
              () -> {
                while (bytes.hasRemaining()) {
                  opened.get().write(bytes);
                }
                return bytes;
              }));
    } catch (IOException e) {
      throw new SourceUnavailableException(
          path.toString(), "its reader went away: " + e.getMessage(), e);
    }
  }

  private <T> T patiently(Future<T> result) throws IOException {
    while (true) {
      try {
        return result.get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
      } catch (TimeoutException e) {
        work.checkStopped();
      } catch (ExecutionException e) {
        if (e.getCause() instanceof IOException cause) {
          throw cause;
        }
        throw new IllegalStateException(e.getCause());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new CanceledException("replaying an eventlog");
      }
    }
  }

  @Override
  public void close() {
    // An interrupt ends a write, by closing the channel, but not the wait for a reader.
    thread.shutdownNow();
    try {
      if (opening != null && !opening.isDone()) {
        FileChannel.open(path, StandardOpenOption.READ).close();
      }
      if (opening != null) {
        patiently(opening).close();
      }
    } catch (IOException e) {
      throw new SourceUnavailableException(path.toString(), "closing failed: " + e.getMessage(), e);
    }
  }
}
