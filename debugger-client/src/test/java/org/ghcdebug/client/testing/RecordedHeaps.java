package org.ghcdebug.client.testing;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.ghcdebug.protocol.wire.FrameDecoder;
import org.ghcdebug.protocol.wire.PayloadBuffer;
import org.ghcdebug.protocol.wire.Request;
import org.ghcdebug.protocol.wire.RequestDecoder;
import org.ghcdebug.protocol.wire.Response;
import org.ghcdebug.protocol.wire.ResponseDecoder;
import org.ghcdebug.protocol.wire.Status;
import org.ghcdebug.stub.heap.BlockGroup;
import org.ghcdebug.stub.heap.ReplayedHeap;

/** The heaps of real programs, from the recorded exchanges of the reference client. */
public final class RecordedHeaps {
  private static final Path FOLDER =
      Path.of(
          System.getProperty("ghcdebug.projectRoot", ".."),
          "debugger-protocol/src/test/resources/wire");

  /** All exchanges. */
  public static final List<String> NAMES =
      List.of(
          "zoo-9.6.6-ondemand",
          "zoo-9.10.3-ondemand",
          "bigmap40-9.6.6-prof-ondemand",
          "bigmap60-9.6.6-blocks");

  private RecordedHeaps() {}

  /** The frames that the client sent in an exchange, byte for byte, in their order. */
  public static List<byte[]> requestFrames(String recording) {
    ByteBuf requests = read(recording + ".req.bin.gz");
    List<byte[]> frames = new ArrayList<>();
    while (requests.isReadable()) {
      byte[] frame = new byte[Integer.BYTES + requests.getInt(requests.readerIndex())];
      requests.readBytes(frame);
      frames.add(frame);
    }
    return frames;
  }

  /**
   * What an exchange told of the program's heap.
   *
   * @param recording such as {@code zoo-9.6.6-ondemand}
   */
  public static ReplayedHeap load(String recording) {
    ByteBuf requests = read(recording + ".req.bin.gz");
    ByteBuf responses = read(recording + ".resp.bin.gz");
    ReplayedHeap.Builder heap = new ReplayedHeap.Builder();
    FrameDecoder frames = new FrameDecoder(recording);
    PayloadBuffer payload = new PayloadBuffer(recording);
    while (requests.isReadable()) {
      Request request =
          RequestDecoder.decodeFrame(requests.readSlice(requests.readInt()), recording);
      payload.clear();
      Status status = frames.decode(responses, payload);
      if (status == null) {
        throw new AssertionError(recording + " ends inside a response");
      }
      switch (ResponseDecoder.decode(request, status, payload.bytes())) {
        case Response.Blocks(var blocks) ->
            blocks.forEach(block -> heap.block(group(block), request instanceof Request.AllBlocks));
        case Response response -> heap.entry(request, response);
      }
    }
    return heap.build(recording);
  }

  private static ByteBuf read(String file) {
    try (InputStream in = new GZIPInputStream(Files.newInputStream(FOLDER.resolve(file)))) {
      return Unpooled.wrappedBuffer(in.readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static BlockGroup group(Response.Block block) {
    ByteBuffer contents =
        ByteBuffer.allocate(block.sizeWords() * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    contents.asLongBuffer().put(block.words());
    return new BlockGroup(block.startAddr(), block.flags(), contents);
  }
}
