package org.ghcdebug.client.analysis.string;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.ghcdebug.client.index.ClosureSelection;
import org.ghcdebug.client.testing.NaiveHeap;
import org.ghcdebug.client.value.StringContents;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.protocol.closure.Closure;
import org.ghcdebug.protocol.target.GhcVersion;
import org.ghcdebug.protocol.target.ProfilingMode;
import org.ghcdebug.protocol.target.Target;
import org.ghcdebug.stub.heap.Code;
import org.ghcdebug.stub.heap.HaskellValues;
import org.ghcdebug.stub.heap.HeapBuilder;
import org.ghcdebug.stub.heap.Ref;
import org.ghcdebug.stub.heap.Slot;

class StringTallyProperties {
  /** The one character of the String that is not evaluated to its end. */
  private static final int OPEN = 0x4e00;

  private record Row(long count, long bytes, long wasted) {}

  @Provide
  Arbitrary<Target> targets() {
    return Arbitraries.of(
        new Target(new GhcVersion(902, 3), ProfilingMode.VANILLA),
        new Target(new GhcVersion(906, 6), ProfilingMode.VANILLA),
        new Target(new GhcVersion(910, 3), ProfilingMode.PROFILED));
  }

  @Property(tries = 500)
  void countsWhatReadingEachStringCounts(@ForAll("targets") Target target, @ForAll long seed) {
    try (NaiveHeap heap = new NaiveHeap(randomStrings(target, new Random(seed)).build())) {
      StringTally.Result result =
          StringTally.strings(heap.heap(), heap.copy(), ClosureSelection.ALL, Work.UNATTENDED);

      assertEquals(naive(heap), rows(result));
      assertTrue(result.bytes() <= heap.copy().tally().totalBytes());
      assertEquals(0, result.unreadable());
    }
  }

  @Property(tries = 300)
  void countsByteArraysByTheirContents(@ForAll("targets") Target target, @ForAll long seed) {
    try (NaiveHeap heap = new NaiveHeap(randomStrings(target, new Random(seed)).build())) {
      StringTally.Result result =
          StringTally.arrays(heap.heap(), heap.copy(), ClosureSelection.ALL, Work.UNATTENDED);

      Map<List<Object>, List<Closure.ArrWords>> groups =
          heap.closures().stream()
              .filter(Closure.ArrWords.class::isInstance)
              .map(Closure.ArrWords.class::cast)
              .collect(Collectors.groupingBy(array -> List.of(array.sizeBytes(), array.data())));
      assertEquals(
          groups.values().stream()
              .map(
                  group ->
                      new Row(
                          group.size(),
                          group.size() * 8 * group.getFirst().sizeWords(),
                          (group.size() - 1) * 8 * group.getFirst().sizeWords()))
              .sorted(Comparator.comparing(Row::toString))
              .toList(),
          result.rows().stream()
              .map(row -> new Row(row.count(), row.bytes(), row.wastedBytes()))
              .sorted(Comparator.comparing(Row::toString))
              .toList());
    }
  }

  /** Few different texts and strings, that share arrays and tails. */
  private static HeapBuilder randomStrings(Target target, Random random) {
    HeapBuilder builder = new HeapBuilder(target);
    HaskellValues values = new HaskellValues(builder);
    int unitBytes = target.ghc().series() < 904 ? 2 : 1;
    String unit = unitBytes == 2 ? "text-1.2.5" : "text-2.0.2";
    Code slice = builder.constructor(unit + ":Data.Text.Internal.Text", 1, 2, 0);
    List<Ref> strings = new ArrayList<>(List.of(values.emptyList()));
    byte[] buffer = new byte[40];
    for (int i = 0; i < buffer.length; i += unitBytes) {
      buffer[i] = (byte) ('a' + random.nextInt(2));
    }
    Ref shared = builder.byteArray(buffer);
    for (int i = random.nextInt(60); i >= 0; i--) {
      switch (random.nextInt(4)) {
        case 0 -> builder.save(values.text(letters(random)));
        case 1 ->
            builder.save(
                builder.constr(
                    slice, shared, Slot.word(random.nextInt(10)), Slot.word(random.nextInt(6))));
        case 2 -> {
          Ref tail = strings.get(random.nextInt(strings.size()));
          strings.add(values.cons(values.character('a' + random.nextInt(300)), tail));
          builder.save(strings.getLast());
        }
        default -> {
          Ref string = values.string(letters(random));
          strings.add(string);
          builder.save(builder.ind(string));
        }
      }
    }
    Ref thunk = builder.thunk(builder.thunk(1, 0), shared);
    builder.save(values.cons(values.character(OPEN), thunk));
    builder.save(values.list(values.integral(5), values.integral(6)));
    return builder;
  }

  private static String letters(Random random) {
    return random
        .ints(random.nextInt(4), 'a', 'c')
        .mapToObj(Character::toString)
        .collect(Collectors.joining());
  }

  private static Map<String, Row> rows(StringTally.Result result) {
    return result.rows().stream()
        .collect(
            Collectors.toMap(
                row -> row.type() + " " + row.value(),
                row -> new Row(row.count(), row.bytes(), row.wastedBytes()),
                (a, b) -> {
                  throw new AssertionError("a value twice");
                },
                TreeMap::new));
  }

  /** The slow way: every closure decoded, in the order of memory. */
  private static Map<String, Row> naive(NaiveHeap heap) {
    StringContents contents = new StringContents(heap.heap());
    Set<Long> tails = new HashSet<>();
    for (Closure closure : heap.closures()) {
      if (name(heap, closure).equals("GHC.Types.:")
          && contents.find(address(closure)).isPresent()) {
        long tail = ((Closure.Constr) closure).pointers().get(1);
        tails.add(Target.untag(heap.heap().resolve(tail)));
      }
    }
    Set<Long> counted = new HashSet<>();
    Map<String, Row> rows = new TreeMap<>();
    for (Closure closure : heap.closures()) {
      String name = name(heap, closure);
      boolean isText = name.endsWith(".Text");
      boolean isHead = name.equals("GHC.Types.:") && !tails.contains(address(closure));
      String value = isText || isHead ? contents.find(address(closure)).orElse(null) : null;
      if (value != null) {
        long bytes = isText ? textBytes(heap, closure, counted) : listBytes(heap, closure, counted);
        String key = (isText ? "Text " : "String ") + value + (value.indexOf(OPEN) < 0 ? "" : "…");
        Row before = rows.get(key);
        rows.put(
            key,
            before == null
                ? new Row(1, bytes, 0)
                : new Row(before.count + 1, before.bytes + bytes, before.wasted + bytes));
      }
    }
    return rows;
  }

  private static long textBytes(NaiveHeap heap, Closure text, Set<Long> counted) {
    long array = Target.untag(((Closure.Constr) text).pointers().get(0));
    return once(text, counted) + once(heap.heap().closure(array), counted);
  }

  private static long listBytes(NaiveHeap heap, Closure first, Set<Long> counted) {
    long bytes = 0;
    Closure cell = first;
    while (name(heap, cell).equals("GHC.Types.:")) {
      Closure.Constr cons = (Closure.Constr) cell;
      bytes += once(cell, counted);
      bytes += once(heap.heap().closure(cons.pointers().get(0)), counted);
      cell = heap.heap().closure(heap.heap().resolve(cons.pointers().get(1)));
    }
    return bytes;
  }

  private static long once(Closure closure, Set<Long> counted) {
    return counted.add(address(closure)) ? 8 * closure.sizeWords() : 0;
  }

  private static long address(Closure closure) {
    return closure.address().address();
  }

  private static String name(NaiveHeap heap, Closure closure) {
    return heap.heap().displayName(closure);
  }
}
