package org.ghcdebug.client.analysis.census;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.ghcdebug.client.testing.NaiveHeap;
import org.ghcdebug.protocol.target.GhcVersion;
import org.ghcdebug.protocol.target.ProfilingMode;
import org.ghcdebug.protocol.target.Target;

class CensusDiffProperties {
  private static final Target TARGET = new Target(new GhcVersion(906, 6), ProfilingMode.VANILLA);

  @Provide
  Arbitrary<CensusKey> keys() {
    return Arbitraries.of(CensusKey.class).filter(CensusKey::isOfInfo);
  }

  private static List<CensusResult.Row> census(long seed, CensusKey key) {
    try (NaiveHeap heap = NaiveHeap.random(TARGET, seed, 60)) {
      return Census.by(key, heap.heap(), heap.copy().tally()).rows();
    }
  }

  @Property(tries = 200)
  void nothingChangesBetweenACensusAndItself(@ForAll long seed, @ForAll("keys") CensusKey key) {
    List<CensusResult.Row> census = census(seed, key);

    assertEquals(List.of(), CensusDiff.of(census, census).rows());
    assertEquals(List.of(), CensusTrend.of(List.of(census, census, census)).rows());
  }

  @Property(tries = 200)
  void changesLeadFromOneCensusToTheOther(
      @ForAll long before, @ForAll long after, @ForAll("keys") CensusKey key) {
    List<CensusResult.Row> one = census(before, key);
    List<CensusResult.Row> other = census(after, key);
    CensusDiff diff = CensusDiff.of(one, other);

    Map<String, Long> bytes = bytes(one);
    diff.rows().forEach(row -> bytes.merge(row.key(), row.bytesDelta(), Long::sum));
    bytes.values().removeIf(value -> value == 0);
    assertEquals(bytes(other), bytes);
    assertEquals(
        total(other) - total(one),
        diff.rows().stream().mapToLong(CensusDiff.Row::bytesDelta).sum());
    assertEquals(
        diff.rows().stream().map(CensusDiff.Row::key).sorted().toList(),
        CensusDiff.of(other, one).rows().stream().map(CensusDiff.Row::key).sorted().toList());
    assertEquals(
        diff.rows().stream()
            .collect(Collectors.toMap(CensusDiff.Row::key, row -> row.bytesDelta())),
        CensusTrend.of(List.of(one, other)).rows().stream()
            .collect(Collectors.toMap(CensusTrend.Row::key, row -> row.bytesDelta())));
  }

  private static Map<String, Long> bytes(List<CensusResult.Row> census) {
    return census.stream()
        .collect(
            Collectors.toMap(
                CensusResult.Row::key, CensusResult.Row::bytes, Long::sum, TreeMap::new));
  }

  private static long total(List<CensusResult.Row> census) {
    return census.stream().mapToLong(CensusResult.Row::bytes).sum();
  }

  private static CensusResult.Row row(String key, long count) {
    return new CensusResult.Row(key, count, 10 * count, 10, List.of());
  }

  @Example
  void whatNeverShrinksComesFirstInATrend() {
    CensusTrend trend =
        CensusTrend.of(
            List.of(
                List.of(row("steady", 5), row("up", 1), row("wave", 1)),
                List.of(row("steady", 5), row("up", 2), row("wave", 100)),
                List.of(row("steady", 5), row("up", 2), row("wave", 50), row("new", 1))));

    assertEquals(
        List.of("new", "up", "wave"), trend.rows().stream().map(CensusTrend.Row::key).toList());
    assertTrue(trend.rows().get(1).isGrowing());
    assertFalse(trend.rows().get(2).isGrowing());
    assertEquals(3, trend.rows().get(0).points().size());
    assertEquals(0, trend.rows().get(0).points().getFirst().count());
  }
}
