package org.ghcdebug.client.eventlog.source;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.protocol.error.SourceUnavailableException;
import org.ghcdebug.protocol.eventlog.Damage;
import org.ghcdebug.protocol.eventlog.EventCursor;
import org.ghcdebug.protocol.eventlog.EventLogDecoder;
import org.ghcdebug.protocol.eventlog.EventType;
import org.ghcdebug.protocol.eventlog.EventVisitor;
import org.ghcdebug.protocol.eventlog.LogEnd;
import org.ghcdebug.protocol.eventlog.LogHeader;
import org.jspecify.annotations.Nullable;

/**
 * A finished log in exact time order, whatever its length, in bounded memory.
 *
 * <p>The blocks of one buffer are already nearly sorted, so a first pass notes where each buffer's
 * blocks are, and a second one decodes every buffer's chain of blocks for itself and merges them.
 * Ties keep stream order. Memory: some 200 KiB for each capability and 16 bytes for each block.
 * What cannot be read twice, or at any place (pipes, compressed files), is first copied to a
 * temporary file.
 */
public final class OrderedLog {
  private static final int PIECE_BYTES = 1 << 16;

  /** The decoder takes no event that lies further back than this behind its predecessor. */
  private static final long WINDOW_NANOS = 5_000_000;

  private OrderedLog() {}

  /**
   * Hands the events of a finished source to a visitor: for each log in it the header, the events
   * in time order, its damages, its end.
   *
   * @throws SourceUnavailableException if the source cannot be read
   * @throws org.ghcdebug.protocol.error.CanceledException if {@code work} was canceled
   */
  public static void read(LogSource source, EventVisitor visitor, Work work) {
    try (PlainFile file = PlainFile.of(source, work)) {
      readFile(source.name(), file.path(), visitor, work);
    }
  }

  /** One log of a file: where its blocks are, and what went wrong. */
  private static final class Segment {
    private final LogHeader header;
    private long dataStart = -1;
    private @Nullable LogEnd end;
    private final List<Damage> damages = new ArrayList<>();
    // capability -> offsets of block starts and ends, in turn
    private final Map<Integer, LongPairs> blocks = new LinkedHashMap<>();

    Segment(LogHeader header) {
      this.header = header;
    }
  }

  /** A growing list of pairs. */
  private static final class LongPairs {
    private long[] values = new long[8];
    private int count;

    void add(long first, long second) {
      if (2 * count == values.length) {
        values = Arrays.copyOf(values, 2 * values.length);
      }
      values[2 * count] = first;
      values[2 * count + 1] = second;
      count++;
    }
  }

  private static void readFile(String name, Path file, EventVisitor visitor, Work work) {
    Indexer indexer = new Indexer();
    LogReader.read(new FileLog(file), indexer, work);
    indexer.before.forEach(visitor::damage);
    if (indexer.endBefore != null) {
      visitor.end(indexer.endBefore);
    }
    try (FileChannel channel = FileChannel.open(file)) {
      for (Segment segment : indexer.segments) {
        visitor.header(segment.header);
        merge(channel, segment, visitor, work);
        segment.damages.forEach(visitor::damage);
        if (segment.end != null) {
          visitor.end(segment.end);
        }
      }
    } catch (IOException e) {
      throw new SourceUnavailableException(name, "reading failed: " + e.getMessage(), e);
    }
  }

  private static final class Indexer implements EventVisitor {
    private final List<Segment> segments = new ArrayList<>();
    private final List<Damage> before = new ArrayList<>();
    private @Nullable LogEnd endBefore;
    private long runStart = -1;
    private int runCapability;

    @Override
    public void header(LogHeader header) {
      segments.add(new Segment(header));
      runStart = -1;
    }

    @Override
    public void event(EventCursor event) {
      Segment segment = segments.getLast();
      if (segment.dataStart < 0) {
        segment.dataStart = event.offsetBytes();
      }
      if (runStart < 0
          || event.id() == EventType.BLOCK_MARKER.id()
          || event.capability() != runCapability) {
        closeRun(event.offsetBytes());
        runStart = event.offsetBytes();
        runCapability = event.capability();
      }
    }

    private void closeRun(long end) {
      if (runStart >= 0) {
        segments
            .getLast()
            .blocks
            .computeIfAbsent(runCapability, _ -> new LongPairs())
            .add(runStart, end);
        runStart = -1;
      }
    }

    @Override
    public void damage(Damage damage) {
      (segments.isEmpty() ? before : segments.getLast().damages).add(damage);
    }

    @Override
    public void end(LogEnd end) {
      if (segments.isEmpty()) {
        endBefore = end;
      } else if (segments.getLast().end == null) {
        closeRun(end.offsetBytes() - (end.endMarker() ? 2 : 0));
        segments.getLast().end = end;
      }
    }
  }

  private static void merge(FileChannel channel, Segment segment, EventVisitor visitor, Work work)
      throws IOException {
    if (segment.dataStart < 0) {
      return;
    }
    byte[] header = new byte[Math.toIntExact(segment.dataStart - segment.header.offsetBytes())];
    channel.read(ByteBuffer.wrap(header), segment.header.offsetBytes());
    EventQueue queue = new EventQueue();
    List<ChainReader> chains = new ArrayList<>();
    for (Map.Entry<Integer, LongPairs> entry : segment.blocks.entrySet()) {
      chains.add(new ChainReader(channel, header, entry.getKey(), entry.getValue(), queue));
    }
    while (!chains.isEmpty()) {
      // The chain that is known least far decides how far all are known.
      ChainReader behind = chains.getFirst();
      for (ChainReader chain : chains) {
        if (chain.knownUntil < behind.knownUntil) {
          behind = chain;
        }
      }
      if (!behind.readPiece()) {
        chains.remove(behind);
      }
      long until = Long.MAX_VALUE;
      for (ChainReader chain : chains) {
        until = Math.min(until, chain.knownUntil);
      }
      if (until > Long.MIN_VALUE) {
        // Another event may come at that very time.
        queue.release(until == Long.MAX_VALUE ? until : until - 1, visitor);
      }
      work.checkStopped();
    }
  }

  /** Decodes the blocks of one buffer, as if the log had no others. */
  private static final class ChainReader implements EventVisitor {
    private final FileChannel channel;
    private final int capability;
    private final LongPairs blocks;
    private final EventQueue queue;
    private final EventLogDecoder decoder = new EventLogDecoder();
    private final ByteBuffer piece = ByteBuffer.allocate(PIECE_BYTES);
    private int nextBlock;
    private long at;
    private long blockEnd;
    // Offset in the chain, header included, that corresponds to the start of the current block.
    private long pushed;
    private final LongPairs origins = new LongPairs();
    private int origin;
    private long knownUntil = Long.MIN_VALUE;

    ChainReader(
        FileChannel channel, byte[] header, int capability, LongPairs blocks, EventQueue queue) {
      this.channel = channel;
      this.capability = capability;
      this.blocks = blocks;
      this.queue = queue;
      decoder.push(header, 0, header.length);
      pushed = header.length;
    }

    /** Reads on; false at the end of the chain. */
    boolean readPiece() throws IOException {
      piece.clear();
      while (piece.hasRemaining()) {
        if (at == blockEnd) {
          if (nextBlock == blocks.count) {
            break;
          }
          at = blocks.values[2 * nextBlock];
          blockEnd = blocks.values[2 * nextBlock + 1];
          origins.add(pushed + piece.position(), at);
          nextBlock++;
        }
        int wanted = (int) Math.min(piece.remaining(), blockEnd - at);
        int limit = piece.limit();
        piece.limit(piece.position() + wanted);
        int count = channel.read(piece, at);
        piece.limit(limit);
        if (count < 0) {
          // The file became shorter since the first pass.
          blockEnd = at;
          nextBlock = blocks.count;
          break;
        }
        at += count;
      }
      boolean more = piece.position() > 0;
      pushed += piece.position();
      decoder.push(piece.flip());
      if (!more) {
        decoder.finish();
      }
      decoder.drain(this);
      return more;
    }

    @Override
    public void event(EventCursor event) {
      while (origin + 1 < origins.count && origins.values[2 * origin + 2] <= event.offsetBytes()) {
        origin++;
      }
      if (event.capability() == capability) {
        queue.add(
            event,
            event.offsetBytes() - origins.values[2 * origin] + origins.values[2 * origin + 1]);
        knownUntil = Math.max(knownUntil, event.timestampNanos() - WINDOW_NANOS);
      }
    }
  }
}
