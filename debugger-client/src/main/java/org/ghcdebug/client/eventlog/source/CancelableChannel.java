package org.ghcdebug.client.eventlog.source;

import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.protocol.error.CanceledException;
import org.ghcdebug.protocol.error.DebuggerException;

/**
 * A channel whose reads end when the work is canceled, although nothing comes. A thread asks, and
 * closes the channel.
 */
final class CancelableChannel implements LogChannel {
  private static final long LOOK_MILLIS = 50;

  private final LogChannel channel;
  private final Work work;
  private final Thread watcher;

  CancelableChannel(LogChannel channel, Work work) {
    this.channel = channel;
    this.work = work;
    this.watcher = Thread.ofPlatform().daemon().name("eventlog cancellation").start(this::watch);
  }

  private void watch() {
    try {
      while (true) {
        TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        work.checkStopped();
      }
    } catch (InterruptedException e) {
      return; // Closed.
    } catch (DebuggerException stopped) {
      channel.close();
    }
  }

  /**
   * @throws CanceledException when the work was
   */
  @Override
  public int read(ByteBuffer target) {
    try {
      int count = channel.read(target);
      if (count < 0) {
        work.checkStopped();
      }
      return count;
    } catch (DebuggerException e) {
      work.checkStopped();
      throw e;
    }
  }

  @Override
  public void close() {
    watcher.interrupt();
    channel.close();
  }
}
