package org.ghcdebug.client.analysis.fragmentation;

import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.ghcdebug.client.index.ClosureSelection;
import org.ghcdebug.client.index.HeapCopy;
import org.ghcdebug.client.index.HeapImage;
import org.ghcdebug.client.source.BlockGroup;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.protocol.target.Target;

/**
 * How the blocks of a heap are filled.
 *
 * @param rows one per kind of blocks that there are
 * @param megablocks that have any of the blocks; the RTS takes memory from the system by megablocks
 * @param megablockBytes their size
 * @param unlistedBytes bytes of those megablocks in no block that was listed: free, or the RTS's
 *     own, descriptors among them
 * @param staticBytes bytes of living closures outside the blocks, which are part of the executable
 */
public record Fragmentation(
    List<Row> rows, long megablocks, long megablockBytes, long unlistedBytes, long staticBytes) {
  private static final int MEGABLOCK_SHIFT = 20;

  public Fragmentation {
    rows = List.copyOf(rows);
  }

  /**
   * The blocks of one kind.
   *
   * @param groups of adjacent blocks
   * @param blockBytes all their bytes
   * @param usedBytes what has been allocated in them; all where the debuggee does not say
   * @param liveBytes closures in them that can be reached
   * @param deadGroups groups without any such closure
   * @param deadGroupBytes their bytes
   */
  public record Row(
      BlockKind kind,
      long groups,
      long blockBytes,
      long usedBytes,
      long liveBytes,
      long deadGroups,
      long deadGroupBytes) {
    /** What is not alive, or not even used. */
    public long otherBytes() {
      return blockBytes - liveBytes;
    }

    /** Living bytes per byte of the blocks. */
    public double liveShare() {
      return blockBytes == 0 ? 1 : (double) liveBytes / blockBytes;
    }
  }

  /** Living bytes of all rows. */
  public long liveBytes() {
    return rows.stream().mapToLong(Row::liveBytes).sum();
  }

  /** Bytes of all blocks. */
  public long blockBytes() {
    return rows.stream().mapToLong(Row::blockBytes).sum();
  }

  /** Used bytes of all rows. */
  public long usedBytes() {
    return rows.stream().mapToLong(Row::usedBytes).sum();
  }

  /** Groups of all rows. */
  public long groups() {
    return rows.stream().mapToLong(Row::groups).sum();
  }

  /** Groups of all rows that have nothing alive. */
  public long deadGroups() {
    return rows.stream().mapToLong(Row::deadGroups).sum();
  }

  /** Their bytes. */
  public long deadGroupBytes() {
    return rows.stream().mapToLong(Row::deadGroupBytes).sum();
  }

  /** Looks at every block and every living closure. O(closures). */
  public static Fragmentation of(HeapCopy copy, Work work) {
    HeapImage image = copy.image();
    long[] live = new long[image.groupCount()];
    long[] outside = {0};
    copy.each(
        ClosureSelection.ALL,
        closure -> {
          long bytes = closure.sizeWords() * Target.WORD_BYTES;
          long offset = image.offset(closure.address());
          if (offset == HeapImage.OUTSIDE) {
            outside[0] += bytes;
          } else {
            live[image.groupIndex(offset)] += bytes;
          }
          return true;
        },
        work);
    Map<BlockKind, Row> rows = new EnumMap<>(BlockKind.class);
    Set<Long> megablocks = new HashSet<>();
    List<BlockGroup> groups = image.groups();
    for (int i = 0; i < groups.size(); i++) {
      BlockGroup group = groups.get(i);
      BlockKind kind = BlockKind.of(group);
      boolean isDead = live[i] == 0;
      rows.merge(
          kind,
          new Row(
              kind,
              1,
              group.lengthBytes(),
              group.usedBytes(),
              live[i],
              isDead ? 1 : 0,
              isDead ? group.lengthBytes() : 0),
          Fragmentation::add);
      long last = group.startAddr() + group.lengthBytes() - 1 >>> MEGABLOCK_SHIFT;
      for (long block = group.startAddr() >>> MEGABLOCK_SHIFT; block <= last; block++) {
        megablocks.add(block);
      }
    }
    long megablockBytes = (long) megablocks.size() << MEGABLOCK_SHIFT;
    return new Fragmentation(
        List.copyOf(rows.values()),
        megablocks.size(),
        megablockBytes,
        megablockBytes - image.sizeBytes(),
        outside[0]);
  }

  private static Row add(Row a, Row b) {
    return new Row(
        a.kind(),
        a.groups() + b.groups(),
        a.blockBytes() + b.blockBytes(),
        a.usedBytes() + b.usedBytes(),
        a.liveBytes() + b.liveBytes(),
        a.deadGroups() + b.deadGroups(),
        a.deadGroupBytes() + b.deadGroupBytes());
  }
}
