package org.ghcdebug.client.debuggee;

import java.io.IOException;
import java.nio.file.Path;
import org.ghcdebug.client.analysis.dominator.Dominators;
import org.ghcdebug.client.index.HeapGraph;
import org.ghcdebug.client.index.HeapTally;
import org.ghcdebug.client.index.SavedIndex;
import org.ghcdebug.client.source.snapshot.SnapshotSource;
import org.ghcdebug.client.work.Work;
import org.jspecify.annotations.Nullable;

/**
 * The index that stands beside a snapshot, in {@code FILE.index}: read where there is one that is
 * good, written where there is none and the heap is large enough for that to be worth a file.
 */
final class SnapshotIndex {
  /** Of fewer closures an index is built in less time than anyone notices. */
  static final int LEAST_CLOSURES = 500_000;

  private final SnapshotSource snapshot;
  private final Path file;
  private final int leastClosures;
  private final @Nullable SavedIndex saved;

  private SnapshotIndex(SnapshotSource snapshot, Path file, int leastClosures) {
    this.snapshot = snapshot;
    this.file = file;
    this.leastClosures = leastClosures;
    this.saved =
        snapshot.isIntact()
            ? SavedIndex.find(file, snapshot.file().identity(), snapshot.blockGroups())
            : null;
  }

  static SnapshotIndex of(SnapshotSource snapshot, int leastClosures) {
    Path path = Path.of(snapshot.description());
    return new SnapshotIndex(
        snapshot, path.resolveSibling(path.getFileName() + ".index"), leastClosures);
  }

  @Nullable HeapTally findTally() {
    return saved == null ? null : saved.findTally();
  }

  @Nullable HeapGraph findGraph(Work work) {
    return saved == null ? null : saved.findGraph(work);
  }

  @Nullable Dominators findDominators(HeapGraph graph, Work work) {
    SavedIndex.Tree tree = saved == null ? null : saved.findTree(work);
    return tree == null ? null : Dominators.of(graph, tree, work);
  }

  /**
   * Writes what was computed, unless the file has it or would not be worth it. That it cannot be
   * written costs the next one time, and nothing else.
   */
  void save(HeapTally tally, @Nullable HeapGraph graph, @Nullable Dominators dominators) {
    boolean isKept =
        saved != null
            && (graph == null || saved.hasGraph())
            && (dominators == null || saved.hasTree());
    if (isKept || tally.totalCount() < leastClosures || !snapshot.isIntact()) {
      return;
    }
    try {
      SavedIndex.write(
          file,
          snapshot.file().identity(),
          tally,
          graph,
          dominators == null ? null : dominators.tree());
    } catch (IOException notKept) {
      // A folder that is not ours to write in, or a full disk.
    }
  }
}
