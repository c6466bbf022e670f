package org.ghcdebug.stub.heap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.ghcdebug.protocol.closure.Closure;
import org.ghcdebug.protocol.closure.Edge;
import org.ghcdebug.protocol.closure.EdgeKind;
import org.ghcdebug.protocol.closure.InfoTable;
import org.ghcdebug.protocol.closure.PointerBitmap;
import org.ghcdebug.protocol.decode.BcoBitmap;
import org.ghcdebug.protocol.decode.ClosureDecoder;
import org.ghcdebug.protocol.decode.ClosureSize;
import org.ghcdebug.protocol.decode.ClosureWords;
import org.ghcdebug.protocol.decode.CodeTables;
import org.ghcdebug.protocol.decode.EdgeSink;
import org.ghcdebug.protocol.decode.EdgeWalker;
import org.ghcdebug.protocol.decode.Layouts;
import org.ghcdebug.protocol.decode.Unresolved;
import org.ghcdebug.protocol.layout.ClosureLayout;
import org.ghcdebug.protocol.target.InfoPtr;
import org.ghcdebug.protocol.target.ProfilingMode;
import org.ghcdebug.protocol.target.Target;
import org.jspecify.annotations.Nullable;

/** What was built is what the decoder finds, for every GHC and way. */
class HeapBuilderProperties {
  private static final Comparator<Edge> ORDER =
      Comparator.comparing(Edge::kind)
          .thenComparingInt(Edge::index)
          .thenComparingLong(Edge::pointer);

  @Provide
  Arbitrary<Target> targets() {
    return Arbitraries.of(Targets.all().toList());
  }

  @Property(tries = 150)
  void everyClosureDecodesToWhatWasBuilt(
      @ForAll("targets") Target target,
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 80) int closures) {
    BuiltHeap heap = RandomHeap.of(target, seed, closures);
    var tables = new TablesOf(heap);
    ClosureLayout layout = Layouts.of(target);
    for (BuiltClosure built : heap.allClosures()) {
      long[] memory = heap.closure(built.address().address());
      assertNotNull(memory, built.name());
      ClosureWords words = ClosureWords.of(memory);
      InfoTable info = tables.infoTable(memory[0]);
      assertNotNull(info);
      assertEquals(built.code().type(), layout.typeOf(info));
      assertEquals(built.sizeWords(), ClosureSize.sizeWords(layout, info, words), built.name());

      var walked = new Edges();
      new EdgeWalker(layout).walk(info, built.address().address(), words, tables, walked);
      assertEquals(sorted(built.edges()), sorted(walked.edges), built.name());

      Closure decoded =
          new ClosureDecoder(layout)
              .decode(
                  built.address(),
                  info,
                  words,
                  tables,
                  lacking -> {
                    throw new AssertionError(lacking.toString());
                  });
      assertFalse(decoded instanceof Closure.Unknown, decoded::toString);
      assertEquals(built.sizeWords(), decoded.sizeWords());
      assertEquals(sorted(built.edges()), sorted(decoded.edges()), built.name());
    }
  }

  @Property(tries = 100)
  void closuresLieInBlocksAsTheRtsPutsThem(@ForAll("targets") Target target, @ForAll long seed) {
    BuiltHeap heap = RandomHeap.of(target, seed, 60);
    var starts = new HashSet<Long>();
    for (BlockGroup group : heap.blocks()) {
      assertEquals(0, group.startAddr() % 4096);
      assertEquals(0, group.lengthBytes() % 4096);
      assertFalse(group.startAddr() % (1 << 20) < 4 * 4096, "a block among the descriptors");
    }
    for (BuiltClosure built : heap.allClosures()) {
      BlockGroup group = heap.block(built.address().address());
      if (group != null && (group.flags() & BlockGroup.LARGE) != 0) {
        assertEquals(group.startAddr(), built.address().address());
        assertTrue(starts.add(group.startAddr()), "two closures in a large object's group");
      }
      if (group != null) {
        assertFalse(
            built.address().address() + built.sizeBytes() > group.startAddr() + group.lengthBytes(),
            "a closure beyond its group");
      }
    }
  }

  private static List<Edge> sorted(List<Edge> edges) {
    return edges.stream().sorted(ORDER).toList();
  }

  /** What a client could learn by asking. */
  private record TablesOf(StubHeap heap) implements CodeTables {
    @Override
    public @Nullable InfoTable infoTable(long infoAddr) {
      long[] words = heap.infoTable(infoAddr);
      if (words == null) {
        return null;
      }
      assertEquals(heap.target().profiling() == ProfilingMode.VANILLA ? 2 : 4, words.length);
      return InfoTable.parse(new InfoPtr(infoAddr), words);
    }

    @Override
    public @Nullable PointerBitmap funBitmap(long funAddr, int arguments) {
      return heap.funBitmap(funAddr, arguments);
    }

    @Override
    public @Nullable PointerBitmap stackBitmap(long frameAddr, long infoAddr) {
      return heap.stackBitmap(frameAddr);
    }

    @Override
    public @Nullable PointerBitmap bcoBitmap(long bcoAddr) {
      long[] words = heap.closure(bcoAddr);
      return words == null
          ? null
          : BcoBitmap.read(heap.target().headerWords(), ClosureWords.of(words));
    }
  }

  private static final class Edges implements EdgeSink {
    private final List<Edge> edges = new ArrayList<>();

    @Override
    public void edge(EdgeKind kind, int index, long pointer) {
      edges.add(new Edge(kind, index, pointer));
    }

    @Override
    public void unresolved(Unresolved what) {
      throw new AssertionError(what.toString());
    }
  }
}
