package org.ghcdebug.client.analysis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.Consumer;
import org.ghcdebug.client.analysis.dominator.Dominators;
import org.ghcdebug.client.analysis.dominator.Suspects;
import org.ghcdebug.client.analysis.string.Duplicates;
import org.ghcdebug.client.heap.Heap;
import org.ghcdebug.client.index.ClosureSelection;
import org.ghcdebug.client.index.HeapCopy;
import org.ghcdebug.client.index.HeapGraph;
import org.ghcdebug.client.index.ShortestPaths;
import org.ghcdebug.client.testing.BigHeapSource;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.protocol.error.CanceledException;
import org.junit.jupiter.api.Test;

/** Every phase asks often whether to go on, and tells how far it is. */
class CancellationTest {
  private static final long CLOSURES = 1_000_000;

  /** The most closures between two questions, of a phase that takes several steps per closure. */
  private static final long LEAST_QUESTIONS = CLOSURES / (1 << 17);

  /** Counts the questions, and says stop at one of them. */
  private static final class Impatient implements Work {
    private final long stopAt;
    private long questions;
    private final List<Long> done = new ArrayList<>();

    Impatient(long stopAt) {
      this.stopAt = stopAt;
    }

    @Override
    public void progress(String phase, long soFar, long total) {
      assertTrue(total < 0 || soFar <= total, () -> phase + ": " + soFar + " of " + total);
      done.add(soFar);
    }

    @Override
    public void checkStopped() {
      if (++questions == stopAt) {
        throw new CanceledException("the test");
      }
    }
  }

  private static void assertStopsAnywhere(Consumer<Work> phase) {
    var patient = new Impatient(Long.MAX_VALUE);
    phase.accept(patient);
    assertTrue(patient.questions >= LEAST_QUESTIONS, () -> patient.questions + " questions");
    assertEquals(patient.done.stream().sorted().toList(), patient.done);
    for (long stopAt : new long[] {1, patient.questions / 2, patient.questions}) {
      var impatient = new Impatient(stopAt);
      assertThrows(CanceledException.class, () -> phase.accept(impatient));
      assertEquals(stopAt, impatient.questions);
    }
  }

  @Test
  void everyPhaseCanBeStopped() {
    try (HeapCopy copy = HeapCopy.take(new BigHeapSource(CLOSURES, false), Work.UNATTENDED)) {
      assertStopsAnywhere(work -> copy.reachableFrom(copy.roots(), work));
      assertStopsAnywhere(copy::graph);
      HeapGraph graph = copy.graph(Work.UNATTENDED);
      assertStopsAnywhere(work -> Dominators.of(graph, work));
      var all = new BitSet();
      all.set(0, graph.size());
      assertStopsAnywhere(
          work -> ShortestPaths.fromRoots(graph, ShortestPaths.Search.to(all), work));
      Dominators dominators = Dominators.of(graph, Work.UNATTENDED);
      assertThrows(
          CanceledException.class,
          () -> Suspects.of(dominators, infoId -> infoId, new Impatient(1)));
    }
  }

  @Test
  void findingEqualValuesCanBeStopped() {
    try (HeapCopy copy = HeapCopy.take(new BigHeapSource(CLOSURES, false), Work.UNATTENDED)) {
      HeapGraph graph = copy.graph(Work.UNATTENDED);
      Consumer<Work> find =
          work -> Duplicates.of(new Heap(copy), copy, graph, ClosureSelection.ALL, work);
      var patient = new Impatient(Long.MAX_VALUE);
      find.accept(patient);

      assertTrue(patient.questions >= 2 * LEAST_QUESTIONS, () -> patient.questions + " questions");
      for (long stopAt = 1; stopAt < patient.questions; stopAt += patient.questions / 8) {
        var impatient = new Impatient(stopAt);
        assertThrows(CanceledException.class, () -> find.accept(impatient));
      }
    }
  }

  @Test
  void readingBlocksCanBeStopped() {
    assertThrows(
        CanceledException.class,
        () -> HeapCopy.take(new BigHeapSource(CLOSURES, false), new Impatient(100)));
  }
}
