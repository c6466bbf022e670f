package org.ghcdebug.repl.command.verb;

import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.IntUnaryOperator;
import org.ghcdebug.client.index.HeapGraph;
import org.ghcdebug.protocol.closure.InfoTable;
import org.ghcdebug.repl.render.Column;

/** Closures of one kind, among those that one closure retains. */
record RetainedPart(String key, long count, long bytes) {
  static final List<Column<RetainedPart>> COLUMNS =
      List.of(
          new Column.Text<>("key", RetainedPart::key),
          new Column.Count<>("count", RetainedPart::count),
          new Column.Bytes<>("bytes", RetainedPart::bytes));

  /** What closures of one part have in common. */
  private record Group(String key, int kind) {}

  /**
   * The parts of a set of closures, most bytes first. O(closures).
   *
   * @param key what to call closures
   * @param kindOfInfo a number for each info id, different where closures are in different parts
   *     although they are called the same
   */
  static List<RetainedPart> of(
      HeapGraph graph,
      BitSet closures,
      Function<InfoTable, String> key,
      IntUnaryOperator kindOfInfo) {
    long[] counts = new long[graph.infoCount()];
    long[] bytes = new long[graph.infoCount()];
    for (int id = closures.nextSetBit(0); id >= 0; id = closures.nextSetBit(id + 1)) {
      counts[graph.infoId(id)]++;
      bytes[graph.infoId(id)] += graph.sizeBytes(id);
    }
    Map<Group, RetainedPart> parts = new HashMap<>();
    for (int infoId = 0; infoId < counts.length; infoId++) {
      if (counts[infoId] > 0) {
        var part = new RetainedPart(key.apply(graph.info(infoId)), counts[infoId], bytes[infoId]);
        parts.merge(new Group(part.key(), kindOfInfo.applyAsInt(infoId)), part, RetainedPart::plus);
      }
    }
    return parts.values().stream()
        .sorted(
            Comparator.comparingLong(RetainedPart::bytes)
                .reversed()
                .thenComparing(RetainedPart::key)
                .thenComparing(RetainedPart::count))
        .toList();
  }

  private RetainedPart plus(RetainedPart other) {
    return new RetainedPart(key, count + other.count, bytes + other.bytes);
  }
}
