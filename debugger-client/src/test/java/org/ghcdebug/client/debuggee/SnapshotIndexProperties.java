package org.ghcdebug.client.debuggee;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterTry;
import net.jqwik.api.lifecycle.BeforeTry;
import org.ghcdebug.client.analysis.dominator.Dominators;
import org.ghcdebug.client.index.HeapCopy;
import org.ghcdebug.client.index.HeapGraph;
import org.ghcdebug.client.index.HeapTally;
import org.ghcdebug.client.source.snapshot.SnapshotSource;
import org.ghcdebug.client.source.snapshot.SnapshotWriter;
import org.ghcdebug.client.testing.StubHeapSource;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.protocol.target.GhcVersion;
import org.ghcdebug.protocol.target.ProfilingMode;
import org.ghcdebug.protocol.target.Target;
import org.ghcdebug.stub.heap.BuiltHeap;
import org.ghcdebug.stub.heap.RandomHeap;
import org.jspecify.annotations.Nullable;

class SnapshotIndexProperties {
  private Path folder = Path.of("");
  private Path snapshot = Path.of("");
  private Path index = Path.of("");

  @BeforeTry
  void makeFolder() throws IOException {
    folder = Files.createTempDirectory("ghc-debug-index");
    snapshot = folder.resolve("heap");
    index = folder.resolve("heap.index");
  }

  @AfterTry
  void removeFolder() throws IOException {
    for (Path file : List.of(snapshot, index)) {
      Files.deleteIfExists(file);
    }
    Files.delete(folder); // and nothing else was left in it
  }

  @Provide
  Arbitrary<BuiltHeap> heaps() {
    return Combinators.combine(
            Arbitraries.of(902, 906, 910, 914),
            Arbitraries.of(ProfilingMode.class),
            Arbitraries.longs(),
            Arbitraries.integers().between(1, 200))
        .as(
            (series, profiling, seed, closures) ->
                RandomHeap.of(new Target(new GhcVersion(series, 3), profiling), seed, closures));
  }

  /** What was computed of a snapshot, as text. */
  private record Computed(String tally, String graph, String tree) {
    static Computed of(HeapTally tally, HeapGraph graph, Dominators dominators) {
      return new Computed(describe(tally), describe(graph), describe(dominators));
    }
  }

  private static String describe(HeapTally tally) {
    return tally.entries() + " " + tally.missing();
  }

  private static String describe(HeapGraph graph) {
    List<Object> facts = new ArrayList<>();
    for (int id = 0; id < graph.size(); id++) {
      assertEquals(id, graph.id(graph.address(id)));
      facts.addAll(
          List.of(graph.address(id), graph.sizeBytes(id), graph.infoId(id), graph.infoOf(id)));
      facts.add(graph.isOutsideBlocks(id));
      for (int edge = graph.firstSuccessor(id); edge < graph.firstSuccessor(id + 1); edge++) {
        facts.add(graph.successor(edge) + (graph.isEphemeron(edge) ? " weakly" : ""));
      }
      for (int edge = graph.firstPredecessor(id); edge < graph.firstPredecessor(id + 1); edge++) {
        facts.add(graph.predecessor(edge) + (graph.isFromEphemeron(edge) ? " weakly" : ""));
      }
    }
    facts.addAll(List.of(graph.roots(), graph.missing(), graph.totalBytes(), graph.infoCount()));
    return facts.toString();
  }

  private static String describe(Dominators dominators) {
    List<Long> facts = new ArrayList<>();
    for (int id = 0; id < dominators.graph().size(); id++) {
      facts.add((long) dominators.dominator(id));
      facts.add(dominators.retainedBytes(id));
    }
    return facts + " " + Arrays.toString(dominators.topDown());
  }

  /** Writes a snapshot and, when wanted, its index. */
  private Computed record(BuiltHeap heap, boolean withTree) {
    try (HeapCopy copy = HeapCopy.take(new StubHeapSource(heap), Work.UNATTENDED)) {
      SnapshotWriter.write(copy, snapshot, Map.of("program", "test"), Work.UNATTENDED);
    }
    try (SnapshotSource source = SnapshotSource.open(snapshot);
        HeapCopy copy = HeapCopy.take(source, Work.UNATTENDED)) {
      HeapGraph graph = copy.graph(Work.UNATTENDED);
      Dominators dominators = Dominators.of(graph, Work.UNATTENDED);
      SnapshotIndex.of(source, 0).save(copy.tally(), graph, withTree ? dominators : null);
      return Computed.of(copy.tally(), graph, dominators);
    }
  }

  /** What the index says; null for what it does not. */
  private List<@Nullable String> read() {
    try (SnapshotSource source = SnapshotSource.open(snapshot)) {
      SnapshotIndex opened = SnapshotIndex.of(source, 0);
      HeapTally tally = opened.findTally();
      HeapGraph graph = opened.findGraph(Work.UNATTENDED);
      Dominators tree = graph == null ? null : opened.findDominators(graph, Work.UNATTENDED);
      return Arrays.asList(
          tally == null ? null : describe(tally),
          graph == null ? null : describe(graph),
          tree == null ? null : describe(tree));
    }
  }

  @Property(tries = 100)
  void whatIsReadFromTheIndexIsWhatWasComputed(
      @ForAll("heaps") BuiltHeap heap, @ForAll boolean withTree) {
    Computed computed = record(heap, withTree);

    assertEquals(
        Arrays.asList(computed.tally(), computed.graph(), withTree ? computed.tree() : null),
        read());
  }

  @Property(tries = 15)
  void anIndexThatIsDamagedAnywhereSaysNothingElse(
      @ForAll("heaps") BuiltHeap heap, @ForAll long seed) throws IOException {
    Computed computed = record(heap, true);
    byte[] whole = Files.readAllBytes(index);
    List<String> right = List.of(computed.tally(), computed.graph(), computed.tree());
    Random random = new Random(seed);
    for (int i = 0; i < 40; i++) {
      byte[] damaged = whole.clone();
      int at = random.nextInt(whole.length);
      damaged[at] ^= (byte) (1 << random.nextInt(8));
      Files.write(index, random.nextInt(4) == 0 ? Arrays.copyOf(damaged, at) : damaged);
      List<@Nullable String> read = read();

      assertTrue(read.contains(null), "a change of byte " + at + " was not noticed");
      for (int fact = 0; fact < right.size(); fact++) {
        assertTrue(read.get(fact) == null || right.get(fact).equals(read.get(fact)));
      }
    }
  }

  @Property(tries = 30)
  void anIndexOfAnotherSnapshotSaysNothing(
      @ForAll("heaps") BuiltHeap heap, @ForAll("heaps") BuiltHeap other) throws IOException {
    record(heap, true);
    byte[] stale = Files.readAllBytes(index);
    Files.delete(index);
    Computed computed = record(other, true);
    boolean isSame = Arrays.equals(stale, Files.readAllBytes(index));
    Files.write(index, stale);

    assertEquals(isSame ? computed.tally() : null, read().getFirst());
  }

  @Property(tries = 20)
  void aSnapshotThatIsCutOffHasNoIndex(@ForAll("heaps") BuiltHeap heap) throws IOException {
    record(heap, true);
    byte[] whole = Files.readAllBytes(snapshot);
    Files.write(snapshot, Arrays.copyOf(whole, whole.length - 1));

    assertEquals(Arrays.asList(null, null, null), read());
  }

  @Example
  void aTallyAloneIsKeptUntilThereIsMore() throws IOException {
    record(RandomHeap.of(new Target(new GhcVersion(910, 3), ProfilingMode.VANILLA), 1, 50), false);
    Files.delete(index);
    try (SnapshotSource source = SnapshotSource.open(snapshot);
        HeapCopy copy = HeapCopy.take(source, Work.UNATTENDED)) {
      SnapshotIndex.of(source, 0).save(copy.tally(), null, null);
      assertEquals(Arrays.asList(describe(copy.tally()), null, null), read());
      SnapshotIndex.of(source, 0).save(copy.tally(), copy.graph(Work.UNATTENDED), null);
      assertNotNull(read().get(1));
    }
  }

  @Example
  void aTreeIsAddedWhenItIsComputedLater() {
    BuiltHeap heap =
        RandomHeap.of(new Target(new GhcVersion(910, 3), ProfilingMode.VANILLA), 1, 50);
    record(heap, false);
    assertNull(read().getLast());
    record(heap, true);
    assertNotNull(read().getLast());
    record(heap, false);
    assertNotNull(read().getLast()); // and not lost again
  }

  @Example
  void aSmallHeapGetsNoFile() {
    BuiltHeap heap =
        RandomHeap.of(new Target(new GhcVersion(910, 3), ProfilingMode.VANILLA), 1, 50);
    try (HeapCopy copy = HeapCopy.take(new StubHeapSource(heap), Work.UNATTENDED)) {
      SnapshotWriter.write(copy, snapshot, Map.of(), Work.UNATTENDED);
    }
    try (SnapshotSource source = SnapshotSource.open(snapshot);
        HeapView view = new HeapView(source, Instant.EPOCH)) {
      assertTrue(view.graph(Work.UNATTENDED).size() > 0);
    }
    assertFalse(Files.exists(index));
  }

  @Example
  void whereNothingCanBeWrittenNothingIsSaid() throws IOException {
    BuiltHeap heap =
        RandomHeap.of(new Target(new GhcVersion(910, 3), ProfilingMode.VANILLA), 1, 50);
    Files.createDirectory(index);
    record(heap, true);

    assertTrue(Files.isDirectory(index));
    assertEquals(Arrays.asList(null, null, null), read());
  }
}
