package org.ghcdebug.client.source;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.ghcdebug.client.source.HeapSource.FrameAddress;
import org.ghcdebug.client.source.HeapSource.FunArguments;
import org.ghcdebug.client.testing.Snapshots;
import org.ghcdebug.client.testing.StubHeapSource;
import org.ghcdebug.protocol.closure.InfoTable;
import org.ghcdebug.protocol.target.AddressList;
import org.ghcdebug.protocol.target.GhcVersion;
import org.ghcdebug.protocol.target.ProfilingMode;
import org.ghcdebug.protocol.target.Target;
import org.ghcdebug.stub.heap.BlockGroup;
import org.ghcdebug.stub.heap.BuiltHeap;
import org.ghcdebug.stub.heap.Code;
import org.ghcdebug.stub.heap.RandomHeap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What every source has to do: a heap of all kinds of closures reads as it was built. */
public abstract class HeapSourceContract {
  private static final ValueLayout.OfLong WORD =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final long NOTHING_THERE = 0x7777_0000_0000L;

  /** What is done with a source. */
  protected interface Use {
    void with(HeapSource source) throws Exception;
  }

  /** Opens a source of the heap, paused if it is live; closes it after the use. */
  protected abstract void withSource(BuiltHeap heap, Use use) throws Exception;

  private enum Way {
    GHC_9_6(906, 6, ProfilingMode.VANILLA),
    GHC_9_10_PROFILED(910, 3, ProfilingMode.PROFILED);

    private final Target target;

    Way(int series, int patch, ProfilingMode profiling) {
      target = new Target(new GhcVersion(series, patch), profiling);
    }

    BuiltHeap heap() {
      return RandomHeap.of(target, 42, 600);
    }
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void targetAndRootsAreThoseOfTheHeap(Way way) throws Exception {
    BuiltHeap heap = way.heap();
    withSource(
        heap,
        source -> {
          assertEquals(heap.target(), source.target());
          assertEquals(new StubHeapSource(heap).roots(), source.roots());
          assertEquals(heap.savedObjects(), source.savedObjects());
        });
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void closuresAreReadWordByWordWhateverTheTag(Way way) throws Exception {
    BuiltHeap heap = way.heap();
    long[] addresses =
        heap.allClosures().stream().mapToLong(closure -> closure.address().address()).toArray();
    long[] pointers = addresses.clone();
    for (int i = 0; i < pointers.length; i++) {
      pointers[i] |= i % 8;
    }
    withSource(
        heap,
        source -> {
          List<long[]> closures = source.closures(AddressList.of(pointers));
          for (int i = 0; i < addresses.length; i++) {
            assertArrayEquals(heap.closure(addresses[i]), closures.get(i));
          }
        });
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void codeIsDescribedAsBuilt(Way way) throws Exception {
    BuiltHeap heap = way.heap();
    AddressList infoAddrs =
        AddressList.of(heap.allCode().stream().mapToLong(Code::infoAddr).toArray());
    HeapSource truth = new StubHeapSource(heap);
    withSource(
        heap,
        source -> {
          List<InfoTable> infos = source.infoTables(infoAddrs);
          assertEquals(truth.infoTables(infoAddrs), infos);
          assertEquals(truth.srts(infoAddrs), source.srts(infoAddrs));
          assertEquals(truth.constructorNames(infoAddrs), source.constructorNames(infoAddrs));
          assertEquals(truth.sourceInfos(infoAddrs), source.sourceInfos(infoAddrs));
        });
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void bitmapsAreThoseOfTheCode(Way way) throws Exception {
    BuiltHeap heap = way.heap();
    HeapSource truth = new StubHeapSource(heap);
    List<FunArguments> functions = Snapshots.allFunctions(heap);
    List<FrameAddress> frames = new ArrayList<>();
    for (long frame : heap.frames().toArray()) {
      if (heap.stackBitmap(frame) != null) {
        frames.add(new FrameAddress(frame - 16, 16));
      }
    }
    withSource(
        heap,
        source -> {
          assertEquals(truth.funBitmaps(functions), source.funBitmaps(functions));
          assertEquals(truth.stackBitmaps(frames), source.stackBitmaps(frames));
        });
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void everyBlockGroupIsHandedOutOnce(Way way) throws Exception {
    BuiltHeap heap = way.heap();
    withSource(
        heap,
        source -> {
          Blocks blocks = new Blocks();
          long bytes = source.blocks(blocks);
          assertEquals(blocks.words.values().stream().mapToLong(w -> 8L * w.size()).sum(), bytes);
          assertEquals(heap.blocks().size(), blocks.words.size());
          for (BlockGroup group : heap.blocks()) {
            assertEquals(group.flags(), blocks.flags.get(group.startAddr()));
            assertArrayEquals(
                group.words(group.startAddr(), group.lengthBytes() / 8),
                blocks.words.get(group.startAddr()).stream().mapToLong(w -> w).toArray());
          }
        });
  }

  private static final class Blocks implements BlockSink {
    private final Map<Long, List<Long>> words = new TreeMap<>();
    private final Map<Long, Integer> flags = new TreeMap<>();
    private final List<Byte> partial = new ArrayList<>();
    private List<Long> current = List.of();

    @Override
    public void group(org.ghcdebug.client.source.BlockGroup group) {
      assertEquals(0, partial.size());
      current = new ArrayList<>();
      assertNull(words.put(group.startAddr(), current), "handed out twice");
      flags.put(group.startAddr(), group.flags());
    }

    @Override
    public void contents(MemorySegment bytes) {
      for (long i = 0; i < bytes.byteSize(); i++) {
        partial.add(bytes.get(ValueLayout.JAVA_BYTE, i));
        if (partial.size() == 8) {
          byte[] word = new byte[8];
          for (int k = 0; k < 8; k++) {
            word[k] = partial.get(k);
          }
          current.add(MemorySegment.ofArray(word).get(WORD, 0));
          partial.clear();
        }
      }
    }
  }

  @Test
  void whatIsNotThereIsNullAndTheOthersAreAnswered() throws Exception {
    BuiltHeap heap = Way.GHC_9_6.heap();
    long there = heap.allClosures().getFirst().address().address();
    long info = heap.closure(there)[0];
    withSource(
        heap,
        source -> {
          List<long[]> closures = source.closures(AddressList.of(NOTHING_THERE, there, 0, -8, 8));
          assertNull(closures.get(0));
          assertArrayEquals(heap.closure(there), closures.get(1));
          assertNull(closures.get(2));
          assertNull(closures.get(3));
          assertNull(closures.get(4));
          AddressList infos = AddressList.of(NOTHING_THERE, info, 0, info + 1);
          List<InfoTable> tables = source.infoTables(infos);
          assertNull(tables.get(0));
          assertEquals(info, tables.get(1).address().address());
          assertNull(tables.get(2));
          assertNull(tables.get(3));
          assertEquals(0, source.srts(infos).get(0));
          assertNull(source.constructorNames(infos).get(0));
          assertNull(source.sourceInfos(infos).get(2));
          assertNull(source.funBitmaps(List.of(new FunArguments(0, 1))).getFirst());
          assertNull(source.stackBitmaps(List.of(new FrameAddress(8, 3))).getFirst());
        });
  }

  @Test
  void emptyListsHaveEmptyAnswers() throws Exception {
    withSource(
        Way.GHC_9_6.heap(),
        source -> {
          AddressList none = AddressList.of();
          assertEquals(List.of(), source.closures(none));
          assertEquals(List.of(), source.infoTables(none));
          assertEquals(none, source.srts(none));
          assertEquals(List.of(), source.constructorNames(none));
          assertEquals(List.of(), source.sourceInfos(none));
          assertEquals(List.of(), source.funBitmaps(List.of()));
          assertEquals(List.of(), source.stackBitmaps(List.of()));
        });
  }
}
