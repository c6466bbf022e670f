package org.ghcdebug.client.source.snapshot;

import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.WritableByteChannel;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.ghcdebug.client.source.BlockGroup;
import org.ghcdebug.client.source.BlockSink;
import org.ghcdebug.client.source.HeapSource.FrameAddress;
import org.ghcdebug.client.source.HeapSource.FunArguments;
import org.ghcdebug.client.source.RecordableHeap;
import org.ghcdebug.client.source.ResponseValues;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.protocol.closure.ConstructorName;
import org.ghcdebug.protocol.closure.InfoTable;
import org.ghcdebug.protocol.closure.PointerBitmap;
import org.ghcdebug.protocol.closure.SourceInfo;
import org.ghcdebug.protocol.snapshot.ReferenceSnapshotWriter;
import org.ghcdebug.protocol.target.AddressList;
import org.ghcdebug.protocol.target.InfoPtr;
import org.ghcdebug.protocol.wire.Request;
import org.ghcdebug.protocol.wire.Response;
import org.jspecify.annotations.Nullable;

/**
 * Writes heaps in the format of the reference Haskell client.
 *
 * <p>It has no place for two things that a heap knows: the strings of a profiled program's info
 * tables, and cost centres; the former are written as absent.
 */
public final class ReferenceSnapshots {
  private ReferenceSnapshots() {}

  /**
   * Writes all that can be asked about the reachable part of a heap. Blocks are streamed; the rest
   * is in memory for a while.
   *
   * @param channel takes the file; the caller closes it
   * @throws IllegalArgumentException when a block group has 4 GiB or more, which the format cannot
   *     express
   * @throws org.ghcdebug.protocol.error.CanceledException when {@code work} says so
   */
  public static void write(RecordableHeap heap, WritableByteChannel channel, Work work)
      throws IOException {
    Map<Request, Response> answers = new LinkedHashMap<>();
    answers.put(new Request.Version(), Response.Version.of(heap.target()));
    answers.put(new Request.Roots(), new Response.Addresses(roots(heap)));
    answers.put(new Request.SavedObjects(), new Response.Addresses(heap.savedObjects()));
    addInfos(heap, answers);
    addOutside(heap, answers);
    addBitmaps(heap, answers);
    ReferenceSnapshotWriter writer = new ReferenceSnapshotWriter(channel, answers.size() + 1L);
    for (Map.Entry<Request, Response> answer : answers.entrySet()) {
      writer.write(answer.getKey(), answer.getValue());
    }
    try {
      Blocks blocks = new Blocks(writer.writeBlocks(heap.groupCount()), work);
      heap.blocks(blocks);
    } catch (UncheckedIOException failure) {
      throw failure.getCause();
    }
    writer.finish();
  }

  private static void addInfos(RecordableHeap heap, Map<Request, Response> answers) {
    AddressList infoAddrs = heap.infoAddrs();
    List<@Nullable InfoTable> tables = heap.infoTables(infoAddrs);
    AddressList srts = heap.srts(infoAddrs);
    List<@Nullable SourceInfo> sources = heap.sourceInfos(infoAddrs);
    AddressList constructors =
        AddressList.of(
            tables.stream()
                .filter(table -> table != null && table.hasConstructorName())
                .mapToLong(table -> table.address().address())
                .toArray());
    List<@Nullable ConstructorName> names = heap.constructorNames(constructors);
    for (int i = 0; i < infoAddrs.size(); i++) {
      AddressList one = AddressList.of(infoAddrs.get(i));
      InfoTable table = tables.get(i);
      if (table != null) {
        answers.put(
            new Request.InfoTables(one),
            Response.MemoryChunks.of(List.of(table.standardPart(heap.target().profiling()))));
      }
      answers.put(new Request.Srt(one), new Response.Addresses(AddressList.of(srts.get(i))));
      answers.put(
          new Request.SourceInfo(new InfoPtr(infoAddrs.get(i))),
          ResponseValues.response(sources.get(i)));
    }
    for (int i = 0; i < constructors.size(); i++) {
      ConstructorName name = names.get(i);
      if (name != null) {
        answers.put(
            new Request.ConDescr(new InfoPtr(constructors.get(i))),
            new Response.Text(name.toString()));
      }
    }
  }

  private static void addOutside(RecordableHeap heap, Map<Request, Response> answers) {
    AddressList addresses = heap.outsideAddrs();
    List<long @Nullable []> closures = heap.closures(addresses);
    for (int i = 0; i < addresses.size(); i++) {
      long[] words = closures.get(i);
      if (words != null) {
        answers.put(
            new Request.Closures(AddressList.of(addresses.get(i))),
            Response.MemoryChunks.of(List.of(words)));
      }
    }
  }

  private static void addBitmaps(RecordableHeap heap, Map<Request, Response> answers) {
    heap.bitmaps(
        new RecordableHeap.BitmapSink() {
          @Override
          public void function(FunArguments function, PointerBitmap bitmap) {
            answers.putIfAbsent(
                new Request.FunBitmap(function.funAddr(), function.arguments()),
                ResponseValues.response(bitmap));
          }

          @Override
          public void frame(FrameAddress frame, PointerBitmap bitmap) {
            answers.put(
                new Request.StackBitmap(frame.baseAddr(), frame.offsetBytes()),
                ResponseValues.response(bitmap));
          }
        });
  }

  /** With the weak pointers, for which the format has no place of their own. */
  private static AddressList roots(RecordableHeap heap) {
    return AddressList.of(
        LongStream.concat(
                Arrays.stream(heap.roots().toArray()), Arrays.stream(heap.weakPointers().toArray()))
            .toArray());
  }

  /** Passes blocks on in the protocol's way. */
  private static final class Blocks implements BlockSink {
    private final org.ghcdebug.protocol.wire.BlockSink sink;
    private final Work work;
    private long written;

    Blocks(org.ghcdebug.protocol.wire.BlockSink sink, Work work) {
      this.sink = sink;
      this.work = work;
    }

    @Override
    public void group(BlockGroup group) {
      sink.begin(group.flags(), group.startAddr(), group.lengthBytes());
    }

    @Override
    public void contents(MemorySegment bytes) {
      sink.bytes(Unpooled.wrappedBuffer(bytes.asByteBuffer()));
      written += bytes.byteSize();
      work.progress("writing blocks (bytes)", written, -1);
      work.checkStopped();
    }
  }
}
