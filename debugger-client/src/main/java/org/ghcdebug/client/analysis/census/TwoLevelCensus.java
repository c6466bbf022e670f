package org.ghcdebug.client.analysis.census;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.ghcdebug.client.collections.LongIntMap;
import org.ghcdebug.client.heap.Heap;
import org.ghcdebug.client.index.ClosureSelection;
import org.ghcdebug.client.index.HeapCopy;
import org.ghcdebug.client.index.HeapCursor;
import org.ghcdebug.client.index.HeapTally;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.protocol.closure.InfoTable;

/**
 * Groups what is reachable by what it is and what it refers to: {@code Bin[Text, <THUNK>, Tip,
 * Tip]}. Tells, for instance, which of the maps of one type hold thunks.
 *
 * <p>The pointers of a closure with fixed fields are told in their order; those of arrays and of
 * others with more than {@value #MAX_FIELDS} as the kinds that occur. Stacks, partial applications
 * and the like stand alone.
 */
public final class TwoLevelCensus {
  private static final int MAX_FIELDS = 12;
  private static final int MANY = -1; // in front of kinds that are told without order
  private static final int MISSING = 0;
  private static final int MORE = 1; // behind kinds of which there are more

  private final CensusKey key;
  private final Heap heap;
  private final HeapCursor target;
  private final Map<String, Integer> numbersOfNames = new HashMap<>();
  private final List<String> names = new ArrayList<>(); // number -> name
  private final LongIntMap numbersOfInfos = new LongIntMap(); // info address -> number of its name

  private final LongIntMap shapes = new LongIntMap(); // hash, moved on where taken -> shape
  private final List<int[]> parts = new ArrayList<>(); // shape -> names of closure and fields
  private final KeyedCounts counts = new KeyedCounts(); // by shape
  private int[] scratch = new int[MAX_FIELDS + 3];

  private TwoLevelCensus(CensusKey key, Heap heap, HeapCopy copy) {
    this.key = key;
    this.heap = heap;
    this.target = copy.cursor();
    name("<missing>");
    name("…");
  }

  /**
   * Counts the closures wanted. O(closures and their pointers); nothing is allocated per closure.
   *
   * @param key what both levels are called by
   * @throws IllegalArgumentException when info tables do not tell the key
   */
  public static CensusResult of(
      CensusKey key, Heap heap, HeapCopy copy, ClosureSelection selection, Work work) {
    if (!key.isOfInfo()) {
      throw new IllegalArgumentException(key + " is not told by info tables");
    }
    heap.prefetchNames(copy.tally().entries().stream().map(HeapTally.Entry::info).toList());
    TwoLevelCensus census = new TwoLevelCensus(key, heap, copy);
    copy.each(
        selection,
        closure -> {
          census.counts.count(census.shapeOf(closure), closure);
          return true;
        },
        work);
    return census.result(copy.tally().missing());
  }

  private int shapeOf(HeapCursor closure) {
    int length = 0;
    scratch[length++] = numberOf(closure.info());
    int fields = closure.pointerCount();
    if (fields > MAX_FIELDS || closure.info().type().name().contains("MUT_ARR_PTRS")) {
      length = kinds(closure, fields);
    } else {
      for (int i = 0; i < fields; i++) {
        scratch[length++] = numberAt(closure.pointer(i));
      }
    }
    return shape(length);
  }

  /** Which kinds occur, in the order of their numbers; after {@value #MAX_FIELDS} it ends. */
  private int kinds(HeapCursor closure, int fields) {
    int length = 1;
    scratch[length++] = MANY;
    for (int i = 0; i < fields; i++) {
      int kind = numberAt(closure.pointer(i));
      int at = Arrays.binarySearch(scratch, 2, length, kind);
      if (at < 0 && length == MAX_FIELDS + 2) {
        scratch[length++] = MORE;
        break;
      }
      if (at < 0) {
        System.arraycopy(scratch, -at - 1, scratch, -at, length + at + 1);
        scratch[-at - 1] = kind;
        length++;
      }
    }
    return length;
  }

  private int numberAt(long pointer) {
    return target.moveTo(pointer) ? numberOf(target.info()) : MISSING;
  }

  private int numberOf(InfoTable info) {
    long infoAddr = info.address().address();
    int number = numbersOfInfos.get(infoAddr);
    if (number == LongIntMap.MISSING) {
      number = name(key.of(info, heap));
      numbersOfInfos.put(infoAddr, number);
    }
    return number;
  }

  private int name(String name) {
    return numbersOfNames.computeIfAbsent(
        name,
        _ -> {
          names.add(name);
          return names.size() - 1;
        });
  }

  private int shape(int length) {
    long hash = 1;
    for (int i = 0; i < length; i++) {
      hash = (hash + scratch[i]) * 0x9E3779B97F4A7C15L;
    }
    for (; ; hash++) {
      int shape = hash == 0 ? -2 : shapes.get(hash);
      if (shape == LongIntMap.MISSING) {
        shapes.put(hash, parts.size());
        parts.add(Arrays.copyOf(scratch, length));
        return parts.size() - 1;
      }
      if (shape >= 0
          && Arrays.equals(parts.get(shape), 0, parts.get(shape).length, scratch, 0, length)) {
        return shape;
      }
    }
  }

  private CensusResult result(HeapTally.Missing missing) {
    List<CensusResult.Row> rows =
        IntStream.range(0, parts.size())
            .mapToObj(shape -> counts.row(shape, describe(parts.get(shape))))
            .sorted(
                Comparator.comparingLong(CensusResult.Row::bytes)
                    .reversed()
                    .thenComparing(CensusResult.Row::key))
            .toList();
    return new CensusResult(
        rows,
        rows.stream().mapToLong(CensusResult.Row::count).sum(),
        rows.stream().mapToLong(CensusResult.Row::bytes).sum(),
        missing);
  }

  private String describe(int[] shape) {
    if (shape.length == 1) {
      return names.get(shape[0]);
    }
    boolean isMany = shape[1] == MANY;
    String fields =
        Arrays.stream(shape)
            .skip(isMany ? 2 : 1)
            .mapToObj(names::get)
            .collect(Collectors.joining(", "));
    return names.get(shape[0]) + (isMany ? "{" + fields + "}" : "[" + fields + "]");
  }
}
