package org.ghcdebug.client.eventlog.export;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.ghcdebug.client.eventlog.source.FileLog;
import org.ghcdebug.client.eventlog.source.LogReader;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.protocol.error.MalformedDataException;
import org.ghcdebug.protocol.error.SourceUnavailableException;
import org.ghcdebug.protocol.eventlog.ControlMessage;
import org.ghcdebug.protocol.eventlog.EventCursor;
import org.ghcdebug.protocol.eventlog.EventLogDecoder;
import org.ghcdebug.protocol.eventlog.EventVisitor;
import org.ghcdebug.protocol.eventlog.LogHeader;

/**
 * Plays a recorded log again with its original timing and obeys the commands of eventlog-socket: a
 * stand-in for a program that is being monitored.
 *
 * <p>After a command to stop heap profiling or time profiling the events of such samples are left
 * out, and the sizes of their blocks corrected; after the command to start they are sent again; a
 * requested census lets the next sample through. Other commands do nothing, as unknown ones do in a
 * program.
 */
public final class LogReplay {

  /**
   * A part of the log and when to send it.
   *
   * @param atNanos after the start of the replay
   */
  public record Piece(long atNanos, long offset, int length) {}

  /** Where the bytes go. */
  public interface Sink {
    /** Sends all of {@code bytes}. */
    void write(ByteBuffer bytes) throws IOException;

    /** The commands that came since the last call. */
    default List<ControlMessage> commands() {
      return List.of();
    }
  }

  private static final long LOOK_NANOS = 5_000_000;

  private final Path log;
  private final List<Piece> schedule;
  private boolean heapProfiling = true;
  private boolean timeProfiling = true;
  private boolean census;
  private boolean obeyed;
  private boolean insideCensus;

  /**
   * @param log an uncompressed file
   * @param schedule covers the whole log in order
   */
  public LogReplay(Path log, List<Piece> schedule) {
    this.log = log;
    this.schedule = List.copyOf(schedule);
  }

  /**
   * The arrivals of a recorded capture: lines of seconds, {@code recv}, offset and length,
   * separated by tabs.
   *
   * @throws SourceUnavailableException if the file cannot be read
   * @throws MalformedDataException if it has another format
   */
  public static List<Piece> arrivals(Path file) {
    List<Piece> pieces = new ArrayList<>();
    try {
      for (String line : Files.readAllLines(file)) {
        String[] fields = line.split("\t");
        if (fields.length == 4 && fields[1].equals("recv")) {
          pieces.add(
              new Piece(
                  Math.round(Double.parseDouble(fields[0]) * 1e9),
                  Long.parseLong(fields[2]),
                  Integer.parseInt(fields[3])));
        }
      }
      return pieces;
    } catch (IOException e) {
      throw new SourceUnavailableException(file.toString(), "cannot be read: " + e.getMessage(), e);
    } catch (NumberFormatException e) {
      throw new MalformedDataException(
          file.toString(), 0, "seconds, recv, offset and length expected: " + e.getMessage());
    }
  }

  /** When the program wrote each block: at the block's end time. O(bytes). */
  public static List<Piece> blockEnds(Path log, Work work) {
    List<Piece> pieces = new ArrayList<>();
    long[] state = {0, 0, Long.MAX_VALUE, 0};
    LogReader.read(
        new FileLog(log),
        event -> {
          if (event.knownId() == 18) {
            add(pieces, state, event.offsetBytes());
            // The header goes out when the first block begins.
            state[2] = Math.min(state[2], event.timestampNanos());
            state[1] = Math.max(state[1], Math.max(0, event.u64(4) - state[2]));
          }
        },
        work);
    try {
      add(pieces, state, Files.size(log));
    } catch (IOException e) {
      throw new SourceUnavailableException(log.toString(), "cannot be read", e);
    }
    return pieces;
  }

  private static void add(List<Piece> pieces, long[] state, long end) {
    while (state[0] < end) {
      int length = (int) Math.min(1 << 20, end - state[0]);
      pieces.add(new Piece(state[1], state[0], length));
      state[0] += length;
    }
  }

  /**
   * Sends the log; returns after its last piece.
   *
   * @param speed 1 for the original timing, 2 for twice as fast
   * @throws SourceUnavailableException if the log cannot be read or the sink takes no more
   * @throws org.ghcdebug.protocol.error.CanceledException if {@code work} was canceled
   */
  public void run(Sink sink, double speed, Work work) {
    Blocks blocks = new Blocks();
    LogReader.read(new FileLog(log), blocks, work);
    long start = System.nanoTime();
    long sent = 0;
    try (FileChannel channel = FileChannel.open(log)) {
      for (Piece piece : schedule) {
        waitUntil(start + (long) (piece.atNanos() / speed), sink, work);
        sent = send(channel, blocks, sent, piece.offset() + piece.length(), sink);
      }
      obeyed = false;
      if (!schedule.isEmpty()) {
        Piece last = schedule.getLast();
        send(channel, blocks, sent, last.offset() + last.length(), sink);
      }
    } catch (IOException e) {
      throw new SourceUnavailableException(log.toString(), "replay ended: " + e.getMessage(), e);
    }
  }

  private void waitUntil(long due, Sink sink, Work work) {
    while (true) {
      obey(sink.commands());
      work.checkStopped();
      long left = due - System.nanoTime();
      if (left <= 0) {
        return;
      }
      LockSupport.parkNanos(Math.min(left, LOOK_NANOS));
    }
  }

  /**
   * Sends what is due. Once a command was obeyed, blocks go out whole and filtered, and what is due
   * of a block that is not complete yet waits for the rest of it.
   *
   * @return the offset up to which the log was sent
   */
  private long send(FileChannel channel, Blocks blocks, long from, long until, Sink sink)
      throws IOException {
    long sent = from;
    while (sent < until) {
      int block = blocks.at(sent);
      if (!obeyed || block < 0) {
        long end = block < 0 && obeyed ? Math.min(until, blocks.nextStart(sent)) : until;
        sink.write(read(channel, sent, (int) (end - sent)));
        sent = end;
      } else {
        long end = blocks.end(block);
        if (sent != blocks.start(block)) {
          end = Math.min(end, until);
          sink.write(read(channel, sent, (int) (end - sent)));
        } else if (end <= until) {
          sink.write(
              filtered(blocks.header(channel), read(channel, sent, (int) (end - sent)).array()));
        } else {
          return sent;
        }
        sent = end;
      }
    }
    return sent;
  }

  private ByteBuffer read(FileChannel channel, long from, int length) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(length);
    while (bytes.hasRemaining()) {
      if (channel.read(bytes, from + bytes.position()) < 0) {
        throw new EOFException("the log ends before its schedule does");
      }
    }
    return bytes.flip();
  }

  /** A block without the samples that were switched off, its size corrected. */
  private ByteBuffer filtered(byte[] header, byte[] block) {
    EventLogDecoder decoder = new EventLogDecoder();
    decoder.push(header, 0, header.length);
    decoder.push(block, 0, block.length);
    decoder.finish();
    ByteBuffer kept = ByteBuffer.allocate(block.length);
    int[] copied = {0};
    decoder.drain(
        event -> {
          int at = (int) event.offsetBytes() - header.length;
          if (!keeps(event)) {
            kept.put(block, copied[0], at - copied[0]);
            copied[0] = at + event.recordBytes();
          }
        });
    kept.put(block, copied[0], block.length - copied[0]);
    kept.putInt(10, kept.position());
    return kept.flip();
  }

  private boolean keeps(EventCursor event) {
    return switch (event.knownId()) {
      case 162, 166 -> insideCensus = heapProfiling || census;
      case 163, 164 -> insideCensus;
      case 165 -> {
        boolean kept = insideCensus;
        insideCensus = false;
        census &= !kept;
        yield kept;
      }
      case 167 -> timeProfiling;
      default -> true;
    };
  }

  /** Where the log's header and blocks are. */
  private static final class Blocks implements EventVisitor {
    private final List<long[]> blocks = new ArrayList<>();
    private long headerStart = -1;
    private long headerEnd;

    @Override
    public void header(LogHeader header) {
      headerStart = headerStart < 0 ? header.offsetBytes() : headerStart;
    }

    @Override
    public void event(EventCursor event) {
      if (event.knownId() == 18) {
        if (blocks.isEmpty()) {
          headerEnd = event.offsetBytes();
        }
        blocks.add(new long[] {event.offsetBytes(), event.offsetBytes() + event.u32(0)});
      }
    }

    byte[] header(FileChannel channel) throws IOException {
      ByteBuffer header = ByteBuffer.allocate((int) (headerEnd - headerStart));
      channel.read(header, headerStart);
      return header.array();
    }

    long start(int block) {
      return blocks.get(block)[0];
    }

    long end(int block) {
      return blocks.get(block)[1];
    }

    /** The block that holds an offset, or -1. */
    int at(long offset) {
      int low = 0;
      int high = blocks.size();
      while (low < high) {
        int middle = (low + high) >>> 1;
        if (end(middle) <= offset) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      return low < blocks.size() && start(low) <= offset ? low : -1;
    }

    /** The start of the first block behind an offset that no block holds, or no limit. */
    long nextStart(long offset) {
      for (long[] block : blocks) {
        if (block[0] > offset) {
          return block[0];
        }
      }
      return Long.MAX_VALUE;
    }
  }

  private void obey(List<ControlMessage> commands) {
    for (ControlMessage command : commands) {
      boolean known = true;
      if (command.equals(ControlMessage.START_PROFILING)) {
        timeProfiling = true;
      } else if (command.equals(ControlMessage.STOP_PROFILING)) {
        timeProfiling = false;
      } else if (command.equals(ControlMessage.START_HEAP_PROFILING)) {
        heapProfiling = true;
      } else if (command.equals(ControlMessage.STOP_HEAP_PROFILING)) {
        heapProfiling = false;
      } else if (command.equals(ControlMessage.REQUEST_HEAP_CENSUS)) {
        census = true;
      } else {
        known = false;
      }
      obeyed |= known;
    }
  }
}
