package org.ghcdebug.protocol.decode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.ghcdebug.protocol.closure.Closure;
import org.ghcdebug.protocol.closure.ClosureType;
import org.ghcdebug.protocol.closure.Edge;
import org.ghcdebug.protocol.closure.EdgeKind;
import org.ghcdebug.protocol.closure.FrameList;
import org.ghcdebug.protocol.closure.InfoTable;
import org.ghcdebug.protocol.closure.PointerBitmap;
import org.ghcdebug.protocol.layout.ClosureLayout;
import org.ghcdebug.protocol.target.ClosurePtr;
import org.ghcdebug.protocol.target.GhcVersion;
import org.ghcdebug.protocol.target.InfoPtr;
import org.ghcdebug.protocol.target.ProfilingMode;
import org.ghcdebug.protocol.target.Target;
import org.jspecify.annotations.Nullable;

/** What was put in comes out, and nothing that is put in does harm. */
class DecodingProperties {
  private static final Consumer<Unresolved> NOTHING_LACKS =
      lacking -> {
        throw new AssertionError(lacking);
      };

  @Provide
  static Arbitrary<ClosureLayout> layouts() {
    return Combinators.combine(
            Arbitraries.of(902, 904, 906, 908, 910, 912, 914),
            Arbitraries.of(ProfilingMode.values()))
        .as((series, profiling) -> Layouts.of(new Target(new GhcVersion(series, 1), profiling)));
  }

  @Property(tries = 100)
  void everyTypeOfClosureDecodesToWhatWasEncoded(
      @ForAll("layouts") ClosureLayout layout, @ForAll long seed) {
    var made = new SyntheticClosures(new Random(seed), layout);
    var decoder = new ClosureDecoder(layout);
    for (ClosureType type : SyntheticClosures.types(layout)) {
      SyntheticClosures.Sample sample = made.closure(type);
      Closure expected = sample.closure();
      assertEquals(
          expected,
          decoder.decode(
              expected.address(),
              expected.info(),
              ClosureWords.of(sample.words()),
              made,
              NOTHING_LACKS));
    }
  }

  @Property(tries = 100)
  void memoryBeyondTheClosureChangesNothing(
      @ForAll("layouts") ClosureLayout layout, @ForAll long seed) {
    var random = new Random(seed);
    var made = new SyntheticClosures(random, layout);
    var decoder = new ClosureDecoder(layout);
    for (ClosureType type : SyntheticClosures.types(layout)) {
      SyntheticClosures.Sample sample = made.closure(type);
      Closure expected = sample.closure();
      int size = sample.words().length;
      long[] longer = Arrays.copyOf(sample.words(), size + 5);
      Arrays.setAll(longer, i -> i < size ? longer[i] : random.nextLong());
      ClosureWords words = ClosureWords.of(longer);
      assertEquals(
          expected,
          decoder.decode(expected.address(), expected.info(), words, made, NOTHING_LACKS));
      assertEquals(size, ClosureSize.sizeWords(layout, expected.info(), words));
    }
  }

  @Property(tries = 100)
  void theWalkerReportsTheEdgesOfTheValue(
      @ForAll("layouts") ClosureLayout layout, @ForAll long seed) {
    var made = new SyntheticClosures(new Random(seed), layout);
    for (ClosureType type : SyntheticClosures.types(layout)) {
      SyntheticClosures.Sample sample = made.closure(type);
      var walk = new Walk(layout, sample.closure().info(), sample.words(), made);
      assertEquals(List.of(), walk.unresolved);
      assertEquals(sample.closure().edges(), walk.edges);
    }
  }

  @Property(tries = 100)
  void shapesTellWhatTheWalkerFinds(@ForAll("layouts") ClosureLayout layout, @ForAll long seed) {
    var made = new SyntheticClosures(new Random(seed), layout);
    for (ClosureType type : SyntheticClosures.types(layout)) {
      SyntheticClosures.Sample sample = made.closure(type);
      ClosureShape shape = ClosureShape.of(layout, sample.closure().info());
      if (shape.fixedSizeWords() != ClosureSize.VARIABLE) {
        assertEquals(sample.words().length, shape.fixedSizeWords());
      }
      if (!shape.needsWalker()) {
        List<Long> pointers = new ArrayList<>();
        if (shape.srtAddr() != 0) {
          pointers.add(shape.srtAddr());
        }
        for (int i = 0; i < shape.pointerCount(); i++) {
          pointers.add(sample.words()[shape.firstPointerIndex() + i]);
        }
        List<Edge> edges = sample.closure().edges();
        assertEquals(edges.stream().map(Edge::pointer).toList(), pointers);
        assertTrue(edges.stream().allMatch(edge -> edge.kind().isRetaining()));
      }
    }
  }

  @Property(tries = 100)
  void truncatedClosuresAreReported(@ForAll("layouts") ClosureLayout layout, @ForAll long seed) {
    var random = new Random(seed);
    var made = new SyntheticClosures(random, layout);
    var decoder = new ClosureDecoder(layout);
    for (ClosureType type : SyntheticClosures.types(layout)) {
      SyntheticClosures.Sample sample = made.closure(type);
      Closure whole = sample.closure();
      long[] part = Arrays.copyOf(sample.words(), random.nextInt(sample.words().length));
      assertFalse(new Walk(layout, whole.info(), part, made).unresolved.isEmpty());
      assertTrue(
          decoder.decode(whole.address(), whole.info(), ClosureWords.of(part), made, NOTHING_LACKS)
              instanceof Closure.Unknown);
    }
  }

  @Property(tries = 3_000)
  void anyWordsGiveAValue(@ForAll("layouts") ClosureLayout layout, @ForAll long seed) {
    var noise = new Noise(new Random(seed));
    assertReadersAgree(layout, noise.table(), noise.words(), noise);
  }

  @Property(tries = 100)
  void damagedClosuresGiveAValue(@ForAll("layouts") ClosureLayout layout, @ForAll long seed) {
    var random = new Random(seed);
    var made = new SyntheticClosures(random, layout);
    for (ClosureType type : SyntheticClosures.types(layout)) {
      SyntheticClosures.Sample sample = made.closure(type);
      long[] words = sample.words();
      for (int i = random.nextInt(3); i > 0; i--) {
        int index = random.nextInt(words.length);
        words[index] =
            switch (random.nextInt(4)) {
              case 0 -> random.nextLong();
              case 1 -> words[random.nextInt(words.length)];
              case 2 -> words[index] ^ 1L << random.nextInt(64);
              default -> random.nextInt(50);
            };
      }
      assertReadersAgree(
          layout, sample.closure().info(), words, forgetful(made, random.nextInt(5)));
    }
  }

  /** Those tables, of which it does not know those with a certain rest modulo 5. */
  private static CodeTables forgetful(CodeTables tables, int rest) {
    return new CodeTables() {
      private boolean knows(long address) {
        return Math.floorMod(address / 64, 5) != rest;
      }

      @Override
      public @Nullable InfoTable infoTable(long infoAddr) {
        return knows(infoAddr) ? tables.infoTable(infoAddr) : null;
      }

      @Override
      public @Nullable PointerBitmap funBitmap(long funAddr, int arguments) {
        return knows(funAddr) ? tables.funBitmap(funAddr, arguments) : null;
      }

      @Override
      public @Nullable PointerBitmap stackBitmap(long frameAddr, long infoAddr) {
        return knows(infoAddr) ? tables.stackBitmap(frameAddr, infoAddr) : null;
      }

      @Override
      public @Nullable PointerBitmap bcoBitmap(long bcoAddr) {
        return knows(bcoAddr) ? tables.bcoBitmap(bcoAddr) : null;
      }
    };
  }

  /** That walker and decoder understand as much of the words, and the same, in bounded memory. */
  private static void assertReadersAgree(
      ClosureLayout layout, InfoTable info, long[] words, CodeTables tables) {
    var walk = new Walk(layout, info, words, tables);
    List<Unresolved> lacking = new ArrayList<>();
    Closure closure =
        new ClosureDecoder(layout)
            .decode(
                new ClosurePtr(Walk.CLOSURE_ADDR),
                info,
                ClosureWords.of(words),
                tables,
                lacking::add);
    boolean complete =
        switch (closure) {
          case Closure.Unknown _ ->
              layout.typeOf(info) == ClosureType.UNKNOWN
                  && ClosureSize.fixedSizeWords(layout, info) <= words.length;
          case Closure.Stack stack -> stack.frames().isComplete();
          case Closure.ApStack(_, _, FrameList frames) -> frames.isComplete();
          case Closure.Continuation(_, _, _, FrameList frames) -> frames.isComplete();
          default -> true;
        };
    assertEquals(complete, walk.unresolved.isEmpty(), () -> closure + "\n" + walk.unresolved);
    assertEquals(
        lacking,
        walk.unresolved.stream().filter(what -> !(what instanceof Unresolved.Malformed)).toList());
    if (!(closure instanceof Closure.Unknown) || complete) {
      assertEquals(closure.edges(), walk.edges);
    }
    assertTrue(walk.edges.size() <= 2 * words.length + 1);
    assertTrue(closure.sizeWords() <= words.length);
    assertFalse(closure.toString().isEmpty());
  }

  /** What a walk reports. */
  private static final class Walk implements EdgeSink {
    static final long CLOSURE_ADDR = 0x4200100000L;

    final List<Edge> edges = new ArrayList<>();
    final List<Unresolved> unresolved = new ArrayList<>();

    Walk(ClosureLayout layout, InfoTable info, long[] words, CodeTables tables) {
      new EdgeWalker(layout).walk(info, CLOSURE_ADDR, ClosureWords.of(words), tables, this);
    }

    @Override
    public void edge(EdgeKind kind, int index, long pointer) {
      edges.add(new Edge(kind, index, pointer));
    }

    @Override
    public void unresolved(Unresolved what) {
      unresolved.add(what);
    }
  }

  /** Nonsense with just enough sense in it to get beyond the first check. */
  private static final class Noise implements CodeTables {
    private final Random random;
    private final InfoTable[] tables = new InfoTable[8];

    Noise(Random random) {
      this.random = random;
      Arrays.setAll(tables, i -> new InfoTable(new InfoPtr(i), frameType(), small(), small()));
    }

    InfoTable table() {
      return new InfoTable(
          new InfoPtr(random.nextLong()),
          random.nextInt(8) == 0 ? random.nextInt() : random.nextInt(70) - 2,
          random.nextInt(3) == 0 ? random.nextLong() : small() | (long) small() << 32,
          random.nextInt(2) * random.nextInt());
    }

    private int frameType() {
      return random.nextInt(4) == 0 ? random.nextInt(70) : 29 + random.nextInt(8);
    }

    private int small() {
      return random.nextInt(12);
    }

    long[] words() {
      long[] words = new long[random.nextInt(80)];
      for (int i = 0; i < words.length; i++) {
        words[i] =
            switch (random.nextInt(6)) {
              case 0 -> random.nextLong();
              case 1 -> small() | (long) small() << 32;
              case 2 -> Walk.CLOSURE_ADDR + 8L * random.nextInt(80);
              case 3 -> (long) random.nextInt(80) << 32;
              default -> random.nextInt(10);
            };
      }
      return words;
    }

    @Override
    public @Nullable InfoTable infoTable(long infoAddr) {
      return infoAddr >= 0 && infoAddr < tables.length ? tables[(int) infoAddr] : null;
    }

    @Override
    public @Nullable PointerBitmap funBitmap(long funAddr, int arguments) {
      return bitmap(funAddr);
    }

    @Override
    public @Nullable PointerBitmap stackBitmap(long frameAddr, long infoAddr) {
      return bitmap(infoAddr + frameAddr / 8);
    }

    @Override
    public @Nullable PointerBitmap bcoBitmap(long bcoAddr) {
      return bitmap(bcoAddr);
    }

    private static @Nullable PointerBitmap bitmap(long key) {
      return key % 5 == 0 ? null : PointerBitmap.allOf((int) Math.floorMod(key, 40L), key % 2 == 0);
    }
  }
}
