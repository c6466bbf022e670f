package org.ghcdebug.client.eventlog.source;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.protocol.error.CanceledException;
import org.ghcdebug.protocol.error.SourceUnavailableException;
import org.ghcdebug.protocol.eventlog.ControlMessage;
import org.ghcdebug.protocol.eventlog.EventLogDecoder;
import org.ghcdebug.protocol.eventlog.EventVisitor;
import org.jspecify.annotations.Nullable;

/**
 * Reads one or several live logs until they end, on the caller's thread, with a tick at a steady
 * pace whether or not events come.
 *
 * <p>One thread for each source does nothing but read, so that the programs never have to wait or
 * to queue; at most 16 MiB for each source wait to be decoded. A source that is lost is opened
 * again if that was asked for, and begins a new log; what was learnt before stays with the caller's
 * visitors.
 */
public final class LiveLogs implements AutoCloseable {
  private static final int PIECE_BYTES = 1 << 16;
  private static final int WAITING_PIECES = 256;
  private static final Duration FOLLOW_POLL = Duration.ofMillis(50);
  private static final long LOOK_NANOS = 100_000_000;

  /**
   * How to read.
   *
   * @param retry how to go on when a source cannot be opened
   * @param reconnect whether to open a source again after it ended
   * @param follow whether to wait at the end of a file for more, until its end marker
   * @param rawCopy where to write the bytes of the first source as they come; each further log is
   *     appended
   * @param tick pace of {@link Listener#tick}
   */
  public record Options(
      RetryPolicy retry, boolean reconnect, boolean follow, Optional<Path> rawCopy, Duration tick) {
    /** Read once, tick every second. */
    public static final Options PLAIN =
        new Options(RetryPolicy.NONE, false, false, Optional.empty(), Duration.ofSeconds(1));
  }

  /** What happens, always on the thread that called {@link LiveLogs#run}. */
  public interface Listener {
    /** The visitor for the events of a source; asked for once. */
    EventVisitor visitor(LogSource source);

    /** A source was opened, for the first time or again. */
    default void opened(LogSource source) {}

    /** A source ended or was lost; {@code problem} is null where it just ended. */
    default void closed(LogSource source, @Nullable SourceUnavailableException problem) {}

    /**
     * Time passed.
     *
     * @param nanoTime {@link System#nanoTime} now
     */
    default void tick(long nanoTime) {}
  }

  private sealed interface Piece {
    record Opened(Feed feed) implements Piece {}

    record Bytes(Feed feed, ByteBuffer bytes) implements Piece {}

    record Closed(Feed feed, @Nullable SourceUnavailableException problem, boolean last)
        implements Piece {}

    /** Nothing more comes, and the reader is to know why. */
    record Failed(RuntimeException problem) implements Piece {}
  }

  private final List<Feed> feeds = new ArrayList<>();
  private final Options options;
  private volatile boolean closed;

  public LiveLogs(List<LogSource> sources, Options options) {
    this.options = options;
    for (LogSource source : sources) {
      feeds.add(new Feed(source));
    }
  }

  /**
   * Reads until all sources have ended for good, or {@link #close} is called.
   *
   * @throws CanceledException if {@code work} was canceled
   * @throws SourceUnavailableException if there is one source only and it could not be opened
   * @throws RuntimeException what else opening or reading a source throws; ends all of them
   */
  public void run(Listener listener, Work work) {
    BlockingQueue<Piece> pieces = new ArrayBlockingQueue<>(WAITING_PIECES * feeds.size());
    for (int i = 0; i < feeds.size(); i++) {
      Feed feed = feeds.get(i);
      feed.visitor = listener.visitor(feed.source);
      feed.copyTo = i == 0 ? options.rawCopy().orElse(null) : null;
      feed.start(pieces);
    }
    try (this) {
      loop(pieces, listener, work);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CanceledException("reading the eventlog");
    }
  }

  private void loop(BlockingQueue<Piece> pieces, Listener listener, Work work)
      throws InterruptedException {
    int open = feeds.size();
    long tick = options.tick().toNanos();
    long nextTick = System.nanoTime() + tick;
    while (open > 0 && !closed) {
      long now = System.nanoTime();
      if (now - nextTick >= 0) {
        listener.tick(now);
        nextTick += Math.max(1, (now - nextTick) / tick + 1) * tick;
      }
      work.checkStopped();
      Piece piece =
          pieces.poll(Math.min(LOOK_NANOS, nextTick - System.nanoTime()), TimeUnit.NANOSECONDS);
      switch (piece) {
        case null -> {}
        case Piece.Opened(Feed feed) -> {
          feed.decoder = new EventLogDecoder();
          listener.opened(feed.source);
        }
        case Piece.Bytes(Feed feed, ByteBuffer bytes) -> {
          feed.decoder.push(bytes);
          feed.decoder.drain(feed.visitor);
        }
        case Piece.Closed(Feed feed, SourceUnavailableException problem, boolean last) -> {
          feed.decoder.finish();
          feed.decoder.drain(feed.visitor);
          listener.closed(feed.source, problem);
          if (last) {
            open--;
            if (problem != null && feeds.size() == 1 && !feed.everOpened) {
              throw problem;
            }
          }
        }
        case Piece.Failed(RuntimeException problem) -> throw problem;
      }
    }
  }

  /**
   * Sends a command to the program behind a source.
   *
   * @throws SourceUnavailableException if it is not connected or takes no commands
   */
  public void send(LogSource source, ControlMessage message) {
    for (Feed feed : feeds) {
      if (feed.source == source
          && feed.channel.get() instanceof LogChannel.Controllable controllable) {
        controllable.send(message);
        return;
      }
    }
    throw new SourceUnavailableException(
        source.name(), "not connected, or not a socket: commands need one");
  }

  /** Stops reading. Safe from any thread. */
  @Override
  public void close() {
    closed = true;
    for (Feed feed : feeds) {
      feed.stop();
    }
  }

  /** The thread that reads one source. */
  private final class Feed {
    private final LogSource source;
    private final AtomicReference<@Nullable LogChannel> channel = new AtomicReference<>();
    private @Nullable Path copyTo;
    private volatile boolean everOpened;
    private @Nullable Thread thread;

    // Of the thread that calls run.
    private EventVisitor visitor = _ -> {};
    private EventLogDecoder decoder = new EventLogDecoder();

    Feed(LogSource source) {
      this.source = source;
    }

    void start(BlockingQueue<Piece> pieces) {
      thread =
          Thread.ofPlatform().daemon().name("eventlog " + source.name()).start(() -> feed(pieces));
    }

    void stop() {
      LogChannel open = channel.getAndSet(null);
      if (open != null) {
        open.close();
      }
      if (thread != null) {
        thread.interrupt();
      }
    }

    private void feed(BlockingQueue<Piece> pieces) {
      try {
        readAll(pieces);
      } catch (InterruptedException e) {
        // Only close interrupts; whoever called it does not wait for more pieces.
        Thread.currentThread().interrupt();
      }
    }

    private void readAll(BlockingQueue<Piece> pieces) throws InterruptedException {
      try {
        boolean again;
        do {
          SourceUnavailableException problem = readOnce(pieces);
          again = !closed && options.reconnect() && source.isReopenable() && everOpened;
          pieces.put(new Piece.Closed(this, problem, !again));
        } while (again);
      } catch (RuntimeException e) {
        pieces.put(new Piece.Failed(e));
      }
    }

    private @Nullable SourceUnavailableException readOnce(BlockingQueue<Piece> pieces)
        throws InterruptedException {
      try (LogChannel open = openPatiently();
          FileChannel copy = openCopy()) {
        channel.set(open);
        everOpened = true;
        pieces.put(new Piece.Opened(this));
        EndWatch end = new EndWatch();
        while (!closed) {
          ByteBuffer bytes = ByteBuffer.allocate(PIECE_BYTES);
          int count = open.read(bytes);
          if (count < 0) {
            if (end.seen() || !grows()) {
              return null;
            }
            Thread.sleep(FOLLOW_POLL);
            continue;
          }
          bytes.flip();
          end.push(bytes);
          if (copy != null) {
            ByteBuffer copied = bytes.duplicate();
            while (copied.hasRemaining()) {
              copy.write(copied);
            }
          }
          pieces.put(new Piece.Bytes(this, bytes));
        }
        return null;
      } catch (SourceUnavailableException e) {
        return closed ? null : e;
      } catch (IOException e) {
        return new SourceUnavailableException(
            String.valueOf(copyTo), "writing the copy failed: " + e.getMessage(), e);
      } finally {
        channel.set(null);
      }
    }

    private @Nullable FileChannel openCopy() throws IOException {
      return copyTo == null
          ? null
          : FileChannel.open(
              copyTo,
              StandardOpenOption.CREATE,
              StandardOpenOption.WRITE,
              everOpened ? StandardOpenOption.APPEND : StandardOpenOption.TRUNCATE_EXISTING);
    }

    /** Whether more may come behind the end. */
    private boolean grows() {
      return options.follow() && source instanceof FileLog file && file.canGrow();
    }

    private LogChannel openPatiently() throws InterruptedException {
      long giveUp = System.nanoTime() + options.retry().total().toNanos();
      for (int failures = 1; ; failures++) {
        try {
          return grows() ? ((FileLog) source).openGrowing() : source.open();
        } catch (SourceUnavailableException e) {
          if (closed || System.nanoTime() - giveUp >= 0) {
            throw e;
          }
          Thread.sleep(options.retry().waitAfter(failures));
        }
      }
    }
  }

  /** Remembers the last two bytes: a growing file that ends with the end marker grows no more. */
  private static final class EndWatch {
    private int last;

    void push(ByteBuffer bytes) {
      for (int i = Math.max(bytes.position(), bytes.limit() - 2); i < bytes.limit(); i++) {
        last = last << 8 | bytes.get(i) & 0xFF;
      }
    }

    boolean seen() {
      return (last & 0xFFFF) == 0xFFFF;
    }
  }
}
