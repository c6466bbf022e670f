package org.ghcdebug.client.testing;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.ghcdebug.client.source.HeapSource.FunArguments;
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

/** Records built heaps in the reference client's format. */
public final class Snapshots {
  private final BuiltHeap heap;
  private final List<Request> requests = new ArrayList<>();
  private final List<Response> responses = new ArrayList<>();

  private Snapshots(BuiltHeap heap) {
    this.heap = heap;
  }

  /**
   * A whole snapshot.
   *
   * @param functions whose bitmaps are recorded
   */
  public static byte[] of(BuiltHeap heap, List<FunArguments> functions) {
    return new Snapshots(heap).record(functions);
  }

  private byte[] record(List<FunArguments> functions) {
    entry(new Request.Version(), Response.Version.of(heap.target()));
    entry(new Request.Roots(), new Response.Addresses(heap.roots()));
    entry(new Request.SavedObjects(), new Response.Addresses(heap.savedObjects()));
    List<Response.Block> blocks = new ArrayList<>();
    heap.blocks().forEach(group -> blocks.add(block(group)));
    blocks.addAll(blocks.reversed()); // real ones hold the same block several times
    entry(new Request.AllBlocks(), new Response.Blocks(blocks));
    for (BuiltClosure closure : heap.allClosures()) {
      long address = closure.address().address();
      if (heap.block(address) == null) {
        entry(new Request.Closures(AddressList.of(address)), chunk(heap.closure(address)));
      }
    }
    for (FunArguments fun : functions) {
      PointerBitmap bitmap = heap.funBitmap(fun.funAddr(), fun.arguments());
      if (bitmap != null) {
        entry(new Request.FunBitmap(fun.funAddr(), fun.arguments()), bitmap(bitmap));
      }
    }
    for (long frame : heap.frames().toArray()) {
      PointerBitmap bitmap = heap.stackBitmap(frame);
      if (bitmap != null) {
        entry(new Request.StackBitmap(frame - 24, 24), bitmap(bitmap));
      }
    }
    heap.allCode().forEach(this::code);
    return bytes();
  }

  private byte[] bytes() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      ReferenceSnapshotWriter writer =
          new ReferenceSnapshotWriter(Channels.newChannel(bytes), requests.size());
      for (int i = 0; i < requests.size(); i++) {
        writer.write(requests.get(i), responses.get(i));
      }
      writer.finish();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  private void code(Code code) {
    AddressList infoAddr = AddressList.of(code.infoAddr());
    InfoPtr info = new InfoPtr(code.infoAddr());
    entry(new Request.InfoTables(infoAddr), chunk(heap.infoTable(code.infoAddr())));
    entry(
        new Request.Srt(infoAddr),
        new Response.Addresses(AddressList.of(heap.srt(code.infoAddr()))));
    String description = heap.constructorDescription(code.infoAddr());
    if (description != null) {
      entry(new Request.ConDescr(info), new Response.Text(description));
    }
    Response.SourceInfo source = heap.sourceInfo(code.infoAddr());
    entry(new Request.SourceInfo(info), source == null ? new Response.NoSourceInfo() : source);
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

  /** Every function of a heap with every number of arguments up to that of the heap's code. */
  public static List<FunArguments> allFunctions(BuiltHeap heap) {
    Set<FunArguments> functions = new HashSet<>();
    for (BuiltClosure closure : heap.allClosures()) {
      if (closure.code().type().isFunction()) {
        for (int n = 0; n <= closure.code().bitmap().size(); n++) {
          functions.add(new FunArguments(closure.address().address(), n));
        }
      }
    }
    return List.copyOf(functions);
  }
}
