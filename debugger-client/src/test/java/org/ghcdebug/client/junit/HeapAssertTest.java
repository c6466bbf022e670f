package org.ghcdebug.client.junit;

import static org.ghcdebug.client.junit.HeapAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import org.ghcdebug.client.analysis.census.CensusKey;
import org.ghcdebug.client.heap.Heap;
import org.ghcdebug.client.index.HeapCopy;
import org.ghcdebug.client.testing.StubHeapSource;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.protocol.error.SourceUnavailableException;
import org.ghcdebug.protocol.target.AddressList;
import org.ghcdebug.protocol.target.GhcVersion;
import org.ghcdebug.protocol.target.ProfilingMode;
import org.ghcdebug.protocol.target.Target;
import org.ghcdebug.stub.heap.BuiltHeap;
import org.ghcdebug.stub.heap.Code;
import org.ghcdebug.stub.heap.HeapBuilder;
import org.ghcdebug.stub.heap.Ref;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class HeapAssertTest {
  private final List<HeapCopy> copies = new ArrayList<>();

  /** Some sessions in an array, that a cache holds; and a lonely one that nothing else holds. */
  private static final class Sessions {
    final HeapBuilder builder =
        new HeapBuilder(new Target(new GhcVersion(906, 6), ProfilingMode.VANILLA));
    final Code session = builder.constructor("main:Main.Session", 1, 0, 1);
    final Ref token = builder.byteArray(new byte[16]);
    final Ref[] cached;
    final Ref lonely = builder.constr(session, token);
    final BuiltHeap built;

    Sessions(int count) {
      cached = new Ref[count];
      for (int i = 0; i < count; i++) {
        cached[i] = builder.constr(session, token);
      }
      Ref cache =
          builder.constr(
              builder.constructor("main:Main.Cache", 1, 0, 1), builder.array(false, cached));
      builder.save(cache).save(lonely);
      built = builder.build();
    }
  }

  private ProgramHeap heap(Sessions sessions) {
    StubHeapSource source = new StubHeapSource(sessions.built);
    HeapCopy copy = HeapCopy.take(source, Work.UNATTENDED);
    copies.add(copy);
    return ProgramHeap.of(new Heap(copy), copy, "the heap of server (pid 4711)");
  }

  @AfterEach
  void free() {
    copies.forEach(HeapCopy::close);
  }

  private static void assertFails(String message, Executable assertion) {
    assertEquals(
        message.replace("\n", System.lineSeparator()),
        assertThrows(AssertionError.class, assertion).getMessage());
  }

  private static String hex(Sessions sessions, Ref closure) {
    return "0x%016x".formatted(Target.untag(sessions.built.pointer(closure)));
  }

  @Test
  void boundsThatHoldPass() {
    assertThat(heap(new Sessions(9)))
        .hasAtMost(10, "Session")
        .hasAtLeast(10, "Main.Session")
        .hasExactly(10, "main:Main.Session")
        .hasAtMostBytes(160, "Main.Session")
        .hasNone("Main.Connection");
  }

  @Test
  void tooManyAreCountedAndShown() {
    Sessions sessions = new Sessions(1);
    ProgramHeap heap = heap(sessions);
    String samples =
        "%s %s".formatted(hex(sessions, sessions.lonely), hex(sessions, sessions.cached[0]));

    assertFails(
        """
        Expected at most 1 closure named Main.Session in the heap of server (pid 4711),
         but found 2, of 32 bytes:
          count  bytes  closure       some of them
              2     32  Main.Session  %s\
        """
            .formatted(samples),
        () -> assertThat(heap).hasAtMost(1, "Main.Session"));
    assertFails(
        """
        Expected no closures named Session in the heap of server (pid 4711),
         but found 2, of 32 bytes:
          count  bytes  closure       some of them
              2     32  Main.Session  %s\
        """
            .formatted(samples),
        () -> assertThat(heap).hasNone("Session"));
    assertFails(
        """
        Expected at most 31 bytes of closures named Session in the heap of server (pid 4711),
         but found 2, of 32 bytes:
          count  bytes  closure       some of them
              2     32  Main.Session  %s\
        """
            .formatted(samples),
        () -> assertThat(heap).hasAtMostBytes(31, "Session"));
  }

  @Test
  void tooFewAreNone() {
    assertFails(
        """
        Expected at least 1 closure named Main.Sesion in the heap of server (pid 4711),
         but found none\
        """,
        () -> assertThat(heap(new Sessions(1))).hasAtLeast(1, "Main.Sesion"));
    assertFails(
        """
        Expected exactly 1,000 closures named Main.Sesion in the heap of server (pid 4711),
         but found none\
        """,
        () -> assertThat(heap(new Sessions(1))).hasExactly(1000, "Main.Sesion"));
  }

  @Test
  void aPartHasWhatItsOriginReaches() {
    ProgramHeap heap = heap(new Sessions(20));

    assertThat(heap).hasExactly(21, "Session");
    assertThat(heap.from("Main.Cache")).hasExactly(20, "Session").hasExactly(1, "Cache");
    assertThat(heap.fromSaved()).hasExactly(21, "Session");
    assertThat(heap.fromSaved(0)).hasExactly(20, "Session");
    assertThat(heap.fromSaved(1)).hasExactly(1, "Session").hasNone("Cache");
    assertThat(heap.from("Main.Cache").from("Session"))
        .hasExactly(20, "Session")
        .hasExactly(1, "<ARR_WORDS>")
        .hasNone("Cache");
  }

  @Test
  void aPartSaysWhatItIs() {
    Sessions sessions = new Sessions(1);
    ProgramHeap heap = heap(sessions);

    assertFails(
        """
        Expected no closures named Session in what Main.Cache reaches in the heap of server (pid 4711),
         but found 1, of 16 bytes:
          count  bytes  closure       some of them
              1     16  Main.Session  %s\
        """
            .formatted(hex(sessions, sessions.cached[0])),
        () -> assertThat(heap.from("Main.Cache")).hasNone("Session"));
  }

  @Test
  void nothingCanBeSeenFromWhatIsNotThere() {
    ProgramHeap heap = heap(new Sessions(1));

    assertFails(
        "Cannot look from Main.Cach: no closure in the heap of server (pid 4711) has that name",
        () -> heap.from("Main.Cach"));
    assertFails(
        "Cannot look from saved object 2: in the heap of server (pid 4711) there are 2, numbered"
            + " from 0",
        () -> heap.fromSaved(2));
  }

  @Test
  void growthWithinTheLimitPasses() {
    ProgramHeap before = heap(new Sessions(10));
    ProgramHeap after = heap(new Sessions(15));

    assertThat(after)
        .since(before)
        .grewByAtMost(5)
        .grewByAtMostBytes(80)
        .grewInTotalByAtMostBytes(8 * 16)
        .differsByAtMost(5);
    assertThat(before).since(after).grewByAtMost(0);
  }

  @Test
  void growthBeyondTheLimitIsListedLargestFirst() {
    ProgramHeap before = heap(new Sessions(10));
    ProgramHeap after = heap(new Sessions(1015));

    assertFails(
        """
        Expected no closure to grow by more than 5 closures in the heap of server (pid 4711) since the earlier heap,
         but 1 did:
           count  before  after    bytes  closure
          +1,005      11  1,016  +16,080  Main.Session\
        """,
        () -> assertThat(after).since(before).grewByAtMost(5));
    assertFails(
        """
        Expected no constructor to grow by more than 0 bytes in the heap of server (pid 4711) since the earlier heap,
         but 2 did:
           count  before  after    bytes  constructor
          +1,005      11  1,016  +16,080  Main.Session
               0       1      1   +8,040  <MUT_ARR_PTRS_FROZEN_CLEAN>\
        """,
        () -> assertThat(after).since(before).by(CensusKey.CONSTRUCTOR).grewByAtMostBytes(0));
    assertFails(
        """
        Expected no closure to differ by more than 1,004 closures in the heap of server (pid 4711) since the earlier heap,
         but 1 did:
           count  before  after    bytes  closure
          -1,005   1,016     11  -16,080  Main.Session\
        """,
        () -> assertThat(before).since(after).differsByAtMost(1004));
    assertFails(
        """
        Expected no more than 100 bytes of growth in total in the heap of server (pid 4711) since the earlier heap,
         but there were 24,120; by closure:
           count  before  after    bytes  closure
          +1,005      11  1,016  +16,080  Main.Session
               0       1      1   +8,040  <MUT_ARR_PTRS_FROZEN_CLEAN>\
        """,
        () -> assertThat(after).since(before).grewInTotalByAtMostBytes(100));
  }

  @Test
  void aHeapWithGapsPassesNoUpperBoundUnlessToldSo() {
    HeapBuilder builder =
        new HeapBuilder(new Target(new GhcVersion(906, 6), ProfilingMode.VANILLA));
    BuiltHeap built =
        builder
            .save(
                builder.constr(
                    builder.constructor("main:Main.Session", 1, 0, 1),
                    builder.byteArray(new byte[16])))
            .build();
    StubHeapSource source =
        new StubHeapSource(built) {
          @Override
          public AddressList roots() {
            return AddressList.of(0x1000);
          }
        };
    HeapCopy copy = HeapCopy.take(source, Work.UNATTENDED);
    copies.add(copy);
    ProgramHeap heap = ProgramHeap.of(new Heap(copy), copy, "the heap of FILE");

    assertFails(
        """
        Expected at most 1 closure named Session in the heap of FILE,
         which is so in what could be read, but cannot be told
         (of this heap, 1 closure could not be read, and 0 only in part);
         acceptingGaps() goes by what could be read\
        """,
        () -> assertThat(heap).hasAtMost(1, "Session"));
    assertThat(heap).hasAtLeast(1, "Session").acceptingGaps().hasAtMost(1, "Session");
  }

  @Test
  void figuresOutliveTheCopyAndClosuresDoNot() {
    Sessions sessions = new Sessions(3);
    HeapCopy copy = HeapCopy.take(new StubHeapSource(sessions.built), Work.UNATTENDED);
    Heap closures = new Heap(copy);
    ProgramHeap heap = ProgramHeap.of(closures, copy, "the heap of server (pid 4711)");
    closures.end();
    copy.close();

    assertThat(heap).hasExactly(4, "Session");
    assertThrows(SourceUnavailableException.class, () -> heap.from("Main.Cache"));
    assertThrows(SourceUnavailableException.class, heap::heap);
  }
}
