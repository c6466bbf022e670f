package org.ghcdebug.client.source;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import org.ghcdebug.client.collections.LongList;
import org.ghcdebug.protocol.closure.InfoTable;
import org.ghcdebug.protocol.decode.ClosureSize;
import org.ghcdebug.protocol.decode.ClosureWords;
import org.ghcdebug.protocol.decode.Layouts;
import org.ghcdebug.protocol.layout.ClosureLayout;
import org.ghcdebug.protocol.target.AddressList;
import org.jspecify.annotations.Nullable;

/**
 * Reads closures by the block, and keeps the blocks used last.
 *
 * <p>A major collection lays out what is used together in the same blocks, so one round trip brings
 * some hundred closures that will be asked for next, where a request for each closure would bring
 * one. A call that asks for closures in many blocks at once is passed on as it is: then a batch of
 * closures is the better way.
 *
 * <p>Memory: at most {@value #MAX_CACHED_BYTES} bytes of blocks; larger groups are not kept. Good
 * for one standstill of the program. Not thread-safe.
 */
public final class BlockCache extends ForwardingSource {
  private static final int MAX_CACHED_BYTES = 8 << 20;
  private static final int MAX_GROUP_BYTES = 1 << 20;
  private static final int MAX_BLOCKS_PER_CALL = 16;
  private static final int BLOCK_SHIFT = 12;

  private final BlockLookup lookup;
  private final ClosureLayout layout;
  private final Map<Long, @Nullable InfoTable> infos = new HashMap<>();
  private final Map<Long, Group> groupOfBlock = new HashMap<>(); // address >>> 12 -> group
  private final LinkedHashMap<Long, Group> groups = new LinkedHashMap<>(64, 0.75f, true);
  private long cachedBytes;

  private record Group(long startAddr, long[] words) {
    int indexOf(long addr) {
      return (int) (addr - startAddr >>> 3);
    }

    long blockCount() {
      return (long) words.length * Long.BYTES >>> BLOCK_SHIFT;
    }
  }

  private BlockCache(HeapSource source, BlockLookup lookup) {
    super(source);
    this.lookup = lookup;
    this.layout = Layouts.of(source.target());
  }

  /** The source behind a cache if it can look up blocks, else the source itself. No I/O. */
  public static HeapSource over(HeapSource source) {
    return source instanceof BlockLookup lookup ? new BlockCache(source, lookup) : source;
  }

  @Override
  public List<long @Nullable []> closures(AddressList addresses) {
    fetchBlocks(addresses);
    fetchInfoTables(addresses);
    List<long @Nullable []> closures = new ArrayList<>(Collections.nCopies(addresses.size(), null));
    int[] others = new int[addresses.size()];
    int otherCount = 0;
    for (int i = 0; i < addresses.size(); i++) {
      long[] words = cached(addresses.get(i));
      if (words == null) {
        others[otherCount++] = i;
      } else {
        closures.set(i, words);
      }
    }
    if (otherCount > 0) {
      long[] otherAddrs = new long[otherCount];
      Arrays.setAll(otherAddrs, i -> addresses.get(others[i]));
      List<long @Nullable []> fetched = source.closures(AddressList.of(otherAddrs));
      for (int i = 0; i < otherCount; i++) {
        closures.set(others[i], fetched.get(i));
      }
    }
    return closures;
  }

  private void fetchBlocks(AddressList addresses) {
    Set<Long> missingBlocks = new LinkedHashSet<>();
    for (int i = 0; i < addresses.size(); i++) {
      long block = addresses.get(i) >>> BLOCK_SHIFT;
      if (!groupOfBlock.containsKey(block)) {
        missingBlocks.add(block);
        if (missingBlocks.size() > MAX_BLOCKS_PER_CALL) {
          return;
        }
      }
    }
    if (!missingBlocks.isEmpty()) {
      Collector collector = new Collector();
      lookup.blocksAt(
          AddressList.of(missingBlocks.stream().mapToLong(block -> block << BLOCK_SHIFT).toArray()),
          collector);
      collector.groups.forEach(this::keep);
    }
  }

  private void keep(Group group) {
    groups.put(group.startAddr(), group);
    cachedBytes += (long) group.words().length * Long.BYTES;
    for (long i = 0; i < group.blockCount(); i++) {
      groupOfBlock.put((group.startAddr() >>> BLOCK_SHIFT) + i, group);
    }
    Iterator<Group> eldest = groups.values().iterator();
    while (cachedBytes > MAX_CACHED_BYTES) {
      Group dropped = eldest.next();
      eldest.remove();
      cachedBytes -= (long) dropped.words().length * Long.BYTES;
      for (long i = 0; i < dropped.blockCount(); i++) {
        groupOfBlock.remove((dropped.startAddr() >>> BLOCK_SHIFT) + i);
      }
    }
  }

  private void fetchInfoTables(AddressList addresses) {
    LongList infoAddrs = new LongList();
    for (int i = 0; i < addresses.size(); i++) {
      Group group = groupOfBlock.get(addresses.get(i) >>> BLOCK_SHIFT);
      if (group != null) {
        groups.get(group.startAddr()); // used just now
        infoAddrs.add(group.words()[group.indexOf(addresses.get(i))]);
      }
    }
    infoTables(AddressList.of(infoAddrs.toArray()));
  }

  /** {@code null} when the closure must be asked for. */
  private long @Nullable [] cached(long addr) {
    Group group = groupOfBlock.get(addr >>> BLOCK_SHIFT);
    if (group == null || addr % Long.BYTES != 0) {
      return null;
    }
    int start = group.indexOf(addr);
    return ClosureSize.copy(
        layout, infos.get(group.words()[start]), new GroupWords(group.words(), start));
  }

  private record GroupWords(long[] words, int start) implements ClosureWords {
    @Override
    public long word(int index) {
      return words[start + index];
    }

    @Override
    public int length() {
      return words.length - start;
    }
  }

  private static final class Collector implements BlockSink {
    private final List<Group> groups = new ArrayList<>();
    private long[] words = {};
    private long filledBytes;

    @Override
    public void group(BlockGroup group) {
      boolean isKept = group.lengthBytes() <= MAX_GROUP_BYTES;
      words = new long[isKept ? (int) (group.lengthBytes() >>> 3) : 0];
      filledBytes = 0;
      if (words.length > 0) {
        groups.add(new Group(group.startAddr(), words));
      }
    }

    @Override
    public void contents(MemorySegment bytes) {
      if (words.length > 0) {
        MemorySegment.copy(bytes, 0, MemorySegment.ofArray(words), filledBytes, bytes.byteSize());
        filledBytes += bytes.byteSize();
      }
    }
  }

  @Override
  public List<@Nullable InfoTable> infoTables(AddressList infoAddrs) {
    long[] unknown =
        LongStream.of(infoAddrs.toArray())
            .filter(infoAddr -> !infos.containsKey(infoAddr))
            .distinct()
            .toArray();
    if (unknown.length > 0) {
      List<@Nullable InfoTable> tables = source.infoTables(AddressList.of(unknown));
      for (int i = 0; i < unknown.length; i++) {
        infos.put(unknown[i], tables.get(i));
      }
    }
    List<@Nullable InfoTable> known = new ArrayList<>(infoAddrs.size());
    for (int i = 0; i < infoAddrs.size(); i++) {
      known.add(infos.get(infoAddrs.get(i)));
    }
    return known;
  }
}
