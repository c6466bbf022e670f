package org.ghcdebug.client.query;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.ghcdebug.client.heap.Heap;
import org.ghcdebug.client.index.ClosureCursor;
import org.ghcdebug.client.index.HeapCopy;
import org.ghcdebug.client.index.RootKind;
import org.ghcdebug.client.testing.StubHeapSource;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.protocol.target.GhcVersion;
import org.ghcdebug.protocol.target.ProfilingMode;
import org.ghcdebug.protocol.target.Target;
import org.ghcdebug.stub.heap.BuiltHeap;
import org.ghcdebug.stub.heap.Code;
import org.ghcdebug.stub.heap.HaskellValues;
import org.ghcdebug.stub.heap.HeapBuilder;
import org.ghcdebug.stub.heap.Ref;
import org.ghcdebug.stub.heap.Slot;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FilterTest {
  private final Zoo zoo = new Zoo(ProfilingMode.VANILLA);

  /** A heap with one closure of each kind, which the test calls by names of its own. */
  private static final class Zoo {
    private final Map<Long, String> names = new HashMap<>(); // address -> what the test calls it
    private final Map<String, Ref> refs = new HashMap<>();
    private final HeapBuilder builder;
    private final HaskellValues values;

    Zoo(ProfilingMode profiling) {
      builder = new HeapBuilder(new Target(new GhcVersion(906, 6), profiling));
      values = new HaskellValues(builder);
      Code bin = builder.constructor("containers-0.6.7:Data.Map.Internal.Bin", 2, 1, 0);
      Code pair = builder.constructor("ghc-prim:GHC.Tuple.Prim.(,)", 2, 0, 0);
      Ref small = put("small", builder.byteArray(new byte[8]));
      put("large", builder.byteArray(new byte[4096]));
      put("bin", builder.constr(bin, small, small, Slot.word(1)));
      put("pair", builder.constr(pair, small, small));
      put(
          "thunk",
          builder.thunk(
              builder.thunk(1, 0).withSource("Int", "main.go", "Main", "app/Main.hs:3:1-9"),
              small));
      put("unknown", builder.thunk(builder.thunk(2, 0), small, small));
      put("text", values.text("an error here"));
      put("string", values.string("error"));
    }

    private Ref put(String name, Ref closure) {
      builder.save(closure);
      refs.put(name, closure);
      return closure;
    }

    /** Names of those that are wanted, in order. */
    String wanted(String filter) {
      return wanted(filter, ClosureFacts.NONE);
    }

    String wanted(String filter, ClosureFacts facts) {
      BuiltHeap heap = builder.build();
      refs.forEach((name, ref) -> names.put(Target.untag(heap.pointer(ref)), name));
      List<Long> wanted = new ArrayList<>();
      try (HeapCopy copy = HeapCopy.take(new StubHeapSource(heap), Work.UNATTENDED)) {
        var selection = Filter.parse(filter).on(new Heap(copy), facts);
        copy.each(
            selection,
            closure -> {
              wanted.add(closure.address());
              return true;
            },
            Work.UNATTENDED);
        assertEquals(wanted.size(), copy.tally(selection, Work.UNATTENDED).totalCount());
      }
      return wanted.stream()
          .map(names::get)
          .filter(Objects::nonNull)
          .sorted()
          .collect(Collectors.joining(" "));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "Map.Bin ; bin",
        "Bin ; bin",
        "containers:Data.Map.Internal.Bin ; bin",
        "\"Map.Bin\" ; bin",
        "(,) ; pair",
        "GHC.Tuple.Prim.(,) ; pair",
        "(GHC.Tuple.Prim.(,)) ; pair",
        "go ; thunk",
        "main:Main.go ; thunk",
        "<ARR_WORDS> and size < 100 ; small",
        "<THUNK_1_0> go (app/Main.hs:3:1-9) ; thunk",
        "<THUNK_1_0> go (app/Main.hs:3:1-8) ; ''",
        "Main.go (app/Main.hs:3:1-9) ; thunk",
        "<THUNK_2_0> and size = 32 ; unknown",
        "type = THUNK ; thunk unknown",
        "type = THUNK_1_0 ; thunk",
        "type ~ ^THUNK_[12] ; thunk unknown",
        "type = ARR_WORDS and size = 4112 ; large",
        "size = 4112B ; large",
        "size >= 4KiB ; large",
        "size > 4 KiB ; large",
        "size>0.5KiB ; large",
        "size > 4.1KiB ; ''",
        "constructor = Bin ; bin",
        "constructor = go ; ''",
        "constructor ~ Internal ; bin text",
        "name = main.go or name = Map.Bin ; bin thunk",
        "name ~ ^Main ; thunk",
        "module = Main ; thunk",
        "module = Data.Map.Internal ; bin",
        "package = containers ; bin",
        "package = containers-0.6.7 ; bin",
        "package != containers and size = 24 and not type = THUNK ; pair small string",
        "source = app/Main.hs ; thunk",
        "source = app/Main.hs:3 ; thunk",
        "source = app/Main.hs:3:1-9 ; thunk",
        "source = app/Main ; ''",
        "source != app/Main.hs and type = THUNK ; unknown",
        "source ~ Main.*3 ; thunk",
        "source ~ (Main|Other).hs ; thunk",
        "(source ~ (Main|Other).hs) ; thunk",
        "not (type = THUNK or type = ARR_WORDS) and not string ; bin pair string text",
        "Bin or (,) and size = 0 ; bin",
        "(Bin or (,)) and size = 24 ; pair",
        "not not Bin ; bin",
        "text = 'an error here' ; text",
        "text ~ error$ ; string",
        "text ~ 'an e' ; text",
        "text != error and (type = CONSTR_2_0 or Text) ; pair text",
      })
  void wants(String filter, String expected) {
    assertEquals(expected, zoo.wanted(filter));
  }

  @Test
  void threadsGoByWhatTheyAreCalled() {
    var builder = new HeapBuilder(new Target(new GhcVersion(906, 6), ProfilingMode.VANILLA));
    Ref stack = builder.stack(1, builder.stopFrame());
    for (String label : new String[] {"main", "io (1)", "say \"a\"", null, "main"}) {
      builder.save(builder.thread(stack, label));
    }
    try (HeapCopy copy = HeapCopy.take(new StubHeapSource(builder.build()), Work.UNATTENDED)) {
      Heap heap = new Heap(copy);
      List<String> shown =
          heap.closures(copy.savedObjects()).stream().map(heap::displayName).toList();
      for (String name : shown) {
        for (String filter : List.of(name, "(" + name + ") and not size = 0")) {
          var selection = Filter.parse(filter).on(heap, ClosureFacts.NONE);
          assertEquals(1, copy.tally(selection, Work.UNATTENDED).totalCount(), filter);
        }
      }
      String number = shown.getFirst().replace(" \"main\"", "");
      var selection = Filter.parse(number).on(heap, ClosureFacts.NONE);
      assertEquals(1, copy.tally(selection, Work.UNATTENDED).totalCount(), number);
      var other = Filter.parse(number + " \"other\"").on(heap, ClosureFacts.NONE);
      assertEquals(0, copy.tally(other, Work.UNATTENDED).totalCount());
    }
  }

  @Test
  void addressesAndInfoPointersAreUnsigned() {
    String all = zoo.wanted("size >= 0");

    assertEquals(all, zoo.wanted("address < 0xffffffffffffffff"));
    assertEquals("", zoo.wanted("address > 0xffffffff00000000"));
    assertEquals(all, zoo.wanted("info != 0x1"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "'' ; 1 ; found the end, expected a name such as Map.Bin",
        "size > 10Kb ; 8 ; found \"10Kb\", expected a size such as 100, 4KiB",
        "size > ; 7 ; found the end, expected a value of size",
        "sise > 10 ; 1 ; no field \"sise\"",
        "Bin and > 10 ; 9 ; no field",
        "size ~ 3 ; 6 ; size cannot be compared by ~, only by = != < <= > >=",
        "name < a ; 6 ; name cannot be compared by <, only by = != ~",
        "(Bin ; 5 ; found the end, expected \"and\", \"or\" or \")\"",
        "Bin) ; 4 ; found \")\", expected \"and\", \"or\" or the end",
        "Bin Tip ; 5 ; found \"Tip\", expected \"and\", \"or\" or the end",
        "Bin and ; 8 ; found the end, expected a name",
        "Bin and or ; 9 ; found \"or\", expected a name",
        "not ; 4 ; found the end, expected a name",
        "type = THNUK ; 8 ; no closure type \"THNUK\"",
        "text ~ foo(1 ; 8 ; \"foo(1\" is not a regular expression: Unclosed group",
        "text = 'foo ; 8 ; the quote ' is not closed",
        "address = 12 ; 11 ; found \"12\", expected an address: 0x and hexadecimal digits",
        "era = many ; 7 ; found \"many\", expected a whole number",
        "size > 99999999999999 GiB ; 8 ; \"99999999999999GiB\" is more than any heap",
        "root = threat ; 8 ; no kind of root \"threat\"; expected one of thread stable-pointer",
        "\"\" ; 1 ; an empty name",
      })
  void saysWhatIsWrongAndWhere(String filter, int column, String problem) {
    var failure = assertThrows(FilterException.class, () -> Filter.parse(filter));

    assertEquals(column, failure.column(), failure.getMessage());
    assertTrue(failure.getMessage().startsWith(problem), failure.getMessage());
    String marked = filter.substring(0, column - 1) + "^" + filter.substring(column - 1);
    assertTrue(failure.getMessage().endsWith("at ^ in: " + marked), failure.getMessage());
  }

  @ParameterizedTest
  @CsvSource({"ccs = 0x10", "era > 1", "retained > 1MiB", "root = thread", "generation = 1"})
  void whatIsNotKnownIsRefused(String filter) {
    var failure = assertThrows(FilterException.class, () -> zoo.wanted(filter));

    assertEquals(0, failure.column());
    assertTrue(failure.getMessage().startsWith(filter.split(" ")[0]), failure.getMessage());
  }

  @Test
  void factsOfAnIndexAreAskedForEachClosure() {
    ClosureFacts facts =
        new ClosureFacts() {
          @Override
          public @Nullable HeapCopy copy() {
            return null;
          }

          @Override
          public boolean knows(Field field) {
            return EnumSet.of(Field.RETAINED, Field.ROOT, Field.GENERATION).contains(field);
          }

          @Override
          public long retainedBytes(ClosureCursor closure) {
            return 2 * 8 * closure.sizeWords();
          }

          @Override
          public Set<RootKind> rootKinds(ClosureCursor closure) {
            return "bin".equals(zoo.names.get(closure.address()))
                ? Set.of(RootKind.SAVED)
                : Set.of();
          }

          @Override
          public int generation(ClosureCursor closure) {
            return closure.sizeWords() > 100 ? 1 : 0;
          }
        };

    assertEquals("large", zoo.wanted("retained = 8224", facts));
    assertEquals("bin", zoo.wanted("root = saved", facts));
    assertEquals("bin", zoo.wanted("root ~ ^s", facts));
    assertEquals("pair small string thunk", zoo.wanted("root != saved and size = 24", facts));
    assertEquals(zoo.wanted("not Bin"), zoo.wanted("root = none and not Bin", facts));
    assertEquals("large", zoo.wanted("generation > 0", facts));
  }

  @Test
  void profiledClosuresTellWhoAllocatedThem() {
    var profiled = new Zoo(ProfilingMode.ERA);
    String all = profiled.wanted("size > 0");

    assertEquals(all, profiled.wanted("ccs != 0x0 and era >= 0"));
    assertEquals("", profiled.wanted("ccs = 0x8"));
  }

  @Test
  void decidesByInfoTableWhatDependsOnNothingElse() {
    BuiltHeap heap = zoo.builder.build();
    try (HeapCopy copy = HeapCopy.take(new StubHeapSource(heap), Work.UNATTENDED)) {
      Heap names = new Heap(copy);
      ClosureCursor unaskable = null;

      for (var entry : copy.tally().entries()) {
        Filter.parse("(Bin or type = THUNK) and not source ~ x or size > 1 and package = none")
            .on(names, ClosureFacts.NONE)
            .of(entry.info())
            .test(unaskable);
      }
    }
  }
}
