package org.ghcdebug.client.value;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.TreeMap;
import java.util.function.Function;
import org.ghcdebug.client.heap.Heap;
import org.ghcdebug.client.testing.StubHeapSource;
import org.ghcdebug.protocol.target.GhcVersion;
import org.ghcdebug.protocol.target.ProfilingMode;
import org.ghcdebug.protocol.target.Target;
import org.ghcdebug.stub.heap.BuiltHeap;
import org.ghcdebug.stub.heap.Code;
import org.ghcdebug.stub.heap.HaskellValues;
import org.ghcdebug.stub.heap.HeapBuilder;
import org.ghcdebug.stub.heap.Ref;
import org.ghcdebug.stub.heap.Slot;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HaskellPrinterTest {
  private static final int GHC = 910;

  /** Makes a value. */
  private interface Value {
    Ref in(HeapBuilder heap, HaskellValues values);
  }

  private static String print(Value value) {
    return print(GHC, ProfilingMode.VANILLA, PrintLimits.DEFAULT, value);
  }

  private static String print(PrintLimits limits, Value value) {
    return print(GHC, ProfilingMode.VANILLA, limits, value);
  }

  private static String print(int series, ProfilingMode way, PrintLimits limits, Value value) {
    HeapBuilder builder = new HeapBuilder(new Target(new GhcVersion(series, 3), way));
    Ref ref = value.in(builder, new HaskellValues(builder));
    builder.save(ref);
    BuiltHeap heap = builder.build();
    return new HaskellPrinter(new Heap(new StubHeapSource(heap)), limits).print(heap.pointer(ref));
  }

  private static Ref constr(HeapBuilder heap, String name, int pointers, Slot... fields) {
    Code code = heap.constructor(name, pointers, fields.length - pointers, 0);
    return heap.constr(code, fields);
  }

  @ParameterizedTest
  @ValueSource(ints = {902, 904, 906, 908, 910, 912, 914})
  void aMapOfStringsLooksAsShownInEveryGhc(int series) {
    Value map =
        (_, values) -> {
          TreeMap<Long, Ref> entries = new TreeMap<>();
          entries.put(-5L, values.string("minus five"));
          entries.put(1L, values.string("one"));
          entries.put(1000L, values.string("thou\"sand"));
          return values.map(entries);
        };
    String expected = "fromList [(-5,\"minus five\"),(1,\"one\"),(1000,\"thou\\\"sand\")]";
    assertEquals(expected, print(series, ProfilingMode.VANILLA, PrintLimits.DEFAULT, map));
    assertEquals(expected, print(series, ProfilingMode.PROFILED, PrintLimits.DEFAULT, map));
  }

  @ParameterizedTest
  @ValueSource(ints = {902, 906, 910, 914})
  void textIsReadInTheEncodingOfItsGeneration(int series) {
    assertEquals(
        "\"gr\\252n \\128512 ok\"",
        print(
            series,
            ProfilingMode.VANILLA,
            PrintLimits.DEFAULT,
            (_, values) -> values.text("grün \ud83d\ude00 ok")));
  }

  @Test
  void numbersAreSignedAndNarrowedAsTheirTypesAre() {
    Function<String, Value> word =
        name -> (heap, _) -> constr(heap, name, 0, Slot.word(0xffff_ffff_ffff_fffeL));
    assertEquals("-2", print(word.apply("ghc-prim:GHC.Types.I#")));
    assertEquals("18446744073709551614", print(word.apply("ghc-prim:GHC.Types.W#")));
    assertEquals("-2", print(word.apply("ghc-internal:GHC.Internal.Int.I8#")));
    assertEquals("254", print(word.apply("base:GHC.Word.W8#")));
    assertEquals("65534", print(word.apply("ghc-internal:GHC.Internal.Word.W16#")));
    assertEquals("-2", print(word.apply("base:GHC.Int.I64#")));
  }

  @Test
  void bigIntegersAndNaturals() {
    BigInteger big = BigInteger.TEN.pow(40);
    assertEquals(big.toString(), print((_, values) -> values.integer(big)));
    assertEquals(
        "Just (-" + big + ")", print((_, values) -> values.just(values.integer(big.negate()))));
    assertEquals("7", print((_, values) -> values.integer(BigInteger.valueOf(7))));
    assertEquals(
        "18446744073709551615",
        print((heap, _) -> constr(heap, "ghc-bignum:GHC.Num.Natural.NS", 0, Slot.word(-1))));
  }

  @Test
  void doublesHaveTheShortestDigits() {
    Function<Double, Value> number =
        value ->
            (heap, _) ->
                constr(
                    heap, "ghc-prim:GHC.Types.D#", 0, Slot.word(Double.doubleToRawLongBits(value)));
    assertEquals("2.5", print(number.apply(2.5)));
    assertEquals("0.1", print(number.apply(0.1)));
    assertEquals("1.0e-2", print(number.apply(0.01)));
    assertEquals("123456.0", print(number.apply(123456.0)));
    assertEquals("9999999.0", print(number.apply(9999999.0)));
    assertEquals("1.0e7", print(number.apply(1e7)));
    assertEquals("1.2345e-5", print(number.apply(1.2345e-5)));
    assertEquals("-0.0", print(number.apply(-0.0)));
    assertEquals("-Infinity", print(number.apply(Double.NEGATIVE_INFINITY)));
    assertEquals("NaN", print(number.apply(Double.NaN)));
    assertEquals(
        "Just (-2.5)", print((heap, values) -> values.just(number.apply(-2.5).in(heap, values))));
  }

  @Test
  void stringsAreEscapedAsShowDoes() {
    assertEquals(
        "\"tab\\t nul\\NUL del\\DEL quote\\\" back\\\\ so\\SO\\&H \\1234\\&5 \\a\"",
        print(
            (_, values) ->
                values.string("tab\t nul\0 del\u007f quote\" back\\ so\u000eH \u04d25 \u0007")));
    assertEquals("'\\''", print((_, values) -> values.character('\'')));
    assertEquals("'\"'", print((_, values) -> values.character('"')));
    assertEquals("'\\n'", print((_, values) -> values.character('\n')));
    assertEquals("[]", print((_, values) -> values.string("")));
  }

  @Test
  void recordsHaveParenthesesWhereShowPutsThem() {
    Value rec =
        (heap, values) ->
            constr(
                heap,
                "main:Main.Rec",
                4,
                values.integral(-1),
                values.just(values.integral(-3)),
                values.string("x"),
                values.tuple(values.nothing(), values.unit()),
                Slot.word(24000),
                Slot.word(Double.doubleToRawLongBits(2.5)));
    assertEquals("Rec (-1) (Just (-3)) \"x\" (Nothing,()) 24000# 2.5##", print(rec));
    assertEquals(
        "Just (Just 1)", print((_, values) -> values.just(values.just(values.integral(1)))));
  }

  @Test
  void operatorsAreInfix() {
    Function<String, Value> pair =
        name ->
            (heap, values) ->
                values.just(
                    constr(heap, name, 2, values.integral(-1), values.just(values.integral(2))));
    assertEquals("Just ((-1) % Just 2)", print(pair.apply("base:GHC.Real.:%")));
    assertEquals("Just (-1 :| Just 2)", print(pair.apply("base:GHC.Base.:|")));
    assertEquals("Just ((-1) :*: Just 2)", print(pair.apply("main:Main.:*:")));
    assertEquals("(:+++:) 1", print((heap, v) -> constr(heap, "m:M.:+++:", 1, v.integral(1))));
  }

  @Test
  void listsWithATailThatIsNotEvaluatedAreOpen() {
    Function<HeapBuilder, Ref> thunk =
        heap ->
            heap.thunk(
                heap.thunk(1, 0).withSource("[Int]", "go", "Main", "Main.hs:1:1"),
                heap.byteArray());
    assertEquals(
        "1 : 2 : <thunk Main.go>",
        print(
            (heap, values) ->
                values.cons(
                    values.integral(1), values.cons(values.integral(2), thunk.apply(heap)))));
    assertEquals(
        "Just (\"a\" ++ <thunk Main.go>)",
        print(
            (heap, values) -> values.just(values.cons(values.character('a'), thunk.apply(heap)))));
    assertEquals(
        "['a',<thunk Main.go>]",
        print((heap, values) -> values.list(values.character('a'), thunk.apply(heap))));
  }

  @Test
  void cyclesEnd() {
    assertEquals(
        "[1,2,<cycle>]",
        print(
            (heap, values) -> {
              Ref first = heap.declare();
              Ref second = values.cons(values.integral(2), first);
              return heap.define(first, values.cons(values.integral(1), second));
            }));
    assertEquals(
        "Just <cycle>",
        print(
            (heap, values) -> {
              Ref self = heap.declare();
              return heap.define(self, values.just(self));
            }));
    assertEquals(
        "<cycle>",
        print(
            (heap, _) -> {
              Ref self = heap.declare();
              return heap.define(self, heap.ind(self));
            }));
  }

  @Test
  void indirectionsAndEvaluatedThunksAreSeenThrough() {
    assertEquals(
        "Just 5",
        print((heap, values) -> heap.ind(values.just(heap.blackHole(values.integral(5), 1)))));
    assertEquals(
        "Just <under evaluation>",
        print(
            (heap, values) ->
                values.just(
                    heap.blackHole(heap.thread(heap.stack(0, heap.stopFrame()), null), 1))));
  }

  @Test
  void variablesShowTheirContents() {
    assertEquals(
        "<IORef Just 1>",
        print(
            (heap, values) ->
                constr(
                    heap,
                    "ghc-internal:GHC.Internal.STRef.STRef",
                    1,
                    heap.mutVar(values.just(values.integral(1))))));
    assertEquals(
        "<MVar empty>",
        print((heap, _) -> constr(heap, "base:GHC.MVar.MVar", 1, heap.mVar((Ref) null))));
    assertEquals(
        "<MVar 'x'>",
        print(
            (heap, values) ->
                constr(heap, "base:GHC.MVar.MVar", 1, heap.mVar(values.character('x')))));
    assertEquals(
        "<TVar 3>",
        print(
            (heap, values) ->
                constr(
                    heap,
                    "base:GHC.Conc.Sync.TVar",
                    1,
                    heap.tVar(values.integral(3), heap.rtsConstant("END_STM_WATCH_QUEUE"), 0))));
  }

  @Test
  void byteStringsOfBothGenerations() {
    byte[] bytes = "..h\u00e9llo\n..".getBytes(StandardCharsets.ISO_8859_1);
    HeapBuilder builder =
        new HeapBuilder(new Target(new GhcVersion(GHC, 3), ProfilingMode.VANILLA));
    Ref array = builder.pinnedByteArray(bytes);
    builder.save(array);
    long data = builder.build().pointer(array) + 16; // the layout is the same every time
    Function<Slot[], Value> make =
        fields ->
            (heap, _) -> {
              Ref contents =
                  constr(heap, "base:GHC.ForeignPtr.PlainPtr", 1, heap.pinnedByteArray(bytes));
              Slot[] all = new Slot[fields.length + 1];
              all[0] = contents;
              System.arraycopy(fields, 0, all, 1, fields.length);
              String name = fields.length == 2 ? "BS" : "PS";
              return constr(heap, "bytestring-0.11:Data.ByteString.Internal." + name, 1, all);
            };
    Slot[] newer = {Slot.word(data + 2), Slot.word(6)};
    Slot[] older = {Slot.word(data), Slot.word(2), Slot.word(6)};
    assertEquals("\"h\\233llo\\n\"", print(make.apply(newer)));
    assertEquals("\"h\\233llo\\n\"", print(make.apply(older)));
    assertEquals(
        "<Data.ByteString.Internal.BS whose contents are not on the heap>",
        print(make.apply(new Slot[] {Slot.word(0x1000), Slot.word(6)})));
  }

  @Test
  void sequencesAreWalkedThroughTheirFingers() {
    String module = "containers-0.7:Data.Sequence.Internal.";
    assertEquals(
        "Just (fromList [1,2,3,4,5,6])",
        print(
            (heap, values) -> {
              Ref node =
                  constr(
                      heap,
                      module + "Node3",
                      3,
                      values.integral(2),
                      values.integral(3),
                      values.integral(4),
                      Slot.word(3));
              Ref middle = constr(heap, module + "Single", 1, node);
              Ref left = constr(heap, module + "One", 1, values.integral(1));
              Ref right = constr(heap, module + "Two", 2, values.integral(5), values.integral(6));
              return values.just(
                  constr(heap, module + "Deep", 3, left, middle, right, Slot.word(6)));
            }));
  }

  @Test
  void intMapsAndIntSetsAreInTheOrderOfSignedKeys() {
    String map = "containers-0.7:Data.IntMap.Internal.";
    assertEquals(
        "fromList [(-1,'a'),(5,'b')]",
        print(
            (heap, values) ->
                constr(
                    heap,
                    map + "Bin",
                    2,
                    constr(heap, map + "Tip", 1, values.character('b'), Slot.word(5)),
                    constr(heap, map + "Tip", 1, values.character('a'), Slot.word(-1)),
                    Slot.word(0),
                    Slot.word(Long.MIN_VALUE))));
    assertEquals(
        "fromList [64,66,127]",
        print(
            (heap, _) ->
                constr(
                    heap,
                    "containers-0.7:Data.IntSet.Internal.Tip",
                    0,
                    Slot.word(64),
                    Slot.word(0x8000_0000_0000_0005L))));
  }

  @Test
  void hashMapsAndVectorsAndArrays() {
    String hashMap = "unordered-containers-0.2.20:Data.HashMap.Internal.";
    assertEquals(
        "fromList [(1,'a'),(2,'b')]",
        print(
            (heap, values) ->
                constr(
                    heap,
                    hashMap + "BitmapIndexed",
                    1,
                    heap.smallArray(
                        false,
                        constr(
                            heap,
                            hashMap + "Leaf",
                            2,
                            values.integral(1),
                            values.character('a'),
                            Slot.word(1)),
                        constr(
                            heap,
                            hashMap + "Leaf",
                            2,
                            values.integral(2),
                            values.character('b'),
                            Slot.word(2))),
                    Slot.word(3))));
    assertEquals(
        "fromList [7]",
        print(
            (heap, values) ->
                constr(
                    heap, hashMap + "Leaf", 2, values.integral(7), values.unit(), Slot.word(7))));
    assertEquals(
        "[2,3]",
        print(
            (heap, values) ->
                constr(
                    heap,
                    "vector-0.13.1:Data.Vector.Vector",
                    1,
                    heap.array(false, values.integral(1), values.integral(2), values.integral(3)),
                    Slot.word(1),
                    Slot.word(2))));
    assertEquals(
        "[1,-1]",
        print(
            (heap, _) ->
                constr(
                    heap,
                    "vector-0.13.1:Data.Vector.Primitive.Vector",
                    1,
                    heap.byteArray((byte) 1, (byte) 0, (byte) -1, (byte) -1),
                    Slot.word(0),
                    Slot.word(2))));
    assertEquals(
        "listArray (0,1) ['p','q']",
        print(
            (heap, values) ->
                constr(
                    heap,
                    "base:GHC.Arr.Array",
                    3,
                    values.integral(0),
                    values.integral(1),
                    heap.array(false, values.character('p'), values.character('q')),
                    Slot.word(2))));
  }

  @Test
  void limitsAreMarked() {
    Value list =
        (_, values) -> values.list(values.integral(1), values.integral(2), values.integral(3));
    assertEquals("[1,2,…]", print(new PrintLimits(9, 2, 100), list));
    assertEquals("Just …", print(new PrintLimits(1, 9, 100), (_, v) -> v.just(v.unit())));
    assertEquals(
        "\"abc\"…", print(new PrintLimits(9, 9, 3), (_, values) -> values.string("abcdef")));
    assertEquals("\"abc\"…", print(new PrintLimits(9, 9, 3), (_, values) -> values.text("abcdef")));
  }

  @Test
  void whatCannotBeShownIsNamed() {
    assertEquals("<thunk>", print((heap, _) -> heap.thunk(heap.thunk(1, 0), heap.byteArray())));
    assertEquals(
        "<function Main.f>",
        print(
            (heap, _) ->
                heap.fun(
                    heap.function("P", 1, 0).withSource("a", "f", "Main", "M.hs:1:2"),
                    heap.byteArray())));
    assertEquals("[0x01, 0xff]", print((heap, _) -> heap.byteArray((byte) 1, (byte) -1)));
    assertEquals(
        "<dictionary Show>",
        print((heap, values) -> constr(heap, "base:GHC.Show.C:Show", 1, values.unit())));
    assertEquals(
        "<thread N>",
        print((heap, _) -> heap.thread(heap.stack(0, heap.stopFrame()), null))
            .replaceAll("[0-9]+", "N"));
  }
}
