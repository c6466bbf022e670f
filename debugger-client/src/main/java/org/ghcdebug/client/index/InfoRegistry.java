package org.ghcdebug.client.index;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.ghcdebug.client.collections.LongIntMap;
import org.ghcdebug.protocol.closure.InfoTable;
import org.ghcdebug.protocol.decode.ClosureShape;
import org.ghcdebug.protocol.layout.ClosureLayout;
import org.ghcdebug.protocol.target.AddressList;
import org.jspecify.annotations.Nullable;

/**
 * The info tables met so far, each with a dense id, its shape in flat arrays for the marking loop,
 * and the running count of its closures.
 */
final class InfoRegistry {
  private final ClosureLayout layout;
  private final LongIntMap ids = new LongIntMap(); // info address -> id
  private final List<@Nullable InfoTable> tables = new ArrayList<>(); // id -> table, null if none

  // Info id -> what ClosureShape says.
  int[] fixedSizeWords = new int[256];
  int[] firstPointerIndex = new int[256];
  int[] pointerCount = new int[256];
  long[] srtAddr = new long[256];
  boolean[] hasUnvisitedSrt = new boolean[256];
  boolean[] needsWalker = new boolean[256];

  /** Its closures counted so far. */
  final InfoCounts counts = new InfoCounts();

  InfoRegistry(ClosureLayout layout) {
    this.layout = layout;
  }

  /** {@link LongIntMap#MISSING} when the table has not been fetched. */
  int id(long infoAddr) {
    return infoAddr == 0 ? LongIntMap.MISSING : ids.get(infoAddr);
  }

  /** Ids run from 0 up to here. */
  int size() {
    return tables.size();
  }

  /** {@code null} when the source has no such table. */
  @Nullable InfoTable table(int id) {
    return tables.get(id);
  }

  /** {@code null} when the table has not been fetched, or the source has no such table. */
  @Nullable InfoTable find(long infoAddr) {
    int id = id(infoAddr);
    return id == LongIntMap.MISSING ? null : tables.get(id);
  }

  /** The info pointers whose tables are known. */
  AddressList known() {
    return AddressList.of(
        tables.stream()
            .filter(table -> table != null)
            .mapToLong(table -> table.address().address())
            .toArray());
  }

  void register(long infoAddr, @Nullable InfoTable table) {
    int id = tables.size();
    ids.put(infoAddr, id);
    tables.add(table);
    counts.reserve(tables.size());
    if (id == fixedSizeWords.length) {
      grow();
    }
    if (table != null) {
      ClosureShape shape = ClosureShape.of(layout, table);
      fixedSizeWords[id] = shape.fixedSizeWords();
      firstPointerIndex[id] = shape.firstPointerIndex();
      pointerCount[id] = shape.pointerCount();
      srtAddr[id] = shape.srtAddr();
      hasUnvisitedSrt[id] = shape.srtAddr() != 0;
      needsWalker[id] = shape.needsWalker();
    }
  }

  private void grow() {
    int capacity = 2 * fixedSizeWords.length;
    fixedSizeWords = Arrays.copyOf(fixedSizeWords, capacity);
    firstPointerIndex = Arrays.copyOf(firstPointerIndex, capacity);
    pointerCount = Arrays.copyOf(pointerCount, capacity);
    srtAddr = Arrays.copyOf(srtAddr, capacity);
    hasUnvisitedSrt = Arrays.copyOf(hasUnvisitedSrt, capacity);
    needsWalker = Arrays.copyOf(needsWalker, capacity);
  }
}
