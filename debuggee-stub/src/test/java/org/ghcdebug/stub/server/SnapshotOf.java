package org.ghcdebug.stub.server;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import org.ghcdebug.protocol.closure.ClosureType;
import org.ghcdebug.protocol.closure.PointerBitmap;
import org.ghcdebug.protocol.snapshot.ReferenceSnapshotWriter;
import org.ghcdebug.protocol.target.AddressList;
import org.ghcdebug.protocol.target.InfoPtr;
import org.ghcdebug.protocol.wire.Request;
import org.ghcdebug.protocol.wire.Response;
import org.ghcdebug.stub.heap.BlockGroup;
import org.ghcdebug.stub.heap.BuiltClosure;
import org.ghcdebug.stub.heap.BuiltHeap;
import org.ghcdebug.stub.heap.Code;

/** Records a built heap as the reference client would. */
final class SnapshotOf {
  private final BuiltHeap heap;
  private final List<Request> requests = new ArrayList<>();
  private final List<Response> responses = new ArrayList<>();

  private SnapshotOf(BuiltHeap heap) {
    this.heap = heap;
  }

  static byte[] heap(BuiltHeap heap) throws IOException {
    return new SnapshotOf(heap).record();
  }

  private byte[] record() throws IOException {
    entry(new Request.Version(), Response.Version.of(heap.target()));
    entry(new Request.Roots(), new Response.Addresses(heap.roots()));
    entry(new Request.SavedObjects(), new Response.Addresses(heap.savedObjects()));
    var blocks = new ArrayList<>(heap.blocks().stream().map(SnapshotOf::block).toList());
    blocks.addAll(blocks.reversed()); // the RTS's lists run into each other
    entry(new Request.AllBlocks(), new Response.Blocks(blocks));
    for (BuiltClosure closure : heap.allClosures()) {
      long address = closure.address().address();
      if (heap.block(address) == null) {
        entry(new Request.Closures(AddressList.of(address)), chunk(heap.closure(address)));
      }
      if (closure.code().type().isFunction()) {
        int arity = closure.code().bitmap().size();
        entry(new Request.FunBitmap(address, arity), bitmap(heap.funBitmap(address, arity)));
      }
    }
    heap.allCode().forEach(this::code);
    bigFrames();
    var bytes = new ByteArrayOutputStream();
    var writer = new ReferenceSnapshotWriter(Channels.newChannel(bytes), requests.size());
    for (int i = 0; i < requests.size(); i++) {
      writer.write(requests.get(i), responses.get(i));
    }
    writer.finish();
    return bytes.toByteArray();
  }

  private void code(Code code) {
    long infoAddr = code.infoAddr();
    entry(new Request.InfoTables(AddressList.of(infoAddr)), chunk(heap.infoTable(infoAddr)));
    entry(
        new Request.Srt(AddressList.of(infoAddr)),
        new Response.Addresses(AddressList.of(heap.srt(infoAddr))));
    String description = heap.constructorDescription(infoAddr);
    if (description != null) {
      entry(new Request.ConDescr(new InfoPtr(infoAddr)), new Response.Text(description));
    }
    Response.SourceInfo source = heap.sourceInfo(infoAddr);
    entry(
        new Request.SourceInfo(new InfoPtr(infoAddr)),
        source == null ? new Response.NoSourceInfo() : source);
  }

  /** One frame for each return address whose bitmap is not in its info table. */
  private void bigFrames() {
    var seen = new HashSet<Long>();
    for (long frameAddr : heap.frames().toArray()) {
      long infoAddr = heap.block(frameAddr).words(frameAddr, 1)[0];
      if (heap.code(infoAddr).type() == ClosureType.RET_BIG && seen.add(infoAddr)) {
        entry(new Request.StackBitmap(frameAddr - 24, 24), bitmap(heap.stackBitmap(frameAddr)));
      }
    }
  }

  private static Response.Block block(BlockGroup group) {
    return Response.Block.of(
        group.flags(), group.startAddr(), group.words(group.startAddr(), group.lengthBytes() / 8));
  }

  private static Response chunk(long[] words) {
    return Response.MemoryChunks.of(List.of(words));
  }

  private static Response bitmap(PointerBitmap bitmap) {
    return new Response.Bitmap(bitmap.size(), BitSet.valueOf(bitmap.bits().values()));
  }

  private void entry(Request request, Response response) {
    requests.add(request);
    responses.add(response);
  }
}
