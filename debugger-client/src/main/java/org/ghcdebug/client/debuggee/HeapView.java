package org.ghcdebug.client.debuggee;

import java.time.Instant;
import java.util.function.UnaryOperator;
import org.ghcdebug.client.analysis.census.Census;
import org.ghcdebug.client.analysis.census.CensusKey;
import org.ghcdebug.client.analysis.census.CensusResult;
import org.ghcdebug.client.analysis.dominator.Dominators;
import org.ghcdebug.client.heap.Heap;
import org.ghcdebug.client.index.ClosureSelection;
import org.ghcdebug.client.index.HeapCopy;
import org.ghcdebug.client.index.HeapGraph;
import org.ghcdebug.client.index.HeapTally;
import org.ghcdebug.client.query.Field;
import org.ghcdebug.client.query.Filter;
import org.ghcdebug.client.query.FilterException;
import org.ghcdebug.client.source.HeapSource;
import org.ghcdebug.client.source.PrefetchCache;
import org.ghcdebug.client.source.Recorded;
import org.ghcdebug.client.source.snapshot.SnapshotSource;
import org.ghcdebug.client.work.Work;
import org.jspecify.annotations.Nullable;

/** One state of the heap; addresses are valid as long as it is the debuggee's current view. */
public final class HeapView implements AutoCloseable {
  private final HeapSource source;
  private final Heap heap;
  private final Instant takenAt;
  private @Nullable SnapshotIndex index; // null once closed, and of other sources
  private @Nullable HeapCopy copy;
  private @Nullable HeapTally tally;
  private @Nullable HeapGraph graph;
  private @Nullable Dominators dominators;

  HeapView(HeapSource source, Instant takenAt) {
    this.source = source;
    this.heap = new Heap(PrefetchCache.over(source));
    this.takenAt = takenAt;
    this.copy = source instanceof HeapCopy taken ? taken : null;
    this.index =
        source instanceof SnapshotSource snapshot
            ? SnapshotIndex.of(snapshot, SnapshotIndex.LEAST_CLOSURES)
            : null;
  }

  /** Closures, names and references, decoded when asked for. */
  public Heap heap() {
    return heap;
  }

  /**
   * What is reachable from the roots, counted. Free when the view is a copy, and of a snapshot with
   * an index; otherwise the first call reads the whole heap.
   */
  public HeapTally tally(Work work) {
    if (tally == null && copy == null && index != null) {
      tally = index.findTally();
    }
    return tally == null ? copy(work).tally() : tally;
  }

  /**
   * The reachable closures that are wanted, counted. Costs what {@link #tally(Work)} costs where
   * the selection decides by info table alone, else what {@link HeapCopy#tally} costs.
   */
  public HeapTally tally(ClosureSelection selection, Work work) {
    HeapTally all = tally(work);
    return all.findPart(selection).orElseGet(() -> copy(work).tally(selection, work));
  }

  /**
   * Counts the closures wanted by any key. Costs what {@link #tally(ClosureSelection, Work)} costs
   * where info tables tell the key, else O(closures).
   *
   * @throws IllegalArgumentException when the heap does not tell the key
   */
  public CensusResult census(CensusKey key, ClosureSelection selection, Work work) {
    return key.isOfInfo()
        ? Census.by(key, heap, tally(selection, work))
        : Census.of(key, heap, copy(work), selection, work);
  }

  /**
   * The whole heap in memory. Costs what {@link #tally} costs; ends with the view, and is not the
   * caller's to close.
   */
  public HeapCopy copy(Work work) {
    return copy(work, UnaryOperator.identity());
  }

  /**
   * The whole heap in memory.
   *
   * @param through decorates the source, if it has to be read
   */
  HeapCopy copy(Work work, UnaryOperator<HeapSource> through) {
    if (copy == null) {
      copy = HeapCopy.take(through.apply(source), work);
    }
    return copy;
  }

  /**
   * The whole heap as a graph of dense ids, built by the first call and kept until the view ends.
   */
  public HeapGraph graph(Work work) {
    if (graph == null && copy == null && index != null) {
      graph = index.findGraph(work);
    }
    if (graph == null) {
      graph = copy(work).graph(work);
    }
    return graph;
  }

  /**
   * How much each closure of the graph keeps alive, computed by the first call and kept until the
   * view ends.
   */
  public Dominators retainedSizes(Work work) {
    if (dominators == null && index != null) {
      dominators = index.findDominators(graph(work), work);
    }
    if (dominators == null) {
      dominators = Dominators.of(graph(work), work);
    }
    return dominators;
  }

  /**
   * The closures that a filter wants. Costs the graph, and retained sizes, when it compares them.
   *
   * @throws FilterException when it compares what is not known of them
   */
  public ClosureSelection select(Filter filter, Work work) {
    if (isRedacted() && filter.fields().contains(Field.TEXT)) {
      throw FilterException.unanswerable("text: the snapshot is redacted, contents are zeros");
    }
    return filter.on(heap, ViewFacts.of(this, filter.fields(), work));
  }

  /**
   * Whether contents (text, numbers, bytes) were taken out of it, see {@link SnapshotFile#redact}:
   * they are zeros, and say nothing. No I/O.
   */
  public boolean isRedacted() {
    return source instanceof Recorded recorded
        && recorded.metadata().containsKey(SnapshotFile.REDACTED);
  }

  /** When the heap was in this state. */
  public Instant takenAt() {
    return takenAt;
  }

  /**
   * Ends the heap and frees the copy, if there is one. What was computed of a large snapshot is
   * kept in a file beside it. Idempotent.
   */
  @Override
  public void close() {
    heap.end();
    if (index != null && (tally != null || copy != null || graph != null)) {
      index.save(tally(Work.UNATTENDED), graph, dominators);
    }
    index = null;
    graph = null;
    dominators = null;
    if (copy != null) {
      copy.close();
    }
  }
}
