package org.ghcdebug.client.analysis.string;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.LongStream;
import org.ghcdebug.client.collections.LongIntMap;
import org.ghcdebug.client.heap.Heap;
import org.ghcdebug.client.index.ClosureSelection;
import org.ghcdebug.client.index.ClosureTest;
import org.ghcdebug.client.index.HeapCopy;
import org.ghcdebug.client.index.HeapCursor;
import org.ghcdebug.client.index.HeapTally;
import org.ghcdebug.client.value.StringData;
import org.ghcdebug.client.value.StringKind;
import org.ghcdebug.client.value.StringReader;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.protocol.closure.Closure;
import org.ghcdebug.protocol.closure.ClosureType;
import org.ghcdebug.protocol.target.Target;
import org.jspecify.annotations.Nullable;

/**
 * Counts strings, or byte arrays, by what is in them.
 *
 * <p>O(closures and contents); costs a bit per word of the heap's blocks, and 100 bytes or so per
 * different string.
 */
public final class StringTally {
  /** At most so many characters of a value are told. */
  public static final int MAX_SHOWN = 1000;

  private static final int MAX_BYTES_SHOWN = 32;

  private final Heap heap;
  private final HeapCopy copy;
  private final StringReader reader;
  private final StringData contents;
  private final StringData sample;
  private final HeapCursor cursor;
  private final ClosureSet counted; // closures whose bytes are in a row
  private final LongIntMap groupsByHash = new LongIntMap(); // hash, moved on where taken -> group
  private final List<Group> groups = new ArrayList<>();
  private long unreadable;

  private static final class Group {
    final StringKind kind;
    final long hash;
    final long[] samples = new long[HeapTally.MAX_SAMPLES];
    long count;
    long bytes;
    long firstBytes;

    Group(StringKind kind, long hash) {
      this.kind = kind;
      this.hash = hash;
    }
  }

  /**
   * @param rows by wasted bytes, most first
   * @param unreadable strings whose contents are not on the heap, such as literals, and are not
   *     counted
   */
  public record Result(List<ContentRow> rows, long unreadable) {
    public Result {
      rows = List.copyOf(rows);
    }

    /** Strings, or arrays, of all rows. */
    public long count() {
      return rows.stream().mapToLong(ContentRow::count).sum();
    }

    public long bytes() {
      return rows.stream().mapToLong(ContentRow::bytes).sum();
    }

    public long wastedBytes() {
      return rows.stream().mapToLong(ContentRow::wastedBytes).sum();
    }
  }

  private StringTally(Heap heap, HeapCopy copy) {
    this.heap = heap;
    this.copy = copy;
    this.reader = new StringReader(heap, copy, StringReader.MAX_CELLS);
    this.contents = reader.newData();
    this.sample = reader.newData();
    this.cursor = copy.cursor();
    this.counted = new ClosureSet(copy.image());
  }

  /**
   * Strings: {@code String}s from their first cell on, {@code Text}, {@code ByteString}, and the
   * chunks of lazy ones.
   */
  public static Result strings(Heap heap, HeapCopy copy, ClosureSelection selection, Work work) {
    heap.prefetchNames(copy.tally().entries().stream().map(HeapTally.Entry::info).toList());
    StringTally tally = new StringTally(heap, copy);
    ClosureSet tails = tally.tails(work);
    copy.each(
        info -> tally.reader.kind(info) == null ? ClosureTest.NEVER : selection.of(info),
        closure -> {
          StringKind kind = tally.reader.kind(closure.info());
          if (kind != StringKind.LIST || !tails.contains(closure.address())) {
            tally.add(closure, kind);
          }
          return true;
        },
        work);
    return tally.result();
  }

  /** Byte arrays, whatever is in them. */
  public static Result arrays(Heap heap, HeapCopy copy, ClosureSelection selection, Work work) {
    StringTally tally = new StringTally(heap, copy);
    copy.each(
        info -> info.type() == ClosureType.ARR_WORDS ? selection.of(info) : ClosureTest.NEVER,
        closure -> {
          tally.add(closure, null);
          return true;
        },
        work);
    return tally.result();
  }

  /** The cells that continue a String: those are no strings of their own. */
  private ClosureSet tails(Work work) {
    ClosureSet tails = new ClosureSet(copy.image());
    copy.each(
        info -> reader.kind(info) == StringKind.LIST ? ClosureTest.ALWAYS : ClosureTest.NEVER,
        closure -> {
          if (reader.isStringCell(closure)) {
            long tail = reader.tail(closure);
            if (tail != 0) {
              tails.add(tail);
            }
          }
          return true;
        },
        work);
    return tails;
  }

  /**
   * @param kind {@code null} for a byte array
   */
  private void add(HeapCursor closure, @Nullable StringKind kind) {
    if (!read(closure, kind, contents)) {
      if (kind != StringKind.LIST) {
        unreadable++;
      }
      return;
    }
    Group group = group(kind);
    if (group.count < group.samples.length) {
      group.samples[(int) group.count] = closure.address();
    }
    long bytes = 0;
    if (counted.add(closure.address())) {
      bytes = closure.sizeWords() * Target.WORD_BYTES;
    }
    for (int i = 0; i < contents.parts().size(); i++) {
      long part = contents.parts().get(i);
      if (counted.add(part) && cursor.moveTo(part)) {
        bytes += cursor.sizeWords() * Target.WORD_BYTES;
      }
    }
    if (group.count == 0) {
      group.firstBytes = bytes;
    }
    group.count++;
    group.bytes += bytes;
  }

  private boolean read(HeapCursor closure, @Nullable StringKind kind, StringData into) {
    if (kind != null) {
      return reader.read(closure, kind, into);
    }
    return into.array(closure);
  }

  /** The group of what was read. */
  private Group group(@Nullable StringKind kind) {
    long hash = contents.hash() + (kind == null ? 0 : kind.label().hashCode());
    for (long slot = hash == 0 ? 1 : hash; ; slot++) {
      int index = slot == 0 ? -2 : groupsByHash.get(slot);
      if (index == LongIntMap.MISSING) {
        groupsByHash.put(slot, groups.size());
        groups.add(new Group(kind, hash));
        return groups.getLast();
      }
      if (index >= 0 && isOf(groups.get(index), kind)) {
        return groups.get(index);
      }
    }
  }

  private boolean isOf(Group group, @Nullable StringKind kind) {
    return group.kind == kind
        && cursor.moveTo(group.samples[0])
        && read(cursor, kind, sample)
        && contents.hasSame(sample);
  }

  private Result result() {
    List<ContentRow> rows = new ArrayList<>(groups.size());
    for (Group group : groups) {
      rows.add(
          new ContentRow(
              group.kind == null ? ClosureType.ARR_WORDS.name() : group.kind.label(),
              group.kind == null ? describe(group.samples[0]) : text(group),
              "%016x".formatted(group.hash),
              group.count,
              group.bytes,
              group.bytes - group.firstBytes,
              LongStream.of(group.samples)
                  .limit(Math.min(group.count, group.samples.length))
                  .boxed()
                  .toList()));
    }
    rows.sort(
        Comparator.comparingLong(ContentRow::wastedBytes)
            .thenComparingLong(ContentRow::bytes)
            .reversed()
            .thenComparing(ContentRow::value));
    return new Result(rows, unreadable);
  }

  /** The contents; what goes on with something that is not evaluated ends in an ellipsis. */
  private String text(Group group) {
    return cursor.moveTo(group.samples[0]) && read(cursor, group.kind, sample)
        ? cut(sample.text()) + (sample.isClosed() ? "" : "…")
        : "";
  }

  private static String cut(String text) {
    return text.codePointCount(0, text.length()) <= MAX_SHOWN
        ? text
        : text.substring(0, text.offsetByCodePoints(0, MAX_SHOWN)) + "…";
  }

  /** An array as text where it can be that, else its first bytes. */
  private String describe(long addr) {
    if (!(heap.closure(addr) instanceof Closure.ArrWords array)) {
      return "";
    }
    int size = (int) Math.min(array.sizeBytes(), MAX_SHOWN);
    ByteBuffer bytes =
        ByteBuffer.allocate(array.data().size() * Target.WORD_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asLongBuffer().put(array.data().values());
    bytes.limit(Math.min(size, bytes.capacity()));
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(bytes.duplicate()).toString();
      if (text.chars().allMatch(c -> c >= ' ' && c != 127) && !text.isEmpty()) {
        return "\"" + text + "\"" + (size < array.sizeBytes() ? "…" : "");
      }
    } catch (CharacterCodingException notText) {
      // Then as bytes.
    }
    StringBuilder shown = new StringBuilder();
    for (int i = 0; i < Math.min(bytes.limit(), MAX_BYTES_SHOWN); i++) {
      shown.append(i == 0 ? "" : " ").append("%02x".formatted(bytes.get(i)));
    }
    return shown.append(array.sizeBytes() > MAX_BYTES_SHOWN ? " …" : "").toString();
  }
}
