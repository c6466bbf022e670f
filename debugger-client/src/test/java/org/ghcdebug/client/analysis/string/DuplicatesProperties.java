package org.ghcdebug.client.analysis.string;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.ghcdebug.client.index.ClosureSelection;
import org.ghcdebug.client.testing.NaiveHeap;
import org.ghcdebug.client.value.StringContents;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.protocol.closure.Closure;
import org.ghcdebug.protocol.target.GhcVersion;
import org.ghcdebug.protocol.target.ProfilingMode;
import org.ghcdebug.protocol.target.Target;
import org.ghcdebug.stub.heap.HaskellValues;
import org.ghcdebug.stub.heap.HeapBuilder;
import org.ghcdebug.stub.heap.Ref;

class DuplicatesProperties {
  private static final Target TARGET = new Target(new GhcVersion(906, 6), ProfilingMode.VANILLA);

  private static StringTally.Result duplicates(NaiveHeap heap) {
    return Duplicates.of(
        heap.heap(),
        heap.copy(),
        heap.copy().graph(Work.UNATTENDED),
        ClosureSelection.ALL,
        Work.UNATTENDED);
  }

  @Property(tries = 500)
  void wastesWhatComparingAllValuesOneByOneFinds(@ForAll long seed) {
    try (NaiveHeap heap = new NaiveHeap(randomValues(new Random(seed)).build())) {
      StringTally.Result found = duplicates(heap);

      Map<String, List<Closure>> values = new HashMap<>();
      Map<Long, String> known = new HashMap<>();
      for (Closure closure : heap.closures()) {
        if (closure instanceof Closure.Constr) {
          values
              .computeIfAbsent(describe(heap, closure, known), _ -> new ArrayList<>())
              .add(closure);
        }
      }
      long wasted = 0;
      for (Map.Entry<String, List<Closure>> value : values.entrySet()) {
        List<Closure> onHeap =
            value.getValue().stream().filter(closure -> isOnHeap(heap, closure)).toList();
        long unnecessary = onHeap.size() - (onHeap.size() < value.getValue().size() ? 0 : 1);
        if (unnecessary > 0) {
          wasted += unnecessary * bytes(heap, onHeap.getFirst());
        }
      }
      assertEquals(wasted, found.wastedBytes());
      assertTrue(found.bytes() <= heap.copy().tally().totalBytes());
      for (ContentRow row : found.rows()) {
        assertEquals(
            1,
            row.samples().stream()
                .map(addr -> describe(heap, heap.heap().closure(addr), known))
                .distinct()
                .count());
      }
    }
  }

  private static boolean isOnHeap(NaiveHeap heap, Closure closure) {
    long addr = closure.address().address();
    return heap.copy().image().groups().stream()
        .anyMatch(
            group -> addr >= group.startAddr() && addr < group.startAddr() + group.lengthBytes());
  }

  /** Its own bytes; in these heaps each Text has an array of its own. */
  private static long bytes(NaiveHeap heap, Closure closure) {
    long own = 8 * closure.sizeWords();
    return heap.heap().displayName(closure).endsWith(".Text")
        ? own + 8 * heap.heap().closure(((Closure.Constr) closure).pointers().get(0)).sizeWords()
        : own;
  }

  /** All that a value consists of; what is not evaluated by its address. */
  private static String describe(NaiveHeap heap, Closure closure, Map<Long, String> known) {
    long addr = closure.address().address();
    String before = known.get(addr);
    if (before != null) {
      return before;
    }
    String description = "@" + addr;
    if (closure instanceof Closure.Constr constr) {
      String name = heap.heap().displayName(closure);
      description =
          name.endsWith(".Text")
              ? "\"" + new StringContents(heap.heap()).find(addr).orElseThrow() + "\""
              : name
                  + constr.nonPointers()
                  + LongStream.of(constr.pointers().values())
                      .mapToObj(
                          field ->
                              describe(
                                  heap, heap.heap().closure(heap.heap().resolve(field)), known))
                      .collect(Collectors.joining(",", "(", ")"));
    }
    known.put(addr, description);
    return description;
  }

  private static HeapBuilder randomValues(Random random) {
    HeapBuilder builder = new HeapBuilder(TARGET);
    HaskellValues values = new HaskellValues(builder);
    List<Ref> all = new ArrayList<>(List.of(values.unit(), values.integral(3)));
    for (int i = random.nextInt(60); i >= 0; i--) {
      Ref one = all.get(random.nextInt(all.size()));
      Ref other = all.get(random.nextInt(all.size()));
      all.add(
          switch (random.nextInt(8)) {
            case 0 -> values.integral(1000 + random.nextInt(3));
            case 1 -> values.text("ab".substring(random.nextInt(2)));
            case 2 -> values.tuple(one, other);
            case 3 -> values.just(one);
            case 4 -> values.string("ab".substring(random.nextInt(2)));
            case 5 -> values.list(one, other);
            case 6 -> builder.ind(one);
            default -> builder.thunk(builder.thunk(1, 0), one);
          });
    }
    all.forEach(builder::save);
    return builder;
  }

  @Property(tries = 300)
  void anyHeapIsCompared(@ForAll long seed) {
    try (NaiveHeap heap = NaiveHeap.random(TARGET, seed, 100)) {
      StringTally.Result found = duplicates(heap);

      assertTrue(found.wastedBytes() < heap.copy().tally().totalBytes());
      found.rows().forEach(row -> assertTrue(row.wastedBytes() <= row.bytes(), row::toString));
    }
  }

  @Example
  void partsOfEqualValuesAreCountedWithThem() {
    HeapBuilder builder = new HeapBuilder(TARGET);
    HaskellValues values = new HaskellValues(builder);
    for (int i = 0; i < 3; i++) {
      builder.save(values.just(values.tuple(values.integral(1000), values.text("name"))));
    }
    builder.save(values.just(values.integral(2000)));
    try (NaiveHeap heap = new NaiveHeap(builder.build())) {
      StringTally.Result found = duplicates(heap);

      assertEquals(1, found.rows().size());
      ContentRow row = found.rows().getFirst();
      assertEquals("Just (1000,\"name\")", row.value());
      assertEquals(3, row.count());
      // Just, (,), I#, Text and an array of one word.
      assertEquals(3 * 8 * (2 + 3 + 2 + 4 + 3), row.bytes());
      assertEquals(2 * 8 * (2 + 3 + 2 + 4 + 3), row.wastedBytes());
    }
  }
}
