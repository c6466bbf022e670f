package org.ghcdebug.client.query;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.ghcdebug.client.analysis.census.CensusKey;
import org.ghcdebug.client.collections.LongList;
import org.ghcdebug.client.heap.Heap;
import org.ghcdebug.client.index.HeapCopy;
import org.ghcdebug.client.index.HeapTally;
import org.ghcdebug.client.testing.StubHeapSource;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.protocol.closure.Closure;
import org.ghcdebug.protocol.closure.CodeSymbol;
import org.ghcdebug.protocol.closure.ConstructorName;
import org.ghcdebug.protocol.closure.SourceInfo;
import org.ghcdebug.protocol.target.AddressList;
import org.ghcdebug.protocol.target.GhcVersion;
import org.ghcdebug.protocol.target.ProfilingMode;
import org.ghcdebug.protocol.target.Target;
import org.ghcdebug.stub.heap.RandomHeap;
import org.jspecify.annotations.Nullable;

class FilterProperties {
  @Provide
  Arbitrary<Target> targets() {
    return Combinators.combine(
            Arbitraries.of(904, 906, 910, 914), Arbitraries.of(ProfilingMode.class))
        .as((series, profiling) -> new Target(new GhcVersion(series, 3), profiling));
  }

  /** A filter, and what it means, said without the machinery. */
  private record Meant(String text, Predicate<Closure> predicate) {}

  @Property(tries = 1000)
  void wantsWhatAskingEachDecodedClosureWants(
      @ForAll("targets") Target target,
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 100) int closures) {
    try (HeapCopy copy =
        HeapCopy.take(new StubHeapSource(RandomHeap.of(target, seed, closures)), Work.UNATTENDED)) {
      Heap heap = new Heap(copy);
      LongList reachable = new LongList();
      copy.eachReachable(reachable::add);
      List<Closure> all =
          heap.closures(AddressList.of(reachable.toArray())).stream()
              .filter(Objects::nonNull)
              .toList();
      Meant meant = random(new Random(seed), heap, all, 3);

      var selection = Filter.parse(meant.text()).on(heap, ClosureFacts.NONE);
      var found = new ArrayList<Long>();
      copy.each(selection, closure -> found.add(closure.address()), Work.UNATTENDED);
      HeapTally tally = copy.tally(selection, Work.UNATTENDED);

      List<Closure> expected = all.stream().filter(meant.predicate()).toList();
      assertEquals(
          new TreeSet<>(expected.stream().map(closure -> closure.address().address()).toList()),
          new TreeSet<>(found),
          meant::text);
      assertEquals(expected.size(), found.size());
      assertEquals(expected.size(), tally.totalCount(), meant::text);
      assertEquals(
          8 * expected.stream().mapToLong(Closure::sizeWords).sum(),
          tally.totalBytes(),
          meant::text);
      for (HeapTally.Entry entry : tally.entries()) {
        assertTrue(found.containsAll(entry.samples()));
        assertEquals(
            8
                * expected.stream()
                    .filter(closure -> closure.info().equals(entry.info()))
                    .mapToLong(Closure::sizeWords)
                    .max()
                    .orElseThrow(),
            entry.maxBytes());
      }
    }
  }

  /** Names of all forms, each of one info table only, in place of a heap's own. */
  private static final class OddlyNamed extends StubHeapSource {
    private static final List<String> ODD =
        List.of(
            "go",
            "main.go",
            "$wgo",
            "Show.go",
            "x'",
            "<+>",
            "f.<$>.g",
            ":<|",
            "!=",
            "~>",
            "=:=",
            "$w<=>",
            ".=",
            "(,)",
            "(#_|#)",
            "$fOrd(,)",
            "[]",
            "and",
            "size");

    private final long seed;
    private final Set<Integer> used = new HashSet<>();
    private final Map<Long, Integer> numbers = new HashMap<>();

    OddlyNamed(Target target, long seed, int closures) {
      super(RandomHeap.of(target, seed, closures));
      this.seed = seed;
    }

    private int number(long infoAddr) {
      return numbers.computeIfAbsent(
          infoAddr,
          _ -> {
            var random = new Random(seed ^ infoAddr * 31);
            int number = random.nextInt(1 << 20);
            while (!used.add(number)) {
              number++;
            }
            return number;
          });
    }

    private String module(long infoAddr) {
      return "Some.Module" + number(infoAddr);
    }

    private String odd(long infoAddr) {
      return ODD.get(number(infoAddr) % ODD.size());
    }

    @Override
    public List<@Nullable ConstructorName> constructorNames(AddressList infoAddrs) {
      List<@Nullable ConstructorName> names = new ArrayList<>();
      for (long infoAddr : infoAddrs.toArray()) {
        names.add(new ConstructorName("unit-1.0", module(infoAddr), odd(infoAddr)));
      }
      return names;
    }

    @Override
    public List<@Nullable SourceInfo> sourceInfos(AddressList infoAddrs) {
      List<@Nullable SourceInfo> infos = new ArrayList<>();
      for (long infoAddr : infoAddrs.toArray()) {
        int kind = number(infoAddr) / ODD.size();
        String label = kind % 2 == 0 ? odd(infoAddr) : "";
        String span = "Odd dir/" + number(infoAddr) + ".hs:(1,2)-(3,4)";
        infos.add(
            kind % 3 == 0
                ? null
                : new SourceInfo(
                    kind % 5 == 0 ? "" : "sat_s" + number(infoAddr) + "_info",
                    0,
                    "Int",
                    label,
                    module(infoAddr),
                    label.isEmpty() && kind % 7 < 3 ? "" : span));
      }
      return infos;
    }

    @Override
    public List<@Nullable CodeSymbol> symbols(AddressList infoAddrs) {
      List<@Nullable CodeSymbol> symbols = new ArrayList<>();
      for (long infoAddr : infoAddrs.toArray()) {
        int kind = number(infoAddr) / ODD.size();
        boolean ofRts = kind % 4 == 1;
        symbols.add(
            kind % 4 == 0
                ? null
                : new CodeSymbol(
                    ofRts ? "" : "main",
                    ofRts ? "" : module(infoAddr),
                    ofRts ? "stg_" + number(infoAddr) : odd(infoAddr),
                    kind % 2 == 0));
      }
      return symbols;
    }
  }

  @Property(tries = 50)
  void everyNameThatIsShownIsAFilterForWhatItIsShownOf(
      @ForAll("targets") Target target,
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 100) int closures) {
    try (HeapCopy copy = HeapCopy.take(new OddlyNamed(target, seed, closures), Work.UNATTENDED)) {
      Heap heap = new Heap(copy);
      Map<String, Long> expected = new HashMap<>(); // what a filter should count
      for (HeapTally.Entry entry : copy.tally().entries()) {
        String row = CensusKey.CLOSURE.of(entry.info(), heap);
        String type = "<" + entry.info().type() + ">";
        new HashSet<>(List.of(row, type, heap.displayName(entry.info())))
            .forEach(name -> expected.merge(name, entry.count(), Long::sum));
      }
      expected.forEach(
          (name, count) -> {
            for (String filter : List.of(name, "(" + name + ") and not size = 0")) {
              var selection = Filter.parse(filter).on(heap, ClosureFacts.NONE);
              assertEquals(
                  count, copy.tally(selection, Work.UNATTENDED).totalCount(), () -> filter);
            }
          });
    }
  }

  private static Meant random(Random random, Heap heap, List<Closure> all, int depth) {
    int kind = random.nextInt(depth == 0 ? 7 : 10);
    Closure one = all.get(random.nextInt(all.size()));
    long size = 8 * one.sizeWords();
    long addr = one.address().address();
    String constructor = "Con" + random.nextInt(10);
    return switch (kind) {
      case 0 -> new Meant("size >= " + size + "B", closure -> 8 * closure.sizeWords() >= size);
      case 1 -> new Meant("size<" + size, closure -> 8 * closure.sizeWords() < size);
      case 2 ->
          new Meant(
              "address <= 0x%x".formatted(addr),
              closure -> Long.compareUnsigned(closure.address().address(), addr) <= 0);
      case 3 ->
          new Meant(
              "type = " + one.info().type(),
              closure ->
                  closure.info().type() == one.info().type()
                      || closure.info().type().name().startsWith(one.info().type() + "_")
                          && !one.info().type().name().equals("AP"));
      case 4 ->
          new Meant(
              "Random." + constructor,
              closure -> heap.displayName(closure).equals("Random." + constructor));
      case 5 ->
          new Meant(
              "source ~ hs:[1-4]:",
              closure ->
                  heap.findSourceInfo(closure.info())
                      .filter(source -> source.label().matches("thunk[1-4]"))
                      .isPresent());
      case 6 ->
          new Meant(
              "info != 0x%x".formatted(one.info().address().address()),
              closure -> !closure.info().equals(one.info()));
      case 7 -> {
        Meant inner = random(random, heap, all, depth - 1);
        yield new Meant("not (" + inner.text() + ")", inner.predicate().negate());
      }
      default -> {
        Meant left = random(random, heap, all, depth - 1);
        Meant right = random(random, heap, all, depth - 1);
        yield kind == 8
            ? new Meant(
                "(" + left.text() + ") and (" + right.text() + ")",
                left.predicate().and(right.predicate()))
            : new Meant(
                "(" + left.text() + " or " + right.text() + ")",
                left.predicate().or(right.predicate()));
      }
    };
  }

  @Property(tries = 2000)
  void anyTextIsAFilterOrSaysWhyNot(@ForAll("texts") String text) {
    try {
      assertEquals(text, Filter.parse(text).toString());
    } catch (FilterException e) {
      assertTrue(e.column() >= 1 && e.column() <= text.length() + 1, e.getMessage());
      assertTrue(String.valueOf(e.getMessage()).contains("expected") || e.column() > 0);
    }
  }

  @Provide
  Arbitrary<String> texts() {
    Arbitrary<String> pieces =
        Arbitraries.of(
            "size", "name", "type", "Map.Bin", "<THUNK>", "(,)", "and", "or", "not", "(", ")", "=",
            "!=", "<", ">=", "~", "1KiB", "0x10", "'", "\"", " ", "THUNK", "(a:1:2)", "!", "^[");
    return pieces.list().ofMaxSize(12).map(list -> String.join(" ", list));
  }
}
