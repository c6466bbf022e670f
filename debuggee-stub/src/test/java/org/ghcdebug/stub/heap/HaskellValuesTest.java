package org.ghcdebug.stub.heap;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.math.BigInteger;
import java.util.List;
import java.util.TreeMap;
import org.ghcdebug.protocol.closure.Edge;
import org.ghcdebug.protocol.target.GhcVersion;
import org.ghcdebug.protocol.target.ProfilingMode;
import org.ghcdebug.protocol.target.Target;
import org.junit.jupiter.api.Test;

class HaskellValuesTest {
  private HeapBuilder builder = builder(906);
  private HaskellValues values = new HaskellValues(builder);

  private static HeapBuilder builder(int series) {
    return new HeapBuilder(new Target(new GhcVersion(series, 1), ProfilingMode.VANILLA));
  }

  @Test
  void aStringIsAListOfSharedCharacters() {
    builder.root(values.string("noon"));
    var totals = BuiltHeap.totals(builder.build().liveClosures(), BuiltClosure::name);
    assertEquals(new BuiltHeap.Total(4, 96), totals.get("ghc-prim:GHC.Types.:"));
    assertEquals(new BuiltHeap.Total(2, 32), totals.get("ghc-prim:GHC.Types.C#"));
    assertEquals(1, totals.get("ghc-prim:GHC.Types.[]").count());
  }

  @Test
  void aMapHasABinForEachEntryAndRightSizes() {
    var entries = new TreeMap<Long, Ref>();
    for (long key = 0; key < 1000; key++) {
      entries.put(key, values.unit());
    }
    Ref map = values.map(entries);
    builder.root(map);
    BuiltHeap heap = builder.build();
    String bin = "containers-0.6.7:Data.Map.Internal.Bin";
    assertEquals(
        new BuiltHeap.Total(1000, 48_000),
        BuiltHeap.totals(heap.liveClosures(), BuiltClosure::name).get(bin));
    assertEquals(1000, heap.closure(heap.pointer(map))[5]);
    List<Edge> edges = heap.built(map).edges();
    long left = heap.closure(edges.get(2).pointer())[5];
    long right = heap.closure(edges.get(3).pointer())[5];
    assertEquals(1000, 1 + left + right);
  }

  @Test
  void textIsUtf8FromGhc94OnAndUtf16Before() {
    Ref text = values.text("aß");
    BuiltHeap heap = builder.build();
    long[] words = heap.closure(heap.pointer(text));
    assertEquals(3, words[3]);
    assertEquals(0x9F_C3_61, heap.closure(words[1])[2]);

    HeapBuilder older = builder(902);
    Ref older16 = new HaskellValues(older).text("aß");
    BuiltHeap olderHeap = older.build();
    words = olderHeap.closure(olderHeap.pointer(older16));
    assertEquals(2, words[3]);
    assertEquals(0x00DF_0061, olderHeap.closure(words[1])[2]);
  }

  @Test
  void bigIntegersHaveLimbs() {
    Ref small = values.integer(BigInteger.valueOf(-5));
    Ref big = values.integer(BigInteger.ONE.shiftLeft(64).negate());
    BuiltHeap heap = builder.build();
    assertEquals(-5, heap.closure(heap.pointer(small))[1]);
    assertEquals("ghc-bignum:GHC.Num.Integer.IN", heap.built(big).name());
    long limbs = heap.closure(heap.pointer(big))[1];
    long[] words = heap.closure(limbs);
    assertArrayEquals(new long[] {16, 0, 1}, new long[] {words[1], words[2], words[3]});
  }
}
