package org.ghcdebug.repl.command.verb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.ghcdebug.protocol.target.GhcVersion;
import org.ghcdebug.protocol.target.ProfilingMode;
import org.ghcdebug.protocol.target.Target;
import org.ghcdebug.repl.command.Session;
import org.ghcdebug.repl.render.JsonReader;
import org.ghcdebug.repl.testing.MemoryHost;
import org.ghcdebug.stub.heap.HeapBuilder;
import org.ghcdebug.stub.heap.Ref;
import org.ghcdebug.stub.server.StubServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Closures whose names do not tell them apart, as in a program without an info-table map. */
class KindsTest {
  private static final int THUNKS = 60;
  private static final int BYTES = 300 << 10;

  private final HeapBuilder heap =
      new HeapBuilder(new Target(new GhcVersion(906, 6), ProfilingMode.VANILLA));
  private final MemoryHost host = new MemoryHost();
  private final Session session = new Session(host, Verbs.REGISTRY);
  private Path folder;

  @BeforeEach
  void makeFolder() throws IOException {
    folder = Files.createTempDirectory(Path.of("/tmp"), "ghcd");
  }

  @AfterEach
  void close() throws IOException {
    session.close();
    Files.delete(folder);
  }

  private List<Map<?, ?>> rows(String verb) throws IOException {
    Path socket = folder.resolve("app.sock");
    try (var _ = new StubServer(heap.build(), socket)) {
      assertEquals(0, session.interpreter().runLine("attach " + socket), host::takeErr);
      host.takeOut();
      assertEquals(0, session.interpreter().runLine(verb + " --json"), host::takeErr);
    } finally {
      Files.deleteIfExists(socket);
    }
    var answer = (Map<?, ?>) JsonReader.readAll(host.takeOut(), verb).getFirst();
    return ((List<?>) answer.get("rows")).stream().<Map<?, ?>>map(row -> (Map<?, ?>) row).toList();
  }

  private Ref chainOfThunks(boolean areOfOneKind) {
    return chainOfThunks(areOfOneKind, heap.byteArray(new byte[BYTES]));
  }

  private Ref chainOfThunks(boolean areOfOneKind, Ref end) {
    var first = heap.thunk(1, 0);
    Ref last = end;
    for (int i = 0; i < THUNKS; i++) {
      last = heap.thunk(areOfOneKind ? first : heap.thunk(1, 0), last);
    }
    return last;
  }

  @Test
  void thunksOfUnlikeCodeAreNoChainOfOneKind() throws IOException {
    heap.save(chainOfThunks(false));

    List<Map<?, ?>> suspects = rows("suspects");

    assertEquals(1, suspects.size());
    assertEquals("one byte array", suspects.getFirst().get("what"));
  }

  @Test
  void thunksOfTheSameCodeAre() throws IOException {
    heap.save(chainOfThunks(true));

    Map<?, ?> suspect = rows("suspects").getFirst();

    assertTrue(((String) suspect.get("what")).startsWith("60 thunks THUNK_1_0"));
  }

  @Test
  void whatAChainIsMadeOfAgreesWithItsLength() throws IOException {
    heap.save(chainOfThunks(true, heap.thunk(heap.thunk(1, 0), heap.byteArray(new byte[BYTES]))));

    Map<?, ?> suspect = rows("suspects").getFirst();

    assertEquals((long) THUNKS, suspect.get("elements"));
    String parts = suspect.get("parts").toString();
    assertTrue(parts.contains("key=THUNK_1_0, count=60,"), parts);
    assertTrue(parts.contains("key=THUNK_1_0, count=1,"), parts);
  }

  @Test
  void thunksAreListedByTheirCode() throws IOException {
    heap.save(chainOfThunks(false));

    List<Map<?, ?>> rows = rows("thunks");

    assertEquals(THUNKS, rows.size());
    for (Map<?, ?> row : rows) {
      assertEquals("THUNK_1_0", row.get("key"));
      assertEquals(1L, row.get("count"));
    }
  }

  @Test
  void aRunOfUnlikeThunksIsNoStepOfAWay() throws IOException {
    heap.save(chainOfThunks(false));

    assertEquals(
        THUNKS + 1, ((List<?>) rows("retainers 'type = ARR_WORDS'").getFirst().get("path")).size());
  }
}
