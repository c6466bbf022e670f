package org.ghcdebug.client.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.ghcdebug.client.analysis.dominator.Dominators;
import org.ghcdebug.client.source.snapshot.SnapshotSource;
import org.ghcdebug.client.source.snapshot.SnapshotWriter;
import org.ghcdebug.client.testing.StubHeapSource;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.protocol.closure.InfoTable;
import org.ghcdebug.protocol.decode.Layouts;
import org.ghcdebug.protocol.target.AddressList;
import org.ghcdebug.protocol.target.GhcVersion;
import org.ghcdebug.protocol.target.ProfilingMode;
import org.ghcdebug.protocol.target.Target;
import org.ghcdebug.stub.heap.BuiltHeap;
import org.ghcdebug.stub.heap.RandomHeap;

class RedactedHeapProperties {
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

  /** What does not depend on contents. */
  private static String structure(HeapCopy copy) {
    HeapGraph graph = copy.graph(Work.UNATTENDED);
    Dominators dominators = Dominators.of(graph, Work.UNATTENDED);
    List<Object> facts = new ArrayList<>();
    for (int id = 0; id < graph.size(); id++) {
      facts.addAll(
          List.of(
              graph.address(id),
              graph.sizeBytes(id),
              graph.infoOf(id),
              Arrays.toString(graph.successorsOf(id)),
              Arrays.toString(graph.predecessorsOf(id)),
              dominators.dominator(id),
              dominators.retainedBytes(id)));
    }
    facts.addAll(List.of(graph.roots(), graph.missing(), copy.image().groups()));
    facts.addAll(List.of(copy.savedObjectNames(), copy.tally().totalBytes()));
    return facts.toString();
  }

  /** Static constructors without pointers, all but the first of an info table, to the first. */
  private static Map<Long, Long> standIns(HeapGraph graph) {
    Map<InfoTable, Long> first = new HashMap<>();
    Map<Long, Long> standIns = new HashMap<>();
    IntStream.range(0, graph.size())
        .filter(graph::isOutsideBlocks)
        .mapToLong(graph::address)
        .sorted()
        .forEach(
            addr -> {
              InfoTable info = graph.infoOf(graph.id(addr));
              if (info.hasConstructorName() && info.pointers() == 0 && info.nonPointers() > 0) {
                long before = first.computeIfAbsent(info, _ -> addr);
                if (before != addr) {
                  standIns.put(addr, before);
                }
              }
            });
    return standIns;
  }

  /** Address and size to the addresses referred to, with what stands for them. */
  private static Map<Long, List<Long>> references(HeapCopy copy, Map<Long, Long> standIns) {
    HeapGraph graph = copy.graph(Work.UNATTENDED);
    Map<Long, List<Long>> references = new TreeMap<>();
    for (int id = 0; id < graph.size(); id++) {
      if (!standIns.containsKey(graph.address(id))) {
        List<Long> facts = new ArrayList<>(List.of(graph.sizeBytes(id)));
        for (int edge = graph.firstSuccessor(id); edge < graph.firstSuccessor(id + 1); edge++) {
          long addr = graph.address(graph.successor(edge));
          facts.add(standIns.getOrDefault(addr, addr));
        }
        references.put(graph.address(id), facts);
      }
    }
    return references;
  }

  /** Words that are contents without doubt: behind the pointers, and in arrays of words. */
  private static List<Long> contents(HeapCopy copy) {
    HeapGraph graph = copy.graph(Work.UNATTENDED);
    int header = Layouts.of(copy.target()).headerWords();
    List<Long> contents = new ArrayList<>();
    for (int id = 0; id < graph.size(); id++) {
      InfoTable info = graph.infoOf(id);
      long[] words = copy.closures(AddressList.of(graph.address(id))).getFirst();
      int first =
          switch (info.type()) {
            case ARR_WORDS -> header + 1;
            case CONSTR,
                CONSTR_0_1,
                CONSTR_0_2,
                CONSTR_1_1,
                CONSTR_NOCAF,
                FUN,
                FUN_0_1,
                FUN_0_2,
                FUN_1_1,
                MUT_PRIM,
                PRIM ->
                header + info.pointers();
            case THUNK, THUNK_0_1, THUNK_0_2, THUNK_1_1 -> header + 1 + info.pointers();
            default -> Integer.MAX_VALUE;
          };
      for (int i = first; words != null && i < words.length; i++) {
        contents.add(words[i]);
      }
    }
    return contents;
  }

  @Property(tries = 200)
  void theStructureStaysAndContentsGo(@ForAll("heaps") BuiltHeap heap) throws IOException {
    Path file = Files.createTempFile("ghc-debug", ".redacted");
    try (HeapCopy copy = HeapCopy.take(new StubHeapSource(heap), Work.UNATTENDED)) {
      SnapshotWriter.write(copy.redacted(Work.UNATTENDED), file, Map.of(), Work.UNATTENDED);
      try (SnapshotSource source = SnapshotSource.open(file);
          HeapCopy redacted = HeapCopy.take(source, Work.UNATTENDED)) {
        Map<Long, Long> standIns = standIns(copy.graph(Work.UNATTENDED));
        assertEquals(references(copy, standIns), references(redacted, Map.of()));
        if (standIns.isEmpty()) {
          assertEquals(structure(copy), structure(redacted));
          assertEquals(contents(copy).size(), contents(redacted).size());
        }
        assertEquals(
            Long.toString(redacted.tally().totalCount()),
            source.summary().get("reachable.closures"));
        assertEquals(
            Long.toString(redacted.tally().totalBytes()), source.summary().get("reachable.bytes"));
        assertTrue(contents(redacted).stream().allMatch(word -> word == 0));
        assertEquals(copy.image().sizeBytes(), redacted.image().sizeBytes());
      }
    } finally {
      Files.deleteIfExists(file);
    }
  }
}
