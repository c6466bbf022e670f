package org.ghcdebug.repl.command.verb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.ghcdebug.client.analysis.dominator.Dominators;
import org.ghcdebug.client.debuggee.HeapView;
import org.ghcdebug.client.index.HeapGraph;
import org.ghcdebug.protocol.closure.Closure;
import org.ghcdebug.protocol.closure.ClosureType;
import org.ghcdebug.repl.command.Session;
import org.ghcdebug.repl.render.JsonReader;
import org.ghcdebug.repl.testing.MemoryHost;
import org.ghcdebug.repl.testing.SmallHeap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What {@code --where} leaves, against all closures of the demo's heap, decoded one by one. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WhereTest {
  private final MemoryHost host = new MemoryHost();
  private final Session session = new Session(host, Verbs.REGISTRY);
  private final List<Closure> closures = new ArrayList<>(); // by id in the graph
  private HeapView view;
  private HeapGraph graph;
  private Dominators dominators;

  @BeforeAll
  void decode() {
    assertEquals(0, session.interpreter().runLine("attach demo"));
    view = session.view();
    graph = view.graph(session.work());
    dominators = view.retainedSizes(session.work());
    for (int id = 0; id < graph.size(); id++) {
      closures.add(view.heap().closure(graph.address(id)));
    }
  }

  @AfterAll
  void close() {
    session.close();
  }

  private Map<?, ?> answer(String line) {
    host.takeOut();
    assertEquals(0, session.interpreter().runLine(line + " --json"), host::takeErr);
    return (Map<?, ?>) JsonReader.readAll(host.takeOut(), line).getFirst();
  }

  private static List<Map<?, ?>> rows(Map<?, ?> answer) {
    return ((List<?>) answer.get("rows")).stream().<Map<?, ?>>map(row -> (Map<?, ?>) row).toList();
  }

  private static Object total(Map<?, ?> answer, String key) {
    return ((Map<?, ?>) answer.get("totals")).get(key);
  }

  private static long bytes(Closure closure) {
    return closure.sizeWords() * 8;
  }

  private int[] ids(Predicate<Closure> wanted) {
    return IntStream.range(0, closures.size())
        .filter(id -> wanted.test(closures.get(id)))
        .toArray();
  }

  private long bytes(int... ids) {
    return IntStream.of(ids).mapToLong(id -> bytes(closures.get(id))).sum();
  }

  private String address(int id) {
    return "0x%016x".formatted(graph.address(id));
  }

  private static boolean isThunk(Closure closure) {
    String type = closure.info().type().name();
    return type.startsWith("THUNK") || type.equals("AP") || type.equals("AP_STACK");
  }

  @Test
  void thunksAreCounted() {
    int[] some = ids(closure -> isThunk(closure) && closure.info().type() == ClosureType.THUNK_1_0);
    assertFalse(some.length == 0 || some.length == ids(WhereTest::isThunk).length);

    Map<?, ?> answer = answer("thunks --where 'type = THUNK_1_0'");

    Map<Object, Long> counts = new TreeMap<>();
    for (int id : some) {
      counts.merge(view.heap().displayName(closures.get(id).info()), 1L, Long::sum);
    }
    Map<Object, Object> found = new TreeMap<>();
    rows(answer).forEach(row -> found.put(row.get("key"), row.get("count")));
    assertEquals(counts, found);
    assertEquals((long) some.length, total(answer, "count"));
    assertEquals(bytes(some), total(answer, "bytes"));
  }

  @Test
  void mutablesAreListed() {
    int[] variables = ids(closure -> closure.info().type().name().startsWith("MVAR_"));
    assertFalse(variables.length == 0);

    Map<?, ?> answer = answer("mutables --where 'type = MVAR'");

    assertEquals(
        IntStream.of(variables).mapToObj(this::address).sorted().toList(),
        rows(answer).stream().map(row -> (String) row.get("address")).sorted().toList());
    assertEquals((long) variables.length, total(answer, "count"));
    assertEquals(bytes(variables), total(answer, "shallowBytes"));
  }

  @Test
  void dominatorsAreListedWithTheirOwnTotal() {
    int[] large =
        IntStream.of(ids(closure -> bytes(closure) > 100))
            .filter(id -> dominators.dominator(id) == Dominators.ROOT)
            .toArray();
    assertFalse(large.length == 0);

    Map<?, ?> answer = answer("dominators --where 'size > 100'");

    assertEquals(
        IntStream.of(large).mapToObj(this::address).sorted().toList(),
        rows(answer).stream().map(row -> (String) row.get("address")).sorted().toList());
    assertEquals(retainedTogether(large), total(answer, "retainedBytes"));
  }

  private long retainedTogether(int... ids) {
    var all = new BitSet();
    for (int id = 0; id < graph.size(); id++) {
      for (int above = id; above != Dominators.ROOT; above = dominators.dominator(above)) {
        int holder = above;
        if (IntStream.of(ids).anyMatch(wanted -> wanted == holder)) {
          all.set(id);
          break;
        }
      }
    }
    return bytes(all.stream().toArray());
  }

  @Test
  void groupsOfDominatorsHaveOnlySuchMembers() {
    int[] variables = ids(closure -> closure.info().type() == ClosureType.MUT_VAR_DIRTY);
    assertFalse(variables.length == 0);

    Map<?, ?> answer = answer("dominators --by module --where 'type = MUT_VAR_DIRTY'");

    assertEquals(1, rows(answer).size());
    Map<?, ?> row = rows(answer).getFirst();
    assertEquals((long) variables.length, row.get("count"));
    assertEquals(bytes(variables), row.get("shallowBytes"));
    assertEquals(retainedTogether(variables), row.get("retainedBytes"));
    assertEquals(row.get("retainedBytes"), total(answer, "retainedBytes"));
  }

  @Test
  void referencesFromSuchClosuresAreFolded() {
    int[] stacks = ids(closure -> closure.info().type() == ClosureType.STACK);
    long references =
        IntStream.of(stacks)
            .mapToLong(id -> graph.firstSuccessor(id + 1) - graph.firstSuccessor(id))
            .sum();
    assertFalse(references == 0);

    Map<?, ?> answer = answer("typegraph --where 'type = STACK'");

    assertEquals(references, total(answer, "references"));
    assertEquals(
        references, rows(answer).stream().mapToLong(row -> (Long) row.get("references")).sum());
    assertTrue(rows(answer).stream().allMatch(row -> row.get("from").equals("<STACK>")));
  }

  @Test
  void suspectsAreThoseThatBeginWithSuchClosures() {
    List<Map<?, ?>> all = rows(answer("suspects"));
    assertFalse(all.isEmpty());
    String type = (String) all.getFirst().get("type");

    assertEquals(
        all.stream().filter(row -> row.get("type").equals(type)).toList(),
        rows(answer("suspects --where 'type = %s'".formatted(type))));
    assertEquals(
        all.stream().filter(row -> !row.get("type").equals(type)).toList(),
        rows(answer("suspects --where 'type != %s'".formatted(type))));
  }

  @Test
  void aTreeKeepsTheWaysToSuchClosures() {
    assertEquals(0, session.interpreter().runLine("saved"));
    List<Map<?, ?>> all = rows(answer("tree $1 --depth 6"));
    List<Map<?, ?>> expected = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      long depth = (Long) all.get(i).get("depth");
      boolean leads = all.get(i).get("type").equals("ARR_WORDS");
      for (int j = i + 1; j < all.size() && (Long) all.get(j).get("depth") > depth; j++) {
        leads |= all.get(j).get("type").equals("ARR_WORDS");
      }
      if (leads) {
        expected.add(all.get(i));
      }
    }
    assertFalse(expected.isEmpty() || expected.size() == all.size());

    assertEquals(0, session.interpreter().runLine("saved"));
    assertEquals(expected, rows(answer("tree $1 --depth 6 --where 'type = ARR_WORDS'")));
  }

  @Test
  void aWayIsShownWithoutOtherClosures() {
    int array = ids(closure -> closure.info().type() == ClosureType.ARR_WORDS)[0];
    List<Map<?, ?>> way = rows(answer("path " + address(array)));
    assertTrue(way.size() > 1);

    assertEquals(
        way.stream().filter(row -> (Long) row.get("bytes") > 16).toList(),
        rows(answer("path %s --where 'size > 16'".formatted(address(array)))));
  }

  @Test
  void whatGrewAndWhatVanishedIsShown() {
    try (var before = new SmallHeap()) {
      Map<Object, Long> growth = new HashMap<>();
      rows(answer("typegraph")).forEach(row -> growth.put(ends(row), (Long) row.get("references")));
      try (var other = new Session(host, Verbs.REGISTRY)) {
        host.takeOut();
        assertEquals(0, other.interpreter().runLine("attach " + before.socket()));
        host.takeOut();
        assertEquals(0, other.interpreter().runLine("typegraph --json"));
        rows((Map<?, ?>) JsonReader.readAll(host.takeOut(), "typegraph").getFirst())
            .forEach(row -> growth.merge(ends(row), -(Long) row.get("references"), Long::sum));
      }

      List<Map<?, ?>> rows = rows(answer("typegraph --since " + before.socket()));

      Map<Object, Object> found = new HashMap<>();
      rows.forEach(row -> found.put(ends(row), row.get("growth")));
      assertEquals(growth, found);
      assertTrue(
          rows.stream()
              .anyMatch(
                  row ->
                      row.get("from").equals("Main.Customer") && row.get("references").equals(0L)));
    }
  }

  private static List<Object> ends(Map<?, ?> row) {
    return List.of(row.get("from"), row.get("to"));
  }
}
