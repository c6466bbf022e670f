package org.ghcdebug.client.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.ghcdebug.client.heap.Heap;
import org.ghcdebug.client.index.HeapCopy;
import org.ghcdebug.client.index.HeapTally;
import org.ghcdebug.client.source.HeapSource;
import org.ghcdebug.protocol.closure.InfoTable;
import org.ghcdebug.protocol.target.AddressList;

/**
 * What can be said about a heap, to be compared with what another source says about it: every
 * reachable closure with its words and references, names, source locations, totals.
 */
public record HeapFacts(
    AddressList roots,
    AddressList savedObjects,
    Map<Long, String> closures,
    Map<Long, String> code,
    Map<Long, Long> counts,
    Map<Long, Long> bytes,
    HeapTally.Missing missing) {
  /** Reads all of it; for small heaps. */
  public static HeapFacts of(HeapCopy copy) {
    return of(copy, copy);
  }

  /**
   * The same, of closures, references and code as {@code source} gives them.
   *
   * @param copy of the same heap
   */
  public static HeapFacts of(HeapSource source, HeapCopy copy) {
    Heap heap = new Heap(source);
    Map<Long, String> closures = new TreeMap<>();
    copy.eachReachable(
        addr -> closures.put(addr, heap.closure(addr) + " " + heap.references(heap.closure(addr))));
    Map<Long, String> code = new TreeMap<>();
    AddressList infoAddrs = copy.infoAddrs();
    for (InfoTable table : source.infoTables(infoAddrs)) {
      if (table != null) {
        AddressList one = AddressList.of(table.address().address());
        List<Object> facts = new ArrayList<>();
        facts.add(table);
        facts.add(source.srts(one));
        facts.add(source.sourceInfos(one));
        if (table.hasConstructorName()) {
          facts.add(source.constructorNames(one));
        }
        code.put(one.get(0), facts.toString());
      }
    }
    Map<Long, Long> counts = new TreeMap<>();
    Map<Long, Long> bytes = new TreeMap<>();
    for (HeapTally.Entry entry : copy.tally().entries()) {
      counts.put(entry.info().address().address(), entry.count());
      bytes.put(entry.info().address().address(), entry.bytes());
    }
    return new HeapFacts(
        AddressList.of(
            LongStream.concat(
                    Arrays.stream(source.roots().toArray()),
                    Arrays.stream(copy.weakPointers().toArray()))
                .sorted()
                .distinct()
                .toArray()),
        source.savedObjects(),
        closures,
        code,
        counts,
        bytes,
        copy.tally().missing());
  }

  /**
   * The same without what byte arrays contain: foreign calls of a paused program go on, and write
   * into them (the event manager waits for events with an array of them).
   */
  public HeapFacts withoutBytes() {
    Map<Long, String> cut = new TreeMap<>(closures);
    cut.replaceAll(
        (_, closure) ->
            closure.startsWith("ArrWords")
                ? closure.substring(0, closure.indexOf("data="))
                : closure);
    return new HeapFacts(roots, savedObjects, cut, code, counts, bytes, missing);
  }

  /** Fails with the facts that differ, unless these are the same. */
  public void assertSame(HeapFacts actual) {
    assertEquals(Map.of(), differences(closures, actual.closures));
    assertEquals(Map.of(), differences(code, actual.code));
    assertEquals(Map.of(), differences(counts, actual.counts));
    assertEquals(this, actual);
  }

  private static <V> Map<String, String> differences(Map<Long, V> expected, Map<Long, V> actual) {
    Map<String, String> differences = new TreeMap<>();
    Set<Long> addresses = new TreeSet<>(expected.keySet());
    addresses.addAll(actual.keySet());
    for (long address : addresses) {
      V one = expected.get(address);
      V other = actual.get(address);
      if (!Objects.equals(one, other)) {
        differences.put("0x%016x".formatted(address), one + " became " + other);
      }
    }
    return differences;
  }
}
