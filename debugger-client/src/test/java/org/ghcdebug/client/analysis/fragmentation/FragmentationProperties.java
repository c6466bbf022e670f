package org.ghcdebug.client.analysis.fragmentation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.ghcdebug.client.source.BlockGroup;
import org.ghcdebug.client.testing.NaiveHeap;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.protocol.closure.Closure;
import org.ghcdebug.protocol.target.GhcVersion;
import org.ghcdebug.protocol.target.ProfilingMode;
import org.ghcdebug.protocol.target.Target;

class FragmentationProperties {
  private static final Target TARGET = new Target(new GhcVersion(910, 3), ProfilingMode.VANILLA);

  @Property(tries = 300)
  void livingBytesAreThoseOfTheClosuresInEachKindOfBlocks(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 100) int closures) {
    try (NaiveHeap heap = NaiveHeap.random(TARGET, seed, closures)) {
      Fragmentation found = Fragmentation.of(heap.copy(), Work.UNATTENDED);

      List<BlockGroup> groups = heap.copy().image().groups();
      Map<BlockKind, Long> expected = new TreeMap<>();
      groups.forEach(group -> expected.put(BlockKind.of(group), 0L));
      long outside = 0;
      for (Closure closure : heap.closures()) {
        long bytes = 8 * closure.sizeWords();
        BlockKind kind =
            groups.stream()
                .filter(group -> contains(group, closure.address().address()))
                .findFirst()
                .map(BlockKind::of)
                .orElse(null);
        if (kind == null) {
          outside += bytes;
        } else {
          expected.merge(kind, bytes, Long::sum);
        }
      }
      assertEquals(
          expected,
          found.rows().stream()
              .collect(
                  Collectors.toMap(
                      Fragmentation.Row::kind,
                      Fragmentation.Row::liveBytes,
                      Long::sum,
                      TreeMap::new)));
      assertEquals(outside, found.staticBytes());
      assertEquals(heap.copy().tally().totalBytes(), found.liveBytes() + found.staticBytes());
      assertEquals(heap.copy().image().sizeBytes(), found.blockBytes());
      assertEquals(groups.size(), found.groups());
      assertEquals(
          groups.stream()
              .filter(
                  group ->
                      heap.closures().stream()
                          .noneMatch(closure -> contains(group, closure.address().address())))
              .mapToLong(BlockGroup::lengthBytes)
              .sum(),
          found.deadGroupBytes());
      assertTrue(found.unlistedBytes() >= 0);
      assertEquals(found.megablockBytes(), found.blockBytes() + found.unlistedBytes());
    }
  }

  private static boolean contains(BlockGroup group, long addr) {
    return addr >= group.startAddr() && addr < group.startAddr() + group.lengthBytes();
  }
}
