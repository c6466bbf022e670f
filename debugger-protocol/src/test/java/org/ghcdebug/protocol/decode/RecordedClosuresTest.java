package org.ghcdebug.protocol.decode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.ghcdebug.protocol.closure.Closure;
import org.ghcdebug.protocol.closure.Edge;
import org.ghcdebug.protocol.closure.EdgeKind;
import org.ghcdebug.protocol.closure.InfoTable;
import org.ghcdebug.protocol.closure.PointerBitmap;
import org.ghcdebug.protocol.closure.TsoFlag;
import org.ghcdebug.protocol.decode.Truth.TruthClosure;
import org.ghcdebug.protocol.target.ClosurePtr;
import org.ghcdebug.protocol.wire.Recording;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every closure of the recorded heaps against what the Haskell client 0.7 made of the same bytes.
 *
 * <p>Where that client is known to be wrong, the test says so and asserts our reading instead.
 */
class RecordedClosuresTest {
  /** A recording, its heap, and the truth about it. */
  record Case(String name, RecordedHeap heap, Truth truth) {
    static Case load(String name) {
      return new Case(name, new RecordedHeap(Recording.load(name)), Truth.load(name));
    }

    Closure decode(long address) {
      ClosureWords words = heap.words(address);
      InfoTable info = heap.requireInfoTable(words.word(0));
      return new ClosureDecoder(heap.layout())
          .decode(
              new ClosurePtr(address),
              info,
              words,
              heap,
              lacking -> {
                throw new AssertionError(lacking);
              });
    }

    boolean isGhc910() {
      return heap.layout().series() >= 910;
    }

    @Override
    public String toString() {
      return name;
    }
  }

  static List<Case> cases() {
    return CASES;
  }

  private static final List<Case> CASES = Recording.NAMES.stream().map(Case::load).toList();

  /**
   * The one byte array that holds the path of the recording's socket: its first 24 bytes were
   * replaced in the recorded answers but not in what the client made of them.
   */
  private static final String SOCKET_PATH_IN_TRUTH =
      "[8315177835084739631,7523033827937247589,8299966392126760035,";

  private static final String SOCKET_PATH_IN_BYTES =
      "[8299963055055659567,8246140831349632353,8299979551890630511,";

  @ParameterizedTest
  @MethodSource("cases")
  void everyClosureIsShownAsTheReferenceClientShowsIt(Case recorded) {
    ReferenceView view = new ReferenceView(recorded.heap());
    for (TruthClosure truth : recorded.truth().closures()) {
      Closure closure = recorded.decode(truth.address());
      String expected = truth.text();
      String shown = view.show(closure);
      if (closure instanceof Closure.Tso && recorded.isGhc910()) {
        // From GHC 9.10 on that client reads the flags 2 bytes early: flagsOfThreadsAreTheSame….
        expected = expected.replaceFirst("flags = \\[.*?]", "flags = []");
        shown = shown.replaceFirst("flags = \\[.*?]", "flags = []");
      }
      if (expected.contains(SOCKET_PATH_IN_TRUTH)) {
        expected = expected.replace(SOCKET_PATH_IN_TRUTH, "");
        shown = shown.replace(SOCKET_PATH_IN_BYTES, "");
      }
      assertEquals(expected, shown);
      assertEquals(truth.type(), closure.info().type().name());
      assertEquals(truth.infoAddr(), closure.info().address().address());
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void everyTypeOccursAsOftenAsTheReferenceClientCounts(Case recorded) {
    Map<String, Integer> counts = new TreeMap<>();
    for (TruthClosure truth : recorded.truth().closures()) {
      counts.merge(recorded.decode(truth.address()).info().type().name(), 1, Integer::sum);
    }
    assertEquals(new TreeMap<>(recorded.truth().countByType()), counts);
  }

  /** The same program built by both compilers, so the threads are in the same states. */
  @Test
  void flagsOfThreadsAreTheSameWithGhc96AndGhc910() {
    Map<Long, Integer> expected = threadFlags("zoo-9.6.6-ondemand");
    assertEquals(21, expected.size());
    assertTrue(expected.containsValue(TsoFlag.LOCKED.bit()));
    assertEquals(expected, threadFlags("zoo-9.10.3-ondemand"));
  }

  private static Map<Long, Integer> threadFlags(String recording) {
    Case recorded = Case.load(recording);
    Map<Long, Integer> flags = new TreeMap<>();
    for (TruthClosure truth : recorded.truth().closures()) {
      if (recorded.decode(truth.address()) instanceof Closure.Tso tso) {
        flags.put(tso.id(), tso.flagBits());
      }
    }
    return flags;
  }

  @ParameterizedTest
  @MethodSource("cases")
  void everyClosureHasTheReferenceClientsChildren(Case recorded) {
    for (TruthClosure truth : recorded.truth().closures()) {
      Closure closure = recorded.decode(truth.address());
      assertEquals(truth.children(), ReferenceView.children(closure), truth::text);
    }
  }

  /**
   * What a thread waits for is a reference for the RTS's collector (scavengeTSO, rts/sm/Scav.c).
   */
  @ParameterizedTest
  @MethodSource("cases")
  void whatAThreadIsBlockedOnIsOfTheTypeThatItsStateSays(Case recorded) {
    for (TruthClosure truth : recorded.truth().closures()) {
      if (recorded.decode(truth.address()) instanceof Closure.Tso tso) {
        List<Edge> blockInfo =
            tso.edges().stream().filter(edge -> edge.kind() == EdgeKind.TSO_BLOCK_INFO).toList();
        assertEquals(tso.blockReason().hasPointer() ? 1 : 0, blockInfo.size());
        for (Edge edge : blockInfo) {
          String type = recorded.decode(edge.target().address()).info().type().name();
          switch (tso.blockReason()) {
            case MVAR, MVAR_READ -> assertTrue(type.startsWith("MVAR_"), type);
            case BLACK_HOLE, THROW_TO -> assertEquals("PRIM", type);
            default -> assertEquals("CONSTR_NOCAF", type); // END_TSO_QUEUE
          }
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void sizesAreThoseThatTheReferenceClientDecodes(Case recorded) {
    int header = recorded.heap().layout().headerWords();
    for (TruthClosure truth : recorded.truth().closures()) {
      Closure closure = recorded.decode(truth.address());
      long expected =
          switch (closure) {
            // It stops at the end of tot_stack_size, of the last log entry, and of the elements.
            case Closure.Tso _ -> truth.sizeBytes() + (header == 1 ? 4 : 12);
            case Closure.TrecChunk _ -> 8L * (header + 2 + 16 * 4);
            case Closure.MutArrPtrs array -> truth.sizeBytes() + 8L * array.cards().size();
            default -> truth.sizeBytes();
          };
      assertEquals(expected, 8 * closure.sizeWords(), truth::text);
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void sizesAreThoseThatTheDebuggeeComputes(Case recorded) {
    recorded
        .heap()
        .closures
        .forEach(
            (address, words) -> {
              InfoTable info = recorded.heap().requireInfoTable(words[0]);
              assertEquals(
                  words.length,
                  ClosureSize.sizeWords(recorded.heap().layout(), info, ClosureWords.of(words)),
                  () -> info + " at 0x" + Long.toHexString(address));
            });
  }

  @ParameterizedTest
  @MethodSource("cases")
  void staticReferenceTablesAreThoseThatTheDebuggeeFinds(Case recorded) {
    recorded
        .heap()
        .srts
        .forEach(
            (infoAddr, srtAddr) ->
                assertEquals(srtAddr, recorded.heap().requireInfoTable(infoAddr).srtAddr()));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void bitmapsOfStackFramesAreThoseThatTheDebuggeeFinds(Case recorded) {
    int frames = 0;
    for (TruthClosure truth : recorded.truth().closures()) {
      if (recorded.decode(truth.address()) instanceof Closure.Stack stack) {
        assertTrue(stack.frames().isComplete());
        for (var frame : stack.frames().frames()) {
          PointerBitmap expected =
              recorded.heap().stackBitmaps.get(truth.address() + 8L * frame.wordIndex());
          assertEquals(expected, frame.slots().pointers());
          frames++;
        }
      }
    }
    assertEquals(recorded.heap().stackBitmaps.size(), frames);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void sourceInformationIsWhatTheReferenceClientShows(Case recorded) {
    recorded
        .truth()
        .sourceInfo()
        .forEach(
            (infoAddr, expected) ->
                assertEquals(
                    expected, ReferenceView.show(recorded.heap().sourceInfos.get(infoAddr))));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void theWalkerReportsTheEdgesOfTheDecodedClosure(Case recorded) {
    EdgeWalker walker = new EdgeWalker(recorded.heap().layout());
    for (TruthClosure truth : recorded.truth().closures()) {
      Closure closure = recorded.decode(truth.address());
      List<Edge> edges = new ArrayList<>();
      walker.walk(
          closure.info(),
          truth.address(),
          recorded.heap().words(truth.address()),
          recorded.heap(),
          new EdgeSink() {
            @Override
            public void edge(EdgeKind kind, int index, long pointer) {
              edges.add(new Edge(kind, index, pointer));
            }

            @Override
            public void unresolved(Unresolved what) {
              throw new AssertionError(what);
            }
          });
      assertEquals(closure.edges(), edges);
    }
  }
}
