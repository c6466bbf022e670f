package org.ghcdebug.client.analysis.string;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.ghcdebug.client.collections.IntList;
import org.ghcdebug.client.collections.LongIntMap;
import org.ghcdebug.client.heap.Heap;
import org.ghcdebug.client.index.ClosureSelection;
import org.ghcdebug.client.index.HeapCopy;
import org.ghcdebug.client.index.HeapCursor;
import org.ghcdebug.client.index.HeapGraph;
import org.ghcdebug.client.index.HeapTally;
import org.ghcdebug.client.value.HaskellPrinter;
import org.ghcdebug.client.value.PrintLimits;
import org.ghcdebug.client.value.StringData;
import org.ghcdebug.client.value.StringKind;
import org.ghcdebug.client.value.StringReader;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.protocol.closure.ConstructorName;
import org.ghcdebug.protocol.closure.InfoTable;
import org.ghcdebug.protocol.target.Target;
import org.jspecify.annotations.Nullable;

/**
 * Equal values that are there several times, and what sharing them would save.
 *
 * <p>Two evaluated constructors are equal when their names, their unboxed fields and the values of
 * their other fields are; {@code Text}s and {@code ByteString}s when their contents are. Everything
 * else (thunks, functions, variables, arrays) equals itself only, and so does a value that contains
 * itself. So what is told to be equal is, but not all that is equal is told.
 *
 * <p>Parts of equal values are equal too. Where all equal parts belong to nothing but values of one
 * row, they are counted in that row and have none of their own, so that no byte is counted twice
 * and the rows' wasted bytes add up to what sharing all of them would save.
 *
 * <p>O(closures and contents); costs 8 bytes per closure of the graph, and 60 or so per different
 * value.
 */
public final class Duplicates {
  private static final PrintLimits SHORT = new PrintLimits(6, 10, 200);
  private static final int NONE = 0; // not looked at yet; values are numbered from 1
  private static final int OF_NOBODY = -1;
  private static final int INTERVAL = 1 << 16;

  /** So many values are told; printing each takes longer than finding it. */
  private static final int MAX_PRINTED = 10_000;

  private final Heap heap;
  private final HeapGraph graph;
  private final StringReader reader;
  private final StringData contents;
  private final StringData otherContents;
  private final HeapCursor cursor;
  private final HeapCursor other;
  private final HeapCursor there;
  private final Map<Long, Integer> constructors = new HashMap<>(); // info address -> its name's
  private final Map<ConstructorName, Integer> numbersOfNames = new HashMap<>();
  private final int[] values; // closure id -> its value, or ~id for what equals only itself
  private final BitSet begun;
  private final LongIntMap valuesByHash = new LongIntMap(); // hash, moved on where taken -> value
  private final IntList first = new IntList(); // value -> a closure that has it

  // Value -> of its closures on the heap that are wanted.
  private long[] counts = {};
  private long[] bytes = {};
  private long[] wasted = {};
  private int[] owners = {}; // the value that all of them belong to
  private long[] samples = {};

  private final Work work;
  private long steps;

  private Duplicates(Heap heap, HeapCopy copy, HeapGraph graph, Work work) {
    this.work = work;
    this.heap = heap;
    this.graph = graph;
    this.reader = new StringReader(heap, copy, StringReader.MAX_CELLS);
    this.contents = reader.newData();
    this.otherContents = reader.newData();
    this.cursor = copy.cursor();
    this.other = copy.cursor();
    this.there = copy.cursor();
    this.values = new int[graph.size()];
    this.begun = new BitSet(graph.size());
    first.add(HeapGraph.NONE); // there is no value 0
  }

  /**
   * Looks at all constructors.
   *
   * @param selection which closures are counted
   */
  public static StringTally.Result of(
      Heap heap, HeapCopy copy, HeapGraph graph, ClosureSelection selection, Work work) {
    heap.prefetchNames(copy.tally().entries().stream().map(HeapTally.Entry::info).toList());
    Duplicates duplicates = new Duplicates(heap, copy, graph, work);
    for (int id = 0; id < graph.size(); id++) {
      if (id % INTERVAL == 0) {
        work.progress("comparing (closures)", id, graph.size());
      }
      duplicates.value(id);
    }
    BitSet wanted = new BitSet(graph.size());
    copy.each(
        selection,
        closure -> {
          wanted.set(graph.id(closure.address()));
          return true;
        },
        work);
    duplicates.count(wanted);
    return duplicates.result();
  }

  /** Asks now and then whether to go on: one closure can contain all others. */
  private void step() {
    if (steps++ % INTERVAL == 0) {
      work.checkStopped();
    }
  }

  /** Finds the value of a closure and, before, of all that it contains. */
  private void value(int start) {
    IntList pending = new IntList();
    pending.add(start);
    while (!pending.isEmpty()) {
      step();
      int id = pending.last();
      if (values[id] != NONE) {
        pending.pop();
        continue;
      }
      boolean isNew = !begun.get(id);
      begun.set(id);
      if (isNew && pushFields(id, pending)) {
        continue;
      }
      pending.pop();
      values[id] = number(id);
    }
  }

  /** Whether something has to be looked at before the closure. */
  private boolean pushFields(int id, IntList pending) {
    if (!isComparable(id) || reader.kind(cursor.info()) != null && !isList(cursor.info())) {
      return false;
    }
    boolean pushed = false;
    for (int i = 0; i < cursor.pointerCount(); i++) {
      int field = target(cursor.pointer(i));
      if (field != HeapGraph.NONE && values[field] == NONE && !begun.get(field)) {
        pending.add(field);
        pushed = true;
      }
    }
    return pushed;
  }

  private boolean isList(InfoTable info) {
    return reader.kind(info) == StringKind.LIST;
  }

  /** Moves the cursor there; false for what equals only itself. */
  private boolean isComparable(int id) {
    return cursor.moveTo(graph.address(id))
        && cursor.info().type().isConstructor()
        && constructor(cursor.info()) >= 0;
  }

  /** The closure that a field stands for. */
  private int target(long pointer) {
    return StringReader.moveToValue(other, pointer) ? graph.id(other.address()) : HeapGraph.NONE;
  }

  private int constructor(InfoTable info) {
    return constructors.computeIfAbsent(
        info.address().address(),
        _ ->
            heap.findConstructorName(info)
                .map(name -> numbersOfNames.computeIfAbsent(name, _ -> numbersOfNames.size()))
                .orElse(-1));
  }

  private int number(int id) {
    if (!isComparable(id)) {
      return ~id;
    }
    StringKind kind = reader.kind(cursor.info());
    boolean isContents = kind != null && kind != StringKind.LIST;
    if (isContents && !reader.read(cursor, kind, contents)) {
      return ~id;
    }
    long hash = isContents ? contents.hash() + kind.label().hashCode() : hash();
    for (long slot = hash == 0 ? 1 : hash; ; slot++) {
      int value = slot == 0 ? -2 : valuesByHash.get(slot);
      if (value == LongIntMap.MISSING) {
        valuesByHash.put(slot, first.size());
        first.add(id);
        return first.size() - 1;
      }
      if (value > 0 && isSame(first.get(value), isContents ? kind : null)) {
        return value;
      }
    }
  }

  /** Of the constructor that the cursor is at. */
  private long hash() {
    long hash = constructor(cursor.info());
    int h = cursor.headerWords();
    for (int i = 0; i < cursor.pointerCount(); i++) {
      hash = (hash + fieldValue(cursor.pointer(i))) * 0x9E3779B97F4A7C15L + (hash >>> 29);
    }
    for (int i = h + cursor.pointerCount(); i < cursor.sizeWords(); i++) {
      hash = (hash + cursor.word(i)) * 0x9E3779B97F4A7C15L + (hash >>> 29);
    }
    return hash;
  }

  /** A number that equal fields share: one in a circle, or missing, is told by its address. */
  private long fieldValue(long pointer) {
    int field = target(pointer);
    if (field == HeapGraph.NONE) {
      return Target.untag(pointer) | Long.MIN_VALUE;
    }
    return values[field] == NONE ? ~field : values[field];
  }

  /** Whether the closure at the cursor, or the contents just read, are those of another. */
  private boolean isSame(int otherId, @Nullable StringKind kind) {
    if (!there.moveTo(graph.address(otherId))
        || constructor(there.info()) != constructor(cursor.info())) {
      return false;
    }
    if (kind != null) {
      return reader.read(there, kind, otherContents) && contents.hasSame(otherContents);
    }
    if (there.sizeWords() != cursor.sizeWords() || there.pointerCount() != cursor.pointerCount()) {
      return false;
    }
    for (int i = 0; i < cursor.pointerCount(); i++) {
      if (fieldValue(there.pointer(i)) != fieldValue(cursor.pointer(i))) {
        return false;
      }
    }
    for (int i = cursor.headerWords() + cursor.pointerCount(); i < cursor.sizeWords(); i++) {
      if (there.word(i) != cursor.word(i)) {
        return false;
      }
    }
    return true;
  }

  private void count(BitSet wanted) {
    int size = first.size();
    counts = new long[size];
    bytes = new long[size];
    wasted = new long[size];
    owners = new int[size];
    samples = new long[size * HeapTally.MAX_SAMPLES];
    long[] leastBytes = new long[size];
    boolean[] hasStatic = new boolean[size];
    Arrays.fill(leastBytes, Long.MAX_VALUE);
    for (int id = 0; id < values.length; id++) {
      step();
      int value = values[id];
      if (value > 0 && graph.isOutsideBlocks(id)) {
        hasStatic[value] = true;
      } else if (value > 0 && wanted.get(id)) {
        if (counts[value] < HeapTally.MAX_SAMPLES) {
          samples[value * HeapTally.MAX_SAMPLES + (int) counts[value]] = graph.address(id);
        }
        long own = graph.sizeBytes(id) + contentsBytes(id);
        counts[value]++;
        bytes[value] += own;
        leastBytes[value] = Math.min(leastBytes[value], own);
      }
    }
    for (int value = 1; value < size; value++) {
      if (counts[value] > 0) {
        wasted[value] = bytes[value] - (hasStatic[value] ? 0 : leastBytes[value]);
      }
    }
    for (int id = 0; id < values.length; id++) {
      step();
      if (values[id] > 0 && !graph.isOutsideBlocks(id) && wanted.get(id)) {
        own(values[id], owner(id, wanted));
      }
    }
    // What a value contains has a smaller number.
    for (int value = 1; value < size; value++) {
      if (owners[value] > 0 && counts[value] > 0) {
        bytes[owners[value]] += bytes[value];
        wasted[owners[value]] += wasted[value];
      }
    }
  }

  /** Bytes of the arrays of a Text or ByteString, as far as nothing else refers to them. */
  private long contentsBytes(int id) {
    cursor.moveTo(graph.address(id));
    StringKind kind = reader.kind(cursor.info());
    if (kind == null || kind == StringKind.LIST || !reader.read(cursor, kind, contents)) {
      return 0;
    }
    long sum = 0;
    for (int i = 0; i < contents.parts().size(); i++) {
      int part = graph.id(contents.parts().get(i));
      if (part != HeapGraph.NONE && isOnlyOf(part, id)) {
        sum += graph.sizeBytes(part);
      }
    }
    return sum;
  }

  /** Whether all references to a part come from the closure, or from its other parts. */
  private boolean isOnlyOf(int part, int id) {
    for (int before : graph.predecessorsOf(part)) {
      boolean isOther = before != id;
      for (int i = 0; isOther && i < contents.parts().size(); i++) {
        isOther =
            graph.id(contents.parts().get(i)) != before
                || !Arrays.equals(graph.predecessorsOf(before), new int[] {id});
      }
      if (isOther) {
        return false;
      }
    }
    return true;
  }

  /** The value that a closure is part of, and of no other. */
  private int owner(int id, BitSet wanted) {
    int[] before = graph.predecessorsOf(id);
    if (before.length != 1 || !wanted.get(before[0]) || graph.isOutsideBlocks(before[0])) {
      return OF_NOBODY;
    }
    int owner = values[before[0]];
    return owner > values[id] && counts[owner] > 1 ? owner : OF_NOBODY;
  }

  private void own(int value, int owner) {
    owners[value] = owners[value] == NONE || owners[value] == owner ? owner : OF_NOBODY;
  }

  private StringTally.Result result() {
    HaskellPrinter printer = new HaskellPrinter(heap, SHORT);
    List<Integer> shown =
        IntStream.range(1, counts.length)
            .filter(value -> wasted[value] > 0 && owners[value] <= 0)
            .boxed()
            .sorted(
                Comparator.comparingLong((Integer value) -> -wasted[value])
                    .thenComparingLong(value -> -bytes[value])
                    .thenComparing(value -> value))
            .toList();
    List<ContentRow> rows = new ArrayList<>();
    for (int value : shown) {
      work.checkStopped();
      int from = value * HeapTally.MAX_SAMPLES;
      long[] addresses =
          Arrays.copyOfRange(
              samples, from, from + (int) Math.min(counts[value], HeapTally.MAX_SAMPLES));
      rows.add(
          new ContentRow(
              heap.displayName(graph.infoOf(first.get(value))),
              rows.size() < MAX_PRINTED ? printer.print(addresses[0]) : "…",
              "",
              counts[value],
              bytes[value],
              wasted[value],
              LongStream.of(addresses).boxed().toList()));
    }
    return new StringTally.Result(rows, 0);
  }
}
