package org.ghcdebug.client.index;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.ghcdebug.client.collections.LongIntMap;
import org.ghcdebug.client.collections.LongList;
import org.ghcdebug.client.source.BlockGroup;
import org.ghcdebug.client.source.BlockSink;
import org.ghcdebug.client.source.ForwardingSource;
import org.ghcdebug.client.source.RecordableHeap;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.protocol.closure.BlockFlag;
import org.ghcdebug.protocol.closure.EdgeKind;
import org.ghcdebug.protocol.closure.InfoTable;
import org.ghcdebug.protocol.decode.ClosureSize;
import org.ghcdebug.protocol.decode.ClosureWords;
import org.ghcdebug.protocol.decode.EdgeSink;
import org.ghcdebug.protocol.decode.EdgeWalker;
import org.ghcdebug.protocol.decode.Unresolved;
import org.ghcdebug.protocol.layout.ClosureLayout;
import org.ghcdebug.protocol.target.AddressList;
import org.ghcdebug.protocol.target.Target;
import org.jspecify.annotations.Nullable;

/**
 * A copy's heap without its contents: what tells sizes and references stays, other words are 0.
 *
 * <p>A word stays only if it was read when the size and the references of a closure that is
 * reachable were found, which is all that marking and the graph read; it is in a closure's header,
 * or in a closure that holds nothing of the program's own (TSO, BCO, head of a compact region).
 *
 * <p>The RTS has one static closure for each character below 256 and each small number, in a row:
 * where a pointer to one leads is what it says. Of the static constructors without pointers that
 * share an info table, the first therefore stands for all.
 *
 * <p>Memory: a bit per word of the image.
 */
final class RedactedHeap extends ForwardingSource implements RecordableHeap {
  /** RTS StgCompactNFDataBlock: self, owner, next. */
  private static final int REGION_BLOCK_WORDS = 3;

  private static final int INTERVAL = 1 << 16;
  private static final ValueLayout.OfLong WORD =
      ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final EdgeSink NOWHERE =
      new EdgeSink() {
        @Override
        public void edge(EdgeKind kind, int index, long pointer) {}

        @Override
        public void unresolved(Unresolved what) {}
      };

  private final HeapCopy copy;
  private final Marker marker;
  private final ClosureLayout layout;
  private final EdgeWalker walker;
  private final BitSetOfWords kept;
  private final LongIntMap merged = new LongIntMap(); // address -> index in standIns
  private final LongList standIns = new LongList();
  private long mergedCount;
  private long mergedBytes;

  /** Bits by a number that may exceed an {@code int}. */
  private static final class BitSetOfWords {
    private final long[] bits;

    BitSetOfWords(int words) {
      bits = new long[words];
    }

    void set(long index) {
      bits[(int) (index >>> 6)] |= 1L << index;
    }

    boolean get(long index) {
      return (bits[(int) (index >>> 6)] & 1L << index) != 0;
    }
  }

  RedactedHeap(HeapCopy copy, Marker marker, ClosureLayout layout, Work work) {
    super(copy);
    this.copy = copy;
    this.marker = marker;
    this.layout = layout;
    this.walker = new EdgeWalker(layout);
    this.kept = new BitSetOfWords(marker.marks.length);
    merge();
    Marker.Cursor cursor = marker.new Cursor();
    long[] done = {0};
    marker.eachMarked(
        offset -> {
          if ((done[0]++ & (INTERVAL - 1)) == 0) {
            work.progress("finding contents (closures)", done[0], copy.tally().totalCount());
            work.checkStopped();
          }
          cursor.moveTo(offset);
          find(
              copy.image().address(offset),
              new Noting(cursor) {
                @Override
                void note(int index) {
                  kept.set((offset >>> 3) + index);
                }
              });
        });
  }

  private void merge() {
    Map<Long, Long> firstByInfo = new HashMap<>();
    for (long addr : Arrays.stream(copy.outsideAddrs().toArray()).sorted().toArray()) {
      InfoTable info = marker.infos.find(marker.infoAddrAt(addr));
      if (info == null
          || !info.hasConstructorName()
          || info.pointers() > 0
          || info.nonPointers() == 0) {
        continue;
      }
      long first = firstByInfo.computeIfAbsent(info.address().address(), _ -> addr);
      if (first != addr) {
        merged.put(addr, standIns.size());
        standIns.add(first);
        mergedCount++;
        mergedBytes += ClosureSize.fixedSizeWords(layout, info) * (long) Long.BYTES;
      }
    }
  }

  /** What stands for a word that stays. */
  private long standIn(long word) {
    int index = merged.get(Target.untag(word));
    return index == LongIntMap.MISSING ? word : standIns.get(index) | word - Target.untag(word);
  }

  private AddressList standIns(AddressList addresses) {
    return AddressList.of(Arrays.stream(addresses.toArray()).map(this::standIn).toArray());
  }

  @Override
  public AddressList roots() {
    return standIns(copy.roots());
  }

  @Override
  public AddressList savedObjects() {
    return standIns(copy.savedObjects());
  }

  /** Words of a closure; those that are read are noted. */
  private abstract static class Noting implements ClosureWords {
    private final ClosureWords words;

    Noting(ClosureWords words) {
      this.words = words;
    }

    abstract void note(int index);

    @Override
    public long word(int index) {
      note(index);
      return words.word(index);
    }

    @Override
    public int length() {
      return words.length();
    }
  }

  /** Reads what has to stay of a closure. */
  private void find(long addr, Noting words) {
    InfoTable info = marker.infos.find(words.word(0));
    if (info == null) {
      return;
    }
    for (int i = 1; i < layout.headerWords(); i++) {
      words.word(i);
    }
    switch (layout.typeOf(info)) {
      case TSO, BCO, COMPACT_NFDATA -> {
        long size = ClosureSize.sizeWords(layout, info, words);
        for (int i = 0; i < Math.min(size, words.length()); i++) {
          words.word(i);
        }
      }
      default -> walker.walk(info, addr, words, marker, NOWHERE);
    }
  }

  @Override
  public long blocks(BlockSink sink) {
    copy.image()
        .handOut(
            new BlockSink() {
              private long next; // word of the image
              private MemorySegment buffer = MemorySegment.ofArray(new long[0]);

              @Override
              public void group(BlockGroup group) {
                if (BlockFlag.COMPACT.isSet(group.flags())) {
                  for (int i = 0; i < REGION_BLOCK_WORDS; i++) {
                    kept.set(next + i);
                  }
                }
                sink.group(group);
              }

              @Override
              public void contents(MemorySegment bytes) {
                int words = (int) (bytes.byteSize() >>> 3);
                if (buffer.byteSize() < bytes.byteSize()) {
                  buffer = MemorySegment.ofArray(new long[words]);
                }
                for (int i = 0; i < words; i++, next++) {
                  long at = (long) i << 3;
                  buffer.set(WORD, at, kept.get(next) ? standIn(bytes.get(WORD, at)) : 0);
                }
                sink.contents(buffer.asSlice(0, bytes.byteSize()).asReadOnly());
              }
            });
    return copy.image().sizeBytes();
  }

  @Override
  public List<long @Nullable []> closures(AddressList addresses) {
    List<long @Nullable []> closures = new ArrayList<>(addresses.size());
    List<long @Nullable []> whole = copy.closures(addresses);
    for (int i = 0; i < addresses.size(); i++) {
      long[] words = whole.get(i);
      closures.add(words == null ? null : redacted(addresses.get(i), words));
    }
    return closures;
  }

  private long[] redacted(long addr, long[] words) {
    BitSet stays = new BitSet();
    find(
        addr,
        new Noting(
            new ClosureWords() {
              @Override
              public long word(int index) {
                return words[index];
              }

              @Override
              public int length() {
                return words.length;
              }
            }) {
          @Override
          void note(int index) {
            stays.set(index);
          }
        });
    long[] redacted = new long[words.length];
    stays.stream().forEach(index -> redacted[index] = standIn(words[index]));
    return redacted;
  }

  @Override
  public int groupCount() {
    return copy.groupCount();
  }

  @Override
  public AddressList infoAddrs() {
    return copy.infoAddrs();
  }

  @Override
  public AddressList costCentreStackAddrs() {
    return copy.costCentreStackAddrs();
  }

  @Override
  public AddressList outsideAddrs() {
    return AddressList.of(
        Arrays.stream(copy.outsideAddrs().toArray())
            .filter(addr -> merged.get(addr) == LongIntMap.MISSING)
            .toArray());
  }

  @Override
  public void codeBitmaps(CodeBitmapSink sink) {
    copy.codeBitmaps(sink);
  }

  @Override
  public void bitmaps(BitmapSink sink) {
    copy.bitmaps(sink);
  }

  @Override
  public Map<String, String> summary() {
    Map<String, String> summary = new LinkedHashMap<>(copy.summary());
    summary.put("reachable.closures", Long.toString(copy.tally().totalCount() - mergedCount));
    summary.put("reachable.bytes", Long.toString(copy.tally().totalBytes() - mergedBytes));
    return summary;
  }

  /** The copy belongs to who made it. */
  @Override
  public void close() {}
}
