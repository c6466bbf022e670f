package org.ghcdebug.client.eventlog.export;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.ghcdebug.client.collections.LongList;
import org.ghcdebug.client.eventlog.source.FileLog;
import org.ghcdebug.client.eventlog.source.LogReader;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.protocol.error.MalformedDataException;
import org.ghcdebug.protocol.error.SourceUnavailableException;
import org.ghcdebug.protocol.eventlog.ControlMessage;
import org.ghcdebug.protocol.eventlog.EventClass;
import org.ghcdebug.protocol.eventlog.EventCursor;
import org.ghcdebug.protocol.eventlog.EventLogDecoder;
import org.ghcdebug.protocol.eventlog.EventType;
import org.ghcdebug.protocol.eventlog.EventVisitor;
import org.ghcdebug.protocol.eventlog.LogHeader;

/**
 * Plays a recorded log again with its original timing and obeys the commands of eventlog-socket: a
 * stand-in for a program that is being monitored.
 *
 * <p>After a command to stop heap profiling or time profiling the events of such samples are left
 * out, and the sizes of their blocks corrected; after the command to start they are sent again; a
 * requested census lets the next sample through. Classes of events are switched likewise. Other
 * commands do nothing, as unknown ones do in a program.
 *
 * <p>A reader that comes when the replay has begun gets what a program sends then: the header, the
 * events that describe the program once more, and the blocks from now on.
 */
public final class LogReplay {

  /**
   * A part of the log and when to send it.
   *
   * @param atNanos after the start of the replay
   */
  public record Piece(long atNanos, long offset, int length) {}

  /** What the reader did. */
  public sealed interface Signal {
    /** It came. */
    record Joined() implements Signal {}

    /** It went away. */
    record Left() implements Signal {}

    /** It sent a command. */
    record Commanded(ControlMessage command) implements Signal {}
  }

  /** Where the bytes go. */
  public interface Sink {
    /** Sends all of {@code bytes}, or drops them where there is no reader. */
    void write(ByteBuffer bytes) throws IOException;

    /** What happened since the last call. */
    default List<Signal> signals() throws IOException {
      return List.of();
    }
  }

  /** Is told what happens, on the thread of the replay. */
  @FunctionalInterface
  public interface Listener {
    /**
     * @param atNanos after the start of the replay
     * @param obeyed whether the signal is a command that was obeyed
     */
    void signal(long atNanos, Signal signal, boolean obeyed);
  }

  /**
   * What was done.
   *
   * @param bytes of the log that became due, sent or not
   * @param latestNanos by how much the piece that was sent with the most delay was late
   */
  public record Result(long bytes, long pieces, long latestNanos) {}

  private static final long LOOK_NANOS = 2_000_000;
  private static final int PIECE_BYTES = 1 << 20;

  /** A larger block is not one that a program wrote; it is sent as it is. */
  private static final long LARGEST_BLOCK = 64 << 20;

  /** What a program sends again to each reader, in this order. */
  private static final List<EventType> SENT_AGAIN =
      List.of(
          EventType.IPE,
          EventType.HEAP_PROF_COST_CENTRE,
          EventType.HEAP_INFO_GHC,
          EventType.OSPROCESS_PID,
          EventType.OSPROCESS_PPID,
          EventType.RTS_IDENTIFIER,
          EventType.PROGRAM_ARGS,
          EventType.WALL_CLOCK_TIME);

  private final Path log;
  private final List<Piece> schedule;
  private final Listener listener;
  private final Set<EventClass> off = EnumSet.noneOf(EventClass.class);
  private boolean heapProfiling = true;
  private boolean timeProfiling = true;
  private boolean census;
  private boolean insideCensus;

  // Blocks go out whole once something was to be left out of them, or a reader came in between.
  private boolean whole;
  private long skipUntil;
  private long sent;

  /**
   * @param log an uncompressed file
   * @param schedule covers the whole log in order
   */
  public LogReplay(Path log, List<Piece> schedule, Listener listener) {
    this.log = log;
    this.schedule = List.copyOf(schedule);
    this.listener = listener;
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
    long[] state = {0, 0, Long.MAX_VALUE};
    LogReader.read(
        new FileLog(log),
        event -> {
          if (event.knownId() == EventType.BLOCK_MARKER.id()) {
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
      int length = (int) Math.min(PIECE_BYTES, end - state[0]);
      pieces.add(new Piece(state[1], state[0], length));
      state[0] += length;
    }
  }

  /**
   * Sends the log; returns after its last piece. Call it once.
   *
   * @param speed 1 for the original timing, 2 for twice as fast
   * @throws SourceUnavailableException if the log cannot be read or the sink takes no more
   * @throws org.ghcdebug.protocol.error.CanceledException if {@code work} was canceled
   */
  public Result run(Sink sink, double speed, Work work) {
    Blocks blocks = new Blocks();
    LogReader.read(new FileLog(log), blocks, work);
    if (blocks.logs.isEmpty()) {
      throw new MalformedDataException(log.toString(), 0, "it holds no eventlog to play");
    }
    try (FileChannel channel = FileChannel.open(log)) {
      blocks.fileBytes = channel.size();
      // What waits already is dealt with before the time counts.
      look(channel, blocks, sink, System.nanoTime(), work);
      long start = System.nanoTime();
      long latest = 0;
      for (Piece piece : schedule) {
        long due = start + (long) (piece.atNanos() / speed);
        while (due - System.nanoTime() > 0) {
          look(channel, blocks, sink, start, work);
          LockSupport.parkNanos(Math.min(Math.max(1, due - System.nanoTime()), LOOK_NANOS));
        }
        look(channel, blocks, sink, start, work);
        latest = Math.max(latest, System.nanoTime() - due);
        send(channel, blocks, piece.offset() + piece.length(), sink);
      }
      return new Result(
          schedule.isEmpty() ? 0 : schedule.getLast().offset() + schedule.getLast().length(),
          schedule.size(),
          latest);
    } catch (IOException e) {
      throw new SourceUnavailableException(log.toString(), "replay ended: " + e.getMessage(), e);
    }
  }

  private void look(FileChannel channel, Blocks blocks, Sink sink, long start, Work work)
      throws IOException {
    work.checkStopped();
    for (Signal signal : sink.signals()) {
      boolean obeyed = false;
      switch (signal) {
        case Signal.Joined() -> {
          if (sent > 0) {
            sendBeginning(channel, blocks, sink);
          }
        }
        case Signal.Commanded(ControlMessage command) -> {
          obeyed = obey(command);
          whole |= obeyed;
        }
        case Signal.Left() -> {}
      }
      listener.signal(System.nanoTime() - start, signal, obeyed);
    }
  }

  /**
   * Sends what is due. Once something may be left out, blocks go out whole, and what is due of a
   * block that is not complete yet waits for the rest of it.
   */
  private void send(FileChannel channel, Blocks blocks, long until, Sink sink) throws IOException {
    while (sent < until) {
      if (sent < skipUntil) {
        sent = Math.min(skipUntil, until);
        continue;
      }
      int block = whole ? blocks.at(sent) : -1;
      if (block >= 0 && sent == blocks.start(block)) {
        if (blocks.end(block) > until) {
          return;
        }
        sink.write(
            filtered(
                blocks.header(channel, sent),
                read(channel, sent, (int) (blocks.end(block) - sent)).array()));
        sent = blocks.end(block);
        continue;
      }
      long end = until;
      if (whole) {
        end = Math.min(end, block < 0 ? blocks.nextStart(sent) : blocks.end(block));
      }
      end = Math.min(end, sent + PIECE_BYTES);
      sink.write(read(channel, sent, (int) (end - sent)));
      sent = end;
    }
  }

  /** Sends the header and what describes the program; the log goes on with the next block. */
  private void sendBeginning(FileChannel channel, Blocks blocks, Sink sink) throws IOException {
    whole = true;
    int block = blocks.at(sent);
    Blocks.Log log = blocks.log(sent);
    if (block >= 0) {
      skipUntil = sent == blocks.start(block) ? sent : blocks.end(block);
    } else if (sent < log.headerEnd) {
      skipUntil = log.headerEnd;
    }
    sink.write(ByteBuffer.wrap(blocks.header(channel, sent)));
    long now = blocks.timeAt(sent);
    long bytes = 24;
    for (EventType type : SENT_AGAIN) {
      LongList lengths = log.lengths(type);
      for (int i = 0; i < lengths.size(); i++) {
        bytes += lengths.get(i);
      }
    }
    ByteBuffer out = ByteBuffer.allocate(PIECE_BYTES);
    out.putShort((short) EventType.BLOCK_MARKER.id()).putLong(now);
    out.putInt((int) bytes).putLong(now).putShort((short) 0xFFFF);
    for (EventType type : SENT_AGAIN) {
      for (int i = 0; i < log.offsets(type).size(); i++) {
        ByteBuffer event = read(channel, log.offsets(type).get(i), (int) log.lengths(type).get(i));
        if (type == EventType.WALL_CLOCK_TIME) {
          moveClock(event, now);
        }
        event.putLong(2, now);
        if (out.remaining() < event.remaining()) {
          sink.write(out.flip());
          out.clear();
        }
        out.put(event);
      }
    }
    sink.write(out.flip());
  }

  /** Makes a wall-clock event say what the clock showed at another time of the program. */
  private static void moveClock(ByteBuffer event, long now) {
    long moved = event.getInt(22) + now - event.getLong(2);
    event.putLong(14, event.getLong(14) + Math.floorDiv(moved, 1_000_000_000L));
    event.putInt(22, (int) Math.floorMod(moved, 1_000_000_000L));
  }

  private static ByteBuffer read(FileChannel channel, long from, int length) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(length);
    while (bytes.hasRemaining()) {
      if (channel.read(bytes, from + bytes.position()) < 0) {
        throw new EOFException("the log ends before its schedule does");
      }
    }
    return bytes.flip();
  }

  /** A block without what was switched off, its size corrected. */
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
    kept.putInt(10, kept.getInt(10) - (block.length - kept.position()));
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
      // Of what every log has, the events of capabilities are all that can be switched off.
      case 25, 26, 27, 28, 45, 46, 47, 48 -> !off.contains(EventClass.BASE);
      default -> {
        EventType type = EventType.findById(event.id());
        yield type == null
            || type.eventClass() == EventClass.BASE
            || !off.contains(type.eventClass());
      }
    };
  }

  private boolean obey(ControlMessage command) {
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
      return switchClass(command);
    }
    return true;
  }

  private boolean switchClass(ControlMessage command) {
    for (EventClass eventClass : ControlMessage.SWITCHABLE) {
      if (command.equals(ControlMessage.eventClass(eventClass, true))) {
        off.remove(eventClass);
        return true;
      }
      if (command.equals(ControlMessage.eventClass(eventClass, false))) {
        off.add(eventClass);
        return true;
      }
    }
    return false;
  }

  /** Where headers, blocks, and the events that are sent again are in the file. */
  private static final class Blocks implements EventVisitor {
    private final List<Log> logs = new ArrayList<>();
    private final LongList starts = new LongList();
    private final LongList ends = new LongList();
    private final LongList endTimes = new LongList();
    private long fileBytes = Long.MAX_VALUE;

    /** One of the logs in the file. */
    private static final class Log {
      private final long headerStart;
      private long headerEnd = Long.MAX_VALUE;
      // For each type that is sent again, offsets and lengths of its events.
      private final List<LongList> offsets = new ArrayList<>();
      private final List<LongList> lengths = new ArrayList<>();

      Log(long headerStart) {
        this.headerStart = headerStart;
        for (int i = 0; i < SENT_AGAIN.size(); i++) {
          offsets.add(new LongList());
          lengths.add(new LongList());
        }
      }

      LongList offsets(EventType type) {
        return offsets.get(SENT_AGAIN.indexOf(type));
      }

      LongList lengths(EventType type) {
        return lengths.get(SENT_AGAIN.indexOf(type));
      }
    }

    @Override
    public void header(LogHeader header) {
      logs.add(new Log(header.offsetBytes()));
    }

    @Override
    public void event(EventCursor event) {
      Log log = logs.getLast();
      log.headerEnd = Math.min(log.headerEnd, event.offsetBytes());
      if (event.knownId() == EventType.BLOCK_MARKER.id()) {
        if (event.u32(0) <= LARGEST_BLOCK) {
          starts.add(event.offsetBytes());
          ends.add(event.offsetBytes() + event.u32(0));
          endTimes.add(event.u64(4));
        }
      } else if (event.knownId() >= 0) {
        EventType type = EventType.findById(event.knownId());
        int kind = SENT_AGAIN.indexOf(type);
        if (kind >= 0) {
          log.offsets.get(kind).add(event.offsetBytes());
          log.lengths.get(kind).add(event.recordBytes());
        }
      }
    }

    /** The log that the byte at an offset belongs to. */
    Log log(long offset) {
      Log found = logs.getFirst();
      for (Log log : logs) {
        found = log.headerStart <= offset ? log : found;
      }
      return found;
    }

    byte[] header(FileChannel channel, long offset) throws IOException {
      Log log = log(offset);
      return read(
              channel,
              log.headerStart,
              (int) (Math.min(log.headerEnd, fileBytes) - log.headerStart))
          .array();
    }

    long start(int block) {
      return starts.get(block);
    }

    /**
     * Where a block ends; before its own end if the next one or the end of the file comes first.
     */
    long end(int block) {
      long next = block + 1 < starts.size() ? starts.get(block + 1) : fileBytes;
      return Math.min(ends.get(block), next);
    }

    /** The number of blocks that begin at or before an offset. */
    private int begun(long offset) {
      int low = 0;
      int high = starts.size();
      while (low < high) {
        int middle = (low + high) >>> 1;
        if (starts.get(middle) <= offset) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      return low;
    }

    /** The block that holds an offset, or -1. */
    int at(long offset) {
      int block = begun(offset) - 1;
      return block >= 0 && offset < end(block) ? block : -1;
    }

    /** The start of the first block behind an offset, or the end of the file. */
    long nextStart(long offset) {
      int next = begun(offset);
      return next < starts.size() ? starts.get(next) : fileBytes;
    }

    /** The program's time when it had written the bytes up to an offset. */
    long timeAt(long offset) {
      long time = 0;
      for (int block = 0; block < starts.size() && starts.get(block) < offset; block++) {
        time = Math.max(time, endTimes.get(block));
      }
      return time;
    }
  }
}
