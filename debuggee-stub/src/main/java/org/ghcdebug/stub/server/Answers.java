package org.ghcdebug.stub.server;

import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.LongFunction;
import java.util.function.LongUnaryOperator;
import java.util.stream.Stream;
import org.ghcdebug.protocol.closure.PointerBitmap;
import org.ghcdebug.protocol.target.AddressList;
import org.ghcdebug.protocol.wire.FrameWriter;
import org.ghcdebug.protocol.wire.Request;
import org.ghcdebug.protocol.wire.Response;
import org.ghcdebug.protocol.wire.ResponseEncoder;
import org.ghcdebug.protocol.wire.Status;
import org.ghcdebug.stub.heap.BlockGroup;
import org.ghcdebug.stub.heap.StubHeap;
import org.jspecify.annotations.Nullable;

/** What a heap says to the requests that only read. Immutable. */
final class Answers {
  private static final int BLOCK_HEADER_BYTES = 14;
  private static final long[] NOTHING = {};

  private static final int COMPACT_HEADER_BYTES = 24;

  private final StubHeap heap;
  private final Personality personality;

  Answers(StubHeap heap, Personality personality) {
    this.heap = heap;
    this.personality = personality;
  }

  /** Writes the whole response; one block group at a time is copied. */
  void answer(Request request, FrameWriter out) {
    switch (request) {
      case Request.AllBlocks() -> {
        listed().forEach(group -> write(group, out));
        out.end(Status.OKAY);
      }
      case Request.Block(long address) when heap.block(address) instanceof BlockGroup group -> {
        write(group, out);
        out.end(Status.OKAY);
      }
      default -> ResponseEncoder.encode(response(request), out);
    }
  }

  /**
   * The block groups as the stub lists them. The old one runs through the RTS's lists as they are:
   * it comes through the nurseries twice, and knows only the first group of a compact region.
   */
  private Stream<BlockGroup> listed() {
    return switch (personality) {
      case GHC_DEBUGGEE -> heap.blocks().stream();
      case GHC_DEBUG_07 ->
          Stream.concat(
              heap.blocks().stream().filter(Answers::isFirstOfItsRegion),
              heap.blocks().stream().filter(group -> group.flags() == 0));
    };
  }

  /** In a compact region's first group the region's closure follows the group's header. */
  private static boolean isFirstOfItsRegion(BlockGroup group) {
    return (group.flags() & BlockGroup.COMPACT) == 0
        || group.contents().getLong(Long.BYTES) == group.startAddr() + COMPACT_HEADER_BYTES;
  }

  private Response response(Request request) {
    return switch (request) {
      case Request.Version() -> Response.Version.of(heap.target());
      case Request.Roots() -> new Response.Addresses(heap.roots());
      case Request.SavedObjects() -> new Response.Addresses(heap.savedObjects());
      case Request.Closures(AddressList addresses) -> chunks(addresses, heap::closure);
      case Request.InfoTables(AddressList addresses) -> chunks(addresses, heap::infoTable);
      case Request.Srt(AddressList addresses) -> new Response.Addresses(each(addresses, heap::srt));
      case Request.StackBitmap(long baseAddr, int offsetBytes) ->
          bitmap(
              heap.stackBitmap(baseAddr + Integer.toUnsignedLong(offsetBytes)), Status.BAD_STACK);
      case Request.FunBitmap(long funAddr, int arguments) ->
          bitmap(heap.funBitmap(funAddr, arguments), Status.BAD_COMMAND);
      case Request.ConDescr(var constructor) ->
          orBad(text(heap.constructorDescription(constructor.address())));
      case Request.SourceInfo(var infoTable) -> {
        Response.SourceInfo source = heap.sourceInfo(infoTable.address());
        yield source == null ? new Response.NoSourceInfo() : source;
      }
      case Request.Ccs(var stack) -> orBad(heap.costCentreStack(stack.address()));
      case Request.CostCentre(long address) -> orBad(heap.costCentre(address));
      case Request.IndexTable(long address) -> orBad(heap.indexTable(address));
      case Request.CcsMain() -> orBad(heap.mainCostCentreStack());
      case Request.Block _ -> new Response.Refused(Status.BAD_COMMAND);
      case Request.AllBlocks _, Request.Pause _, Request.Resume _, Request.Poll _ ->
          throw new IllegalArgumentException(request + " is answered elsewhere");
    };
  }

  private static void write(BlockGroup group, FrameWriter out) {
    out.body(
        Unpooled.buffer(BLOCK_HEADER_BYTES)
            .writeShortLE(group.flags())
            .writeLongLE(group.startAddr())
            .writeInt(group.lengthBytes()));
    out.body(Unpooled.wrappedBuffer(group.contents()));
  }

  private static Response.MemoryChunks chunks(
      AddressList addresses, LongFunction<long @Nullable []> memory) {
    var chunks = new ArrayList<long[]>(addresses.size());
    for (int i = 0; i < addresses.size(); i++) {
      long[] words = memory.apply(addresses.get(i));
      chunks.add(words == null ? NOTHING : words);
    }
    return Response.MemoryChunks.of(List.copyOf(chunks));
  }

  private static AddressList each(AddressList addresses, LongUnaryOperator function) {
    long[] results = addresses.toArray();
    for (int i = 0; i < results.length; i++) {
      results[i] = function.applyAsLong(results[i]);
    }
    return AddressList.of(results);
  }

  private static Response bitmap(@Nullable PointerBitmap bitmap, Status otherwise) {
    return bitmap == null
        ? new Response.Refused(otherwise)
        : new Response.Bitmap(bitmap.size(), BitSet.valueOf(bitmap.bits().values()));
  }

  private static @Nullable Response text(@Nullable String text) {
    return text == null ? null : new Response.Text(text);
  }

  private static Response orBad(@Nullable Response response) {
    return response == null ? new Response.Refused(Status.BAD_COMMAND) : response;
  }
}
