package org.ghcdebug.protocol.wire;

import java.util.BitSet;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;
import org.ghcdebug.protocol.target.AddressList;
import org.ghcdebug.protocol.target.CcsPtr;
import org.ghcdebug.protocol.target.GhcVersion;
import org.ghcdebug.protocol.target.InfoPtr;
import org.ghcdebug.protocol.target.ProfilingMode;

/** Requests with answers of their shape. */
public final class WireArbitraries {
  /** A request and an answer to it. */
  public record Pair(Request request, Response response) {}

  private WireArbitraries() {}

  /** Any of the 19 requests with an answer that is no refusal; their edge cases are too many. */
  public static Arbitrary<Pair> answeredPairs() {
    return requests()
        .flatMap(request -> answersTo(request).map(response -> new Pair(request, response)))
        .withoutEdgeCases();
  }

  /** Any of the 19 requests with an answer, sometimes a refusal. */
  public static Arbitrary<Pair> pairs() {
    Arbitrary<Pair> refused =
        Combinators.combine(
                requests(), Arbitraries.of(Status.class).filter(status -> status.isError()))
            .as((request, status) -> new Pair(request, new Response.Refused(status)));
    return Arbitraries.frequencyOf(Tuple.of(5, answeredPairs()), Tuple.of(1, refused));
  }

  /** Any of the 19 requests; their edge cases are too many. */
  public static Arbitrary<Request> requests() {
    return Arbitraries.of(Command.class).flatMap(WireArbitraries::requests).withoutEdgeCases();
  }

  private static Arbitrary<Request> requests(Command command) {
    return switch (command) {
      case VERSION -> Arbitraries.just(new Request.Version());
      case PAUSE -> Arbitraries.integers().between(0, 255).map(Request.Pause::new);
      case RESUME -> Arbitraries.just(new Request.Resume());
      case ROOTS -> Arbitraries.just(new Request.Roots());
      case CLOSURES -> addressLists().map(Request.Closures::new);
      case INFO_TABLES -> addressLists().map(Request.InfoTables::new);
      case STACK_BITMAP ->
          Combinators.combine(words(), Arbitraries.integers()).as(Request.StackBitmap::new);
      case POLL -> Arbitraries.just(new Request.Poll());
      case SAVED_OBJECTS -> Arbitraries.just(new Request.SavedObjects());
      case CON_DESCR -> words().map(InfoPtr::new).map(Request.ConDescr::new);
      case SOURCE_INFO -> words().map(InfoPtr::new).map(Request.SourceInfo::new);
      case ALL_BLOCKS -> Arbitraries.just(new Request.AllBlocks());
      case BLOCK -> words().map(Request.Block::new);
      case FUN_BITMAP ->
          Combinators.combine(words(), Arbitraries.integers().between(0, 65_535))
              .as(Request.FunBitmap::new);
      case SRT -> addressLists().map(Request.Srt::new);
      case CCS -> words().map(CcsPtr::new).map(Request.Ccs::new);
      case CC -> words().map(Request.CostCentre::new);
      case INDEX_TABLE -> words().map(Request.IndexTable::new);
      case CCS_MAIN -> Arbitraries.just(new Request.CcsMain());
    };
  }

  private static Arbitrary<? extends Response> answersTo(Request request) {
    return switch (request) {
      case Request.Version() -> versions();
      case Request.Pause(int _), Request.Resume(), Request.Poll() ->
          Arbitraries.just(new Response.Done());
      case Request.Roots(), Request.SavedObjects() -> addressLists().map(Response.Addresses::new);
      case Request.Closures(var closures) -> memoryChunks(closures.size());
      case Request.InfoTables(var infoPointers) -> memoryChunks(infoPointers.size());
      case Request.StackBitmap(long _, int _), Request.FunBitmap(long _, int _) ->
          Arbitraries.of(true, false).list().ofMaxSize(70).map(WireArbitraries::bitmap);
      case Request.ConDescr(var _) -> texts().map(Response.Text::new);
      case Request.SourceInfo(var _) ->
          Arbitraries.oneOf(
              Arbitraries.just(new Response.NoSourceInfo()),
              texts()
                  .list()
                  .ofSize(6)
                  .map(
                      f ->
                          new Response.SourceInfo(
                              f.get(0), f.get(1), f.get(2), f.get(3), f.get(4), f.get(5))));
      case Request.AllBlocks() -> blocks();
      case Request.Block(long _) -> block().map(block -> new Response.Blocks(List.of(block)));
      case Request.Srt(var infoPointers) ->
          words()
              .array(long[].class)
              .ofSize(infoPointers.size())
              .map(AddressList::of)
              .map(Response.Addresses::new);
      case Request.Ccs(var _) ->
          words()
              .array(long[].class)
              .ofSize(12)
              .map(
                  w ->
                      new Response.Ccs(
                          w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], w[8], w[9], w[10],
                          w[11]));
      case Request.CostCentre(long _) ->
          Combinators.combine(
                  words(), texts(), texts(), texts(), words(), words(), booleans(), words())
              .as(Response.CostCentre::new);
      case Request.IndexTable(long _) ->
          Combinators.combine(words(), words(), words(), booleans()).as(Response.IndexTable::new);
      case Request.CcsMain() -> words().map(CcsPtr::new).map(Response.CcsMain::new);
    };
  }

  /** Up to four blocks; their edge cases are too many. */
  public static Arbitrary<Response.Blocks> blocks() {
    return block().list().ofMaxSize(4).map(Response.Blocks::new).withoutEdgeCases();
  }

  private static Arbitrary<Response> versions() {
    Arbitrary<GhcVersion> ghcs =
        Combinators.combine(
                Arbitraries.integers().between(0, Integer.MAX_VALUE),
                Arbitraries.integers().between(0, Integer.MAX_VALUE))
            .as(GhcVersion::new);
    return Combinators.combine(
            ghcs, Arbitraries.of(ProfilingMode.class), booleans(), Arbitraries.of(4, 8, 10))
        .as(
            (ghc, mode, tablesNextToCode, bytes) ->
                switch (bytes) {
                  case 4 ->
                      new Response.Version(new GhcVersion(902, 0), ProfilingMode.VANILLA, true, 4);
                  case 8 -> new Response.Version(ghc, ProfilingMode.VANILLA, true, 8);
                  default -> new Response.Version(ghc, mode, tablesNextToCode, 10);
                });
  }

  private static Arbitrary<Response> memoryChunks(int count) {
    return words()
        .array(long[].class)
        .ofMaxSize(6)
        .list()
        .ofSize(count)
        .map(Response.MemoryChunks::of);
  }

  private static Response bitmap(List<Boolean> bits) {
    var pointers = new BitSet();
    for (int i = 0; i < bits.size(); i++) {
      pointers.set(i, bits.get(i));
    }
    return new Response.Bitmap(bits.size(), pointers);
  }

  private static Arbitrary<Response.Block> block() {
    return Combinators.combine(
            Arbitraries.integers().between(0, 0xffff),
            Arbitraries.longs().between(0, 1L << 48),
            words().array(long[].class).ofMaxSize(40))
        .as(Response.Block::of);
  }

  private static Arbitrary<AddressList> addressLists() {
    return words().array(long[].class).ofMaxSize(6).map(AddressList::of);
  }

  private static Arbitrary<Long> words() {
    return Arbitraries.longs();
  }

  private static Arbitrary<Boolean> booleans() {
    return Arbitraries.of(true, false);
  }

  /** Texts of all kinds of characters, but no halves of surrogate pairs. */
  private static Arbitrary<String> texts() {
    return Arbitraries.integers()
        .between(0, Character.MAX_CODE_POINT)
        .filter(c -> c < Character.MIN_SURROGATE || c > Character.MAX_SURROGATE)
        .edgeCases(edges -> edges.add(0x7f, 0x80, 0x7ff, 0x800, 0xffff, 0x10000))
        .list()
        .ofMaxSize(12)
        .map(
            codePoints -> {
              var text = new StringBuilder();
              codePoints.forEach(text::appendCodePoint);
              return text.toString();
            });
  }
}
