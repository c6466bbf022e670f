package org.ghcdebug.protocol.eventlog;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * An incremental decoder: bytes are pushed in pieces of any size, items are pulled. Which items
 * come out depends on the bytes alone, never on how they were cut into pieces, and nothing that the
 * bytes say makes it throw.
 *
 * <p>An event is delivered once it is complete and, inside a block, once the next record has begun
 * plausibly or the block has ended: so an event whose rest was lost when a program was killed, and
 * whose length then swallowed the start of the next log, is not delivered as if it were whole.
 *
 * <p>After damage the decoder looks, byte by byte up to the end of the block, for a place from
 * which three records in a row are plausible: declared, within the block, not before the last time
 * nor after the block's end, and consistent in themselves. Behind the block it looks for a block
 * marker or another header. What was skipped comes out as {@link Damage}.
 *
 * <p>Memory: the bytes pushed and not yet pulled, plus at most some 400 KiB of lookahead. Time:
 * O(bytes); a few nanoseconds for each event. Not safe for use by several threads at once.
 */
public final class EventLogDecoder {

  /** What {@link #advance} found. */
  public enum Step {
    /** Nothing more can be said until bytes are pushed or the input is finished. */
    NEEDS_INPUT,
    /** A log begins; see {@link #header}. */
    HEADER,
    /** See {@link #event}. */
    EVENT,
    /** See {@link #damage}. */
    DAMAGE,
    /** A log ended; see {@link #end}. */
    LOG_END,
    /** The input is finished and everything in it was delivered. */
    FINISHED
  }

  private enum State {
    /** Where a header must begin. */
    START,
    /** Between two entries of a header. */
    DECLARATIONS,
    /** Inside a damaged header, looking for its next entry or its end. */
    HEADER_RESYNC,
    /** Behind a header. */
    HEADER_END,
    DATA,
    /** Behind damage, looking for records. */
    RESYNC,
    /** Behind an end marker, or where no header was found: looking for a header. */
    SEEK_HEADER
  }

  private static final int HDRB = 0x68647262;
  private static final int HETB = 0x68657462;
  private static final int ETB = 0x65746200;
  private static final int ETE = 0x65746500;
  private static final int HETE = 0x68657465;
  private static final int HDRE = 0x68647265;
  private static final int DATB = 0x64617462;
  private static final long HEADER_MAGIC = (long) HDRB << 32 | HETB;

  private static final int END_MARKER = 0xFFFF;
  private static final int MARKER_ID = 18;
  private static final int MAX_HEADER_BYTES = 1 << 20;
  private static final int MAX_TEXT_BYTES = 1 << 16;
  private static final int MAX_IPE_BYTES = 6 * 0x1_0000;
  private static final int MAX_CAPABILITY = 0xFFF;

  /** Times inside a block may run back by this much before they count as damage. */
  private static final long BACKWARD_NANOS = 5_000_000;

  /** Outside of blocks nothing bounds the time; a step further than this is damage. */
  private static final long FORWARD_NANOS = 3_600_000_000_000L;

  /** Consecutive plausible records that end a search. */
  private static final int CHAIN = 3;

  private static final int UNDECLARED = -1;

  // Outcomes of measuring a record, below any length.
  private static final int NEED = -1;
  private static final int FAULT_UNDECLARED = -2;
  private static final int FAULT_TIME = -3;
  private static final int FAULT_OVERRUN = -4;
  private static final int FAULT_PAYLOAD = -5;
  private static final int FAULT_MARKER = -6;
  private static final int FAULT_NO_MARKER = -7;
  private static final int END = -8;
  private static final int NEW_LOG = -9;
  private static final int NO_MAGIC = -10;

  private static final long NO_BLOCK = -1;

  private byte[] buffer = new byte[1 << 16];
  private int position;
  private int limit;
  // Offset in the stream of buffer[0].
  private long base;
  private boolean finished;

  private State state = State.START;
  private boolean logOpen;
  private boolean headerDamaged;
  private long headerOffset;
  private final List<EventDeclaration> declarations = new ArrayList<>();

  // event id -> payload size, EventType.VARIABLE or UNDECLARED
  private final int[] sizes = new int[0x1_0000];
  // event id -> true size where a development version declared another one, else UNDECLARED
  private final int[] alternativeSizes = new int[0x1_0000];
  // event id -> fewest payload bytes of a known layout, or Integer.MAX_VALUE where unknown
  private static final int[] MINIMUM = minimumSizes();

  private long blockEnd = NO_BLOCK;
  private int capability = TimedEvent.NO_CAPABILITY;
  private long lastTime;
  private long latestTime = Long.MAX_VALUE;
  private boolean markerSeen;

  private long damageStart;
  private int damageFault;
  private String damageDetail = "";
  private int scan;

  private long ipeOffset = -1;
  private long ipeScanned;
  private int ipeTexts;

  private boolean nonThreaded;
  private boolean flushInterval;
  private boolean timeProfile;

  private final EventCursor cursor = new EventCursor();
  private @Nullable LogHeader header;
  private @Nullable Damage damage;
  private @Nullable LogEnd end;

  public EventLogDecoder() {
    Arrays.fill(sizes, UNDECLARED);
    Arrays.fill(alternativeSizes, UNDECLARED);
  }

  private static int[] minimumSizes() {
    int[] minimum = new int[0x1_0000];
    Arrays.fill(minimum, Integer.MAX_VALUE);
    for (EventType type : EventType.values()) {
      minimum[type.id()] = type.minimumBytes();
    }
    return minimum;
  }

  // ---- Input

  /** Appends bytes; they are copied. */
  public void push(byte[] bytes, int from, int length) {
    Objects.checkFromIndexSize(from, length, bytes.length);
    makeRoom(length);
    System.arraycopy(bytes, from, buffer, limit, length);
    limit += length;
  }

  /** Appends the remaining bytes of {@code bytes}; they are copied. */
  public void push(ByteBuffer bytes) {
    int length = bytes.remaining();
    makeRoom(length);
    bytes.get(buffer, limit, length);
    limit += length;
  }

  /** Says that no bytes will follow. */
  public void finish() {
    finished = true;
  }

  private void makeRoom(int length) {
    if (finished) {
      throw new IllegalStateException("bytes after the end of the input");
    }
    if (length <= buffer.length - limit) {
      return;
    }
    int kept = limit - position;
    int needed = Math.addExact(kept, length);
    byte[] target = needed <= buffer.length ? buffer : new byte[Math.max(needed, 2 * kept)];
    System.arraycopy(buffer, position, target, 0, kept);
    buffer = target;
    base += position;
    scan -= position;
    position = 0;
    limit = kept;
  }

  /** Bytes of memory that hold input, for tests. */
  int bufferBytes() {
    return buffer.length;
  }

  // ---- Output

  /** Offset in the stream of the first byte that was not delivered or skipped. */
  public long offsetBytes() {
    return base + position;
  }

  /** The log's header, after {@link Step#HEADER} until the next one. */
  public LogHeader header() {
    return Objects.requireNonNull(header, "no header yet");
  }

  /** The event, after {@link Step#EVENT} until the next call of {@link #advance} or push. */
  public EventCursor event() {
    return cursor;
  }

  /** What was skipped, after {@link Step#DAMAGE}. */
  public Damage damage() {
    return Objects.requireNonNull(damage, "no damage yet");
  }

  /** How a log ended, after {@link Step#LOG_END}. */
  public LogEnd end() {
    return Objects.requireNonNull(end, "no end yet");
  }

  /** The next item as a value, or null where input is needed or finished. */
  public @Nullable LogItem poll() {
    return switch (advance()) {
      case NEEDS_INPUT, FINISHED -> null;
      case HEADER -> header();
      case EVENT -> cursor.toTimedEvent();
      case DAMAGE -> damage();
      case LOG_END -> end();
    };
  }

  /** Hands everything that can be delivered to a visitor. */
  public void drain(EventVisitor visitor) {
    while (true) {
      switch (advance()) {
        case EVENT -> visitor.event(cursor);
        case HEADER -> visitor.header(header());
        case DAMAGE -> visitor.damage(damage());
        case LOG_END -> visitor.end(end());
        case NEEDS_INPUT, FINISHED -> {
          return;
        }
      }
    }
  }

  /** Finds the next item. */
  public Step advance() {
    while (true) {
      Step step =
          switch (state) {
            case DATA -> data();
            case START -> start();
            case DECLARATIONS -> declaration();
            case HEADER_RESYNC -> headerResync();
            case HEADER_END -> beginData();
            case RESYNC -> resync();
            case SEEK_HEADER -> seekHeader();
          };
      if (step != null) {
        return step;
      }
    }
  }

  private Step starved() {
    return finished ? Step.FINISHED : Step.NEEDS_INPUT;
  }

  // ---- Header

  private @Nullable Step start() {
    int available = limit - position;
    if (available < 8) {
      if (!finished) {
        return Step.NEEDS_INPUT;
      }
      if (available == 0) {
        return Step.FINISHED;
      }
      if (startsWithMagic(position, available)) {
        return endOfLog(false, available);
      }
    } else if (EventCursor.u64(buffer, position) == HEADER_MAGIC) {
      beginHeader();
      return null;
    }
    damageStart = base + position;
    scan = position;
    state = State.SEEK_HEADER;
    return null;
  }

  private boolean startsWithMagic(int at, int available) {
    for (int i = 0; i < available; i++) {
      if (buffer[at + i] != (byte) (HEADER_MAGIC >>> (56 - 8 * i))) {
        return false;
      }
    }
    return true;
  }

  private void beginHeader() {
    headerOffset = base + position;
    position += 8;
    forgetDeclarations();
    logOpen = true;
    leaveBlock();
    markerSeen = false;
    lastTime = 0;
    nonThreaded = false;
    flushInterval = false;
    timeProfile = false;
    state = State.DECLARATIONS;
  }

  private void forgetDeclarations() {
    for (EventDeclaration declaration : declarations) {
      sizes[declaration.id()] = UNDECLARED;
      alternativeSizes[declaration.id()] = UNDECLARED;
    }
    declarations.clear();
    if (headerDamaged) {
      for (EventType type : EventType.values()) {
        sizes[type.id()] = UNDECLARED;
      }
      headerDamaged = false;
    }
  }

  private @Nullable Step declaration() {
    int available = limit - position;
    if (available < 4) {
      return finished ? endOfLog(false, available) : Step.NEEDS_INPUT;
    }
    int word = EventCursor.s32(buffer, position);
    if (word == HETE) {
      if (available < 12) {
        return finished ? endOfLog(false, available) : Step.NEEDS_INPUT;
      }
      if (EventCursor.s32(buffer, position + 4) == HDRE
          && EventCursor.s32(buffer, position + 8) == DATB) {
        position += 12;
        state = State.HEADER_END;
        return null;
      }
      return headerFault("\"hdre\" and \"datb\" expected after \"hete\"");
    }
    if (word != ETB) {
      return headerFault("an event type or the end of the header expected");
    }
    if (base + position - headerOffset > MAX_HEADER_BYTES || declarations.size() > 0xFFFF) {
      return headerFault("the header is larger than " + MAX_HEADER_BYTES + " bytes");
    }
    if (available < 12) {
      return finished ? endOfLog(false, available) : Step.NEEDS_INPUT;
    }
    int id = EventCursor.u16(buffer, position + 4);
    int size = EventCursor.u16(buffer, position + 6);
    long described = EventCursor.u32(buffer, position + 8);
    if (described > MAX_TEXT_BYTES) {
      return headerFault("a description of " + described + " bytes");
    }
    int extraAt = position + 12 + (int) described;
    if (limit < extraAt + 4) {
      return finished ? endOfLog(false, available) : Step.NEEDS_INPUT;
    }
    long extra = EventCursor.u32(buffer, extraAt);
    if (extra > MAX_TEXT_BYTES) {
      return headerFault("extra information of " + extra + " bytes");
    }
    int closing = extraAt + 4 + (int) extra;
    if (limit < closing + 4) {
      return finished ? endOfLog(false, available) : Step.NEEDS_INPUT;
    }
    if (EventCursor.s32(buffer, closing) != ETE || id == END_MARKER) {
      return headerFault("\"ete\" expected at the end of event type " + id);
    }
    declarations.add(
        new EventDeclaration(
            id,
            size,
            new String(buffer, position + 12, (int) described, StandardCharsets.UTF_8),
            Bytes.of(buffer, extraAt + 4, (int) extra)));
    sizes[id] = size;
    position = closing + 4;
    return null;
  }

  private @Nullable Step headerFault(String detail) {
    damageStart = base + position;
    damageDetail = detail;
    scan = position + 1;
    state = State.HEADER_RESYNC;
    return null;
  }

  private Step headerResync() {
    while (limit - scan >= 4) {
      int word = EventCursor.s32(buffer, scan);
      if (word == ETB || word == HETE || word == DATB) {
        headerDamaged = true;
        position = word == DATB ? scan + 4 : scan;
        state = word == DATB ? State.HEADER_END : State.DECLARATIONS;
        return skipped(damageStart, Damage.Reason.MALFORMED_HEADER, damageDetail);
      }
      if (word == HDRB || base + scan - headerOffset > 2 * MAX_HEADER_BYTES) {
        return headerLost(scan);
      }
      scan++;
    }
    position = Math.min(scan, limit);
    return finished ? headerLost(limit) : Step.NEEDS_INPUT;
  }

  private Step headerLost(int at) {
    position = at;
    logOpen = false;
    state = State.START;
    return skipped(damageStart, Damage.Reason.MALFORMED_HEADER, damageDetail);
  }

  private Step beginData() {
    // GHC 6.12 declared thread ids of eight bytes and wrote four.
    if (sizes[0] == 8) {
      for (int id : new int[] {0, 1, 3, 15}) {
        sizes[id] = sizes[id] == 8 ? 4 : sizes[id];
      }
      for (int id : new int[] {2, 4, 8}) {
        sizes[id] = sizes[id] == 10 ? 6 : sizes[id];
      }
    }
    // Development versions of GHC declared these sizes and wrote others.
    alternative(55, 14, 18);
    alternative(201, 0, 4);
    alternative(212, 32, 0);
    if (headerDamaged) {
      for (EventType type : EventType.values()) {
        if (sizes[type.id()] == UNDECLARED) {
          sizes[type.id()] = type.sizeBytes();
        }
      }
    }
    header = new LogHeader(headerOffset, declarations);
    state = State.DATA;
    return Step.HEADER;
  }

  private void alternative(int id, int declared, int written) {
    if (sizes[id] == declared) {
      alternativeSizes[id] = written;
    }
  }

  private @Nullable Step seekHeader() {
    while (limit - scan >= 8) {
      if (EventCursor.u64(buffer, scan) == HEADER_MAGIC) {
        position = scan;
        state = State.START;
        return trailing();
      }
      scan++;
    }
    if (!finished) {
      // Only what may be the beginning of a header is kept.
      position = scan;
      return Step.NEEDS_INPUT;
    }
    position = limit;
    scan = limit;
    state = State.START;
    return trailing();
  }

  private @Nullable Step trailing() {
    if (base + position == damageStart) {
      return null;
    }
    boolean first = header == null;
    return skipped(
        damageStart,
        first ? Damage.Reason.NO_HEADER : Damage.Reason.TRAILING_BYTES,
        first ? "an eventlog begins with \"hdrb\"" : "bytes that are no further log");
  }

  private Step skipped(long start, Damage.Reason reason, String detail) {
    damage = damageAt(start, position, reason, detail);
    return Step.DAMAGE;
  }

  private Damage damageAt(long start, int until, Damage.Reason reason, String detail) {
    return new Damage(start, base + until - start, reason, detail, OptionalInt.empty());
  }

  private Step endOfLog(boolean marker, int incomplete) {
    position += incomplete;
    end = new LogEnd(base + position, marker, incomplete);
    logOpen = false;
    leaveBlock();
    damageStart = base + position;
    scan = position;
    state = State.SEEK_HEADER;
    return Step.LOG_END;
  }

  private void leaveBlock() {
    blockEnd = NO_BLOCK;
    capability = TimedEvent.NO_CAPABILITY;
    latestTime = Long.MAX_VALUE;
  }

  // ---- Events

  private @Nullable Step data() {
    if (blockEnd == base + position) {
      leaveBlock();
    }
    int at = position;
    int outcome = measure(at, lastTime, blockEnd, latestTime);
    if (outcome > 0) {
      if (blockEnd != NO_BLOCK && EventCursor.u16(buffer, at) == MARKER_ID) {
        long missing = blockEnd - base - at;
        leaveBlock();
        return skipped(
            base + at,
            Damage.Reason.BLOCK_CUT_SHORT,
            "a block begins " + missing + " bytes before the end of the last one");
      }
      int next = at + outcome;
      int magic = swallowedLog(at, next);
      if (magic == NEED) {
        return Step.NEEDS_INPUT;
      }
      if (magic != NO_MAGIC) {
        return cutByNewLog(magic);
      }
      deliver(at, outcome);
      return Step.EVENT;
    }
    return switch (outcome) {
      case NEED -> finished ? endOfInput() : Step.NEEDS_INPUT;
      case END -> {
        position += 2;
        yield endOfLog(true, 0);
      }
      case NEW_LOG -> cutByNewLog(position);
      default -> beginResync(outcome);
    };
  }

  /**
   * Index inside a record where another log begins, {@link #NO_MAGIC}, or NEED: the record was cut,
   * and its length took in what follows. Inside a block only a record that nothing plausible
   * follows is searched. At the end of a block nothing may follow for long, so the bytes themselves
   * decide, and only if they end like the beginning of a header must more come.
   */
  private int swallowedLog(int at, int next) {
    if (blockEnd == NO_BLOCK) {
      return NO_MAGIC;
    }
    if (base + next != blockEnd) {
      int follow = follows(next);
      if (follow == NEED && !finished) {
        return NEED;
      }
      if (follow == 0 && sizes[EventCursor.u16(buffer, at)] != EventType.VARIABLE) {
        return NO_MAGIC;
      }
    }
    for (int i = at + 1; i < next; i++) {
      if (buffer[i] == 'h') {
        int present = Math.min(8, limit - i);
        if (!startsWithMagic(i, present)) {
          continue;
        }
        if (present == 8) {
          return i;
        }
        if (!finished) {
          return NEED;
        }
      }
    }
    return NO_MAGIC;
  }

  /** Points the cursor at a measured record and keeps what later records are judged by. */
  private void deliver(int at, int recordBytes) {
    int id = EventCursor.u16(buffer, at);
    long time = EventCursor.u64(buffer, at + 2);
    int payload = at + (sizes[id] == EventType.VARIABLE ? 12 : 10);
    int length = at + recordBytes - payload;
    if (id == MARKER_ID && length >= 14) {
      enterBlock(at, time);
    } else if (time > lastTime) {
      lastTime = time;
    }
    if (id == 29 && length >= 4) {
      nonThreaded = !text(payload + 4, length - 4).contains("_thr");
    } else if (id == 30 && length >= 4) {
      flushInterval = text(payload + 4, length - 4).contains("--eventlog-flush-interval");
    } else if (id == 167) {
      timeProfile = true;
    }
    cursor.set(
        buffer,
        payload,
        length,
        id,
        length >= MINIMUM[id] ? id : -1,
        capability,
        time,
        base + at,
        blockEnd == base + at + recordBytes,
        recordBytes);
    position = at + recordBytes;
  }

  private String text(int from, int length) {
    return new String(buffer, from, length, StandardCharsets.UTF_8);
  }

  private void enterBlock(int at, long time) {
    long size = EventCursor.u32(buffer, at + 10);
    long endTime = EventCursor.u64(buffer, at + 14);
    int cap = EventCursor.u16(buffer, at + 22);
    capability = cap == 0xFFFF ? TimedEvent.NO_CAPABILITY : cap;
    blockEnd = base + at + size;
    latestTime = endTime;
    lastTime = time;
    markerSeen = true;
  }

  /**
   * Length of the record at an index if it is plausible, else what is wrong with it, or NEED.
   *
   * @param last the time before which it must not lie by more than {@link #BACKWARD_NANOS}
   * @param block where its block ends in the stream, or {@link #NO_BLOCK}
   * @param latest the time after which it must not lie
   */
  private int measure(int at, long last, long block, long latest) {
    int available = limit - at;
    if (available < 10) {
      return measureShort(at, available, block);
    }
    int id = EventCursor.u16(buffer, at);
    int size = sizes[id];
    if (size == UNDECLARED) {
      return measureUndeclared(at, id, available, block);
    }
    if (block != NO_BLOCK && base + at + 10 > block) {
      return FAULT_OVERRUN;
    }
    long time = EventCursor.u64(buffer, at + 2);
    if (id == MARKER_ID) {
      return measureMarker(at, available, size, time, block);
    }
    if (block == NO_BLOCK && markerSeen) {
      return FAULT_NO_MARKER;
    }
    if (time < 0 || time > latest || time < last - BACKWARD_NANOS) {
      return FAULT_TIME;
    }
    int head = 10;
    if (size == EventType.VARIABLE) {
      if (available < 12) {
        return NEED;
      }
      size = EventCursor.u16(buffer, at + 10);
      head = 12;
      if (id >= 160 && id <= 169) {
        int actual = measureProfiling(at, id, size, block);
        if (actual < 0) {
          return actual;
        }
        size = actual;
      }
    } else if (alternativeSizes[id] != UNDECLARED) {
      int chosen = choose(at + head, size, alternativeSizes[id], block);
      if (chosen < 0) {
        return chosen;
      }
      size = chosen;
    }
    int record = head + size;
    if (block != NO_BLOCK && base + at + record > block) {
      return FAULT_OVERRUN;
    }
    return available < record ? NEED : record;
  }

  private int measureShort(int at, int available, long block) {
    if (available < 2) {
      return NEED;
    }
    int id = EventCursor.u16(buffer, at);
    if (id == END_MARKER) {
      return measureUndeclared(at, id, available, block);
    }
    if (sizes[id] == UNDECLARED && id != HEADER_MAGIC >>> 48) {
      return FAULT_UNDECLARED;
    }
    return block != NO_BLOCK && base + at + 10 > block ? FAULT_OVERRUN : NEED;
  }

  private int measureUndeclared(int at, int id, int available, long block) {
    if (id == END_MARKER) {
      if (block == NO_BLOCK || base + at + 2 == block) {
        return END;
      }
      // Elsewhere in a block it is an end only if nothing else follows.
      if (available < 6) {
        return !finished ? NEED : available == 2 ? END : FAULT_UNDECLARED;
      }
      return EventCursor.s32(buffer, at + 2) == HDRB ? END : FAULT_UNDECLARED;
    }
    if (id == HEADER_MAGIC >>> 48) {
      if (available < 8) {
        return NEED;
      }
      if (EventCursor.u64(buffer, at) == HEADER_MAGIC) {
        return NEW_LOG;
      }
    }
    return FAULT_UNDECLARED;
  }

  private int measureMarker(int at, int available, int size, long time, long block) {
    if (size < 14 || size == EventType.VARIABLE) {
      return FAULT_MARKER;
    }
    if (available < 10 + size) {
      return NEED;
    }
    long blockBytes = EventCursor.u32(buffer, at + 10);
    long endTime = EventCursor.u64(buffer, at + 14);
    int cap = EventCursor.u16(buffer, at + 22);
    if (blockBytes < 10L + size
        || blockBytes > 1 << 30
        || time < 0
        || endTime < time
        || (cap > MAX_CAPABILITY && cap != 0xFFFF)) {
      return FAULT_MARKER;
    }
    // A marker inside a block means that the block was cut, if what follows the marker agrees.
    if (block != NO_BLOCK) {
      int inside = at + 10 + size;
      if (blockBytes > 10L + size) {
        if (limit < inside + 10) {
          return finished ? FAULT_MARKER : NEED;
        }
        long first = EventCursor.u64(buffer, inside + 2);
        int id = EventCursor.u16(buffer, inside);
        if (id != END_MARKER
            && (sizes[id] == UNDECLARED || first > endTime || first < time - BACKWARD_NANOS)) {
          return FAULT_MARKER;
        }
      }
    }
    return 10 + size;
  }

  /** True payload length of a profiling event, which has a structure to check, or a fault. */
  private int measureProfiling(int at, int id, int length, long block) {
    int payload = at + 12;
    switch (id) {
      case 163, 167 -> {
        int fixed = id == 163 ? 10 : 13;
        if (length < fixed) {
          return FAULT_PAYLOAD;
        }
        if (limit < payload + fixed) {
          return NEED;
        }
        int exact = fixed + 4 * (buffer[payload + fixed - 1] & 0xFF);
        if (length <= exact) {
          return length == exact ? length : FAULT_PAYLOAD;
        }
        // Fields that a newer GHC appended, if the next record agrees.
        int follow = follows(payload + length);
        return follow == NEED && !finished ? NEED : follow == 0 ? length : FAULT_PAYLOAD;
      }
      case 164 -> {
        if (length < 10) {
          return FAULT_PAYLOAD;
        }
        if (block != NO_BLOCK && base + payload + length > block) {
          return FAULT_OVERRUN;
        }
        if (limit < payload + length) {
          return NEED;
        }
        for (int i = payload + 9; i < payload + length; i++) {
          if (buffer[i] == 0) {
            return length;
          }
        }
        return FAULT_PAYLOAD;
      }
      case 169 -> {
        return measureIpe(payload, length, block);
      }
      default -> {
        return length;
      }
    }
  }

  /**
   * GHC 9.6 to 9.10 write a length that is one more than the bytes, and a length modulo 65536 if
   * the texts are long: the texts decide.
   */
  private int measureIpe(int payload, int length, long block) {
    int stop = (int) Math.min(limit, (long) payload + MAX_IPE_BYTES);
    if (block != NO_BLOCK) {
      stop = (int) Math.min(stop, block - base);
    }
    int at = payload + 8;
    int texts = 0;
    if (ipeOffset == base + payload) {
      at = (int) (ipeScanned - base);
      texts = ipeTexts;
    }
    while (texts < 6 && at < stop) {
      if (buffer[at++] == 0) {
        texts++;
      }
    }
    if (texts < 6) {
      if (stop < limit || (block != NO_BLOCK && base + limit >= block)) {
        return FAULT_PAYLOAD;
      }
      // Where the search stopped, so that bytes pushed one by one are looked at once.
      ipeOffset = base + payload;
      ipeScanned = base + at;
      ipeTexts = texts;
      return NEED;
    }
    int used = at - payload;
    if (used == length) {
      return length;
    }
    if (used < length) {
      return length - used == 1 ? choose(payload, used, length, block) : length;
    }
    int excess = length - used & 0xFFFF;
    return excess <= 1 ? used : FAULT_PAYLOAD;
  }

  /** Of two lengths of a payload, the one that a plausible record, or the block's end, follows. */
  private int choose(int payload, int preferred, int other, long block) {
    if (block != NO_BLOCK && base + payload + preferred == block) {
      return preferred;
    }
    if (block != NO_BLOCK && base + payload + other == block) {
      return other;
    }
    int first = follows(payload + preferred);
    if (first == NEED && !finished) {
      return NEED;
    }
    if (first >= 0) {
      return preferred;
    }
    int second = follows(payload + other);
    if (second == NEED && !finished) {
      return NEED;
    }
    return second >= 0 ? other : preferred;
  }

  /** Whether a record of the current block seems to begin at an index: 0, a fault, or NEED. */
  private int follows(int at) {
    if (limit - at < 2) {
      return NEED;
    }
    int id = EventCursor.u16(buffer, at);
    if (id == END_MARKER) {
      return 0;
    }
    if (sizes[id] == UNDECLARED) {
      return FAULT_UNDECLARED;
    }
    if (limit - at < 10) {
      return NEED;
    }
    long time = EventCursor.u64(buffer, at + 2);
    return time < 0 || time > latestTime || time < lastTime - BACKWARD_NANOS ? FAULT_UNDECLARED : 0;
  }

  private int findMagic(int from, int to) {
    for (int at = from; at + 8 <= to; at++) {
      if (buffer[at] == 'h' && EventCursor.u64(buffer, at) == HEADER_MAGIC) {
        return at;
      }
    }
    return -1;
  }

  /** The log stops, perhaps inside a record, because another one begins at an index. */
  private Step cutByNewLog(int magic) {
    return endOfLog(false, magic - position);
  }

  private Step endOfInput() {
    int magic = findMagic(position, limit);
    if (magic >= 0) {
      return cutByNewLog(magic);
    }
    if (!logOpen) {
      return Step.FINISHED;
    }
    return endOfLog(false, limit - position);
  }

  // ---- Damage

  private @Nullable Step beginResync(int fault) {
    damageStart = base + position;
    damageFault = fault;
    damageDetail = describe(fault);
    scan = position + 1;
    state = State.RESYNC;
    return null;
  }

  private String describe(int fault) {
    int available = limit - position;
    int id = available >= 2 ? EventCursor.u16(buffer, position) : -1;
    return switch (fault) {
      case FAULT_UNDECLARED -> "event id " + id + " is not declared in the header";
      case FAULT_TIME ->
          "event %d at %s ns, expected between %d and %d"
              .formatted(
                  id,
                  Long.toUnsignedString(EventCursor.u64(buffer, position + 2)),
                  lastTime,
                  latestTime);
      case FAULT_OVERRUN -> "event " + id + " reaches past the end of its block";
      case FAULT_PAYLOAD -> "the fields of event " + id + " do not fit its length";
      case FAULT_MARKER -> "a block marker with an impossible size, time or capability";
      default -> "event " + id + " where a block marker was expected";
    };
  }

  private static Damage.Reason reason(int fault) {
    return switch (fault) {
      case FAULT_UNDECLARED -> Damage.Reason.UNDECLARED_EVENT;
      case FAULT_TIME -> Damage.Reason.IMPLAUSIBLE_TIME;
      case FAULT_OVERRUN -> Damage.Reason.OVERRUNS_BLOCK;
      case FAULT_PAYLOAD -> Damage.Reason.MALFORMED_PAYLOAD;
      case FAULT_MARKER -> Damage.Reason.MALFORMED_BLOCK_MARKER;
      default -> Damage.Reason.MISSING_BLOCK_MARKER;
    };
  }

  private @Nullable Step resync() {
    while (true) {
      if (blockEnd != NO_BLOCK && base + scan >= blockEnd) {
        // Behind the block a marker, an end, or another header must come.
        leaveBlock();
      }
      if (blockEnd == NO_BLOCK && limit - scan == 0 && finished) {
        position = scan;
        return resynced();
      }
      int verdict = chain(scan);
      if (verdict == NEED && !finished) {
        // Nothing before the place that is being judged is needed any more.
        position = scan;
        return Step.NEEDS_INPUT;
      }
      if (verdict > 0) {
        position = scan;
        return resynced();
      }
      if (scan >= limit) {
        position = limit;
        return resynced();
      }
      scan++;
    }
  }

  private Step resynced() {
    state = State.DATA;
    OptionalInt issue = OptionalInt.empty();
    if (nonThreaded && damageFault != FAULT_NO_MARKER) {
      // Without -threaded the timer signal writes events into the middle of others: flushes since
      // --eventlog-flush-interval, samples since time profiling.
      if (flushInterval) {
        issue = OptionalInt.of(26222);
      } else if (timeProfile) {
        issue = OptionalInt.of(25165);
      }
    }
    damage =
        new Damage(
            damageStart, base + position - damageStart, reason(damageFault), damageDetail, issue);
    return Step.DAMAGE;
  }

  /** Whether decoding may go on at an index: 1, 0 or NEED. */
  private int chain(int from) {
    int at = from;
    long last = lastTime;
    for (int count = 0; count < CHAIN; count++) {
      if (blockEnd != NO_BLOCK && base + at == blockEnd) {
        return count > 0 ? 1 : 0;
      }
      if (count > 0 && finished && at == limit) {
        return 1;
      }
      long latest = blockEnd == NO_BLOCK && lastTime > 0 ? lastTime + FORWARD_NANOS : latestTime;
      int outcome = measure(at, last, blockEnd, latest);
      if (outcome == NEED) {
        return finished ? (count >= CHAIN - 1 ? 1 : 0) : NEED;
      }
      if (outcome == NEW_LOG) {
        return 1;
      }
      if (outcome == END) {
        return count > 0 || blockEnd == NO_BLOCK && finished && limit - at == 2 ? 1 : 0;
      }
      if (outcome < 0) {
        return 0;
      }
      if (EventCursor.u16(buffer, at) == MARKER_ID) {
        return 1;
      }
      last = Math.max(last, EventCursor.u64(buffer, at + 2));
      at += outcome;
    }
    return 1;
  }
}
