package org.ghcdebug.protocol.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.ghcdebug.protocol.error.MalformedDataException;
import org.ghcdebug.protocol.wire.WireArbitraries.Pair;

class ResponseCodecProperties {
  @Provide
  Arbitrary<Pair> pairs() {
    return WireArbitraries.pairs();
  }

  @Provide
  Arbitrary<Pair> answeredPairs() {
    return WireArbitraries.answeredPairs();
  }

  @Provide
  Arbitrary<Response.Blocks> blocks() {
    return WireArbitraries.blocks();
  }

  @Provide
  Arbitrary<Request> requests() {
    return WireArbitraries.requests();
  }

  @Property
  void aStreamOfResponsesDecodesToThemHoweverItIsFramedAndCut(
      @ForAll @Size(max = 8) List<@From("pairs") Pair> pairs,
      @ForAll @IntRange(min = 1, max = 40) int frameBytes,
      @ForAll @IntRange(min = 1, max = 40) int chunkBytes) {
    ByteBuf stream = Unpooled.buffer();
    var writer = new FrameWriter(frameBytes, stream::writeBytes);
    pairs.forEach(pair -> ResponseEncoder.encode(pair.response(), writer));

    var decoded = new ArrayList<Response>();
    var frames = new FrameDecoder("stream");
    var payload = new PayloadBuffer("stream");
    while (stream.isReadable()) {
      ByteBuf chunk = stream.readSlice(Math.min(chunkBytes, stream.readableBytes()));
      Status status;
      while ((status = frames.decode(chunk, payload)) != null) {
        Request request = pairs.get(decoded.size()).request();
        decoded.add(ResponseDecoder.decode(request, status, payload.bytes()));
        payload.clear();
      }
    }

    assertEquals(pairs.stream().map(Pair::response).toList(), decoded);
    assertFalse(frames.isInsideResponse());
  }

  @Property
  void streamedBlocksAreThoseOfTheResponseHoweverTheyAreCut(
      @ForAll("blocks") Response.Blocks expected,
      @ForAll @IntRange(min = 1, max = 40) int chunkBytes) {
    ByteBuf payload = encode(expected);

    var sink = new CollectingBlockSink();
    var decoder = new BlockStreamDecoder("blocks", sink);
    while (payload.isReadable()) {
      decoder.body(payload.readSlice(Math.min(chunkBytes, payload.readableBytes())));
    }

    assertEquals(expected.blocks().size(), decoder.finish());
    assertEquals(expected.blocks(), sink.blocks());
  }

  @Property
  void aPayloadThatEndsEarlyIsMalformed(@ForAll("answeredPairs") Pair pair, @ForAll int seed) {
    ByteBuf payload = encode(pair.response());
    Assume.that(payload.isReadable());
    ByteBuf shortened = payload.slice(0, Integer.remainderUnsigned(seed, payload.readableBytes()));
    // VERSION, addresses and blocks have no count: some of their prefixes are answers too.
    try {
      Response other = ResponseDecoder.decode(pair.request(), Status.OKAY, shortened);
      assertTrue(
          other instanceof Response.Version
              || other instanceof Response.Addresses
              || other instanceof Response.Blocks,
          () -> "" + other);
    } catch (MalformedDataException e) {
      assertTrue(e.offsetBytes() <= shortened.capacity(), e.getMessage());
    }
  }

  @Property
  void aPayloadWithMoreBytesIsMalformed(@ForAll("answeredPairs") Pair pair) {
    ByteBuf payload = encode(pair.response()).writeByte(1);

    assertThrows(
        MalformedDataException.class,
        () -> ResponseDecoder.decode(pair.request(), Status.OKAY, payload));
  }

  @Property
  void anArbitraryPayloadIsAResponseOrMalformed(
      @ForAll("requests") Request request, @ForAll @Size(max = 120) byte[] bytes) {
    try {
      ResponseDecoder.decode(request, Status.OKAY, Unpooled.wrappedBuffer(bytes));
    } catch (MalformedDataException e) {
      assertTrue(e.offsetBytes() >= 0 && e.offsetBytes() <= bytes.length, e.getMessage());
    }
  }

  @Property
  void anArbitraryStreamIsFramesOrMalformedAndNeverMoreThanItsBytes(
      @ForAll @Size(max = 200) byte[] bytes) {
    ByteBuf in = Unpooled.wrappedBuffer(bytes);
    var frames = new FrameDecoder("stream", 1000);
    var payload = new PayloadBuffer("stream", 100);
    try {
      while (frames.decode(in, payload) != null) {
        assertTrue(payload.bytes().readableBytes() <= bytes.length);
        payload.clear();
      }
      assertFalse(in.isReadable());
    } catch (MalformedDataException e) {
      assertTrue(e.offsetBytes() >= 0 && e.offsetBytes() <= bytes.length, e.getMessage());
    }
  }

  @Property
  void arbitraryBlockBytesAreBlocksOrMalformed(@ForAll @Size(max = 200) byte[] bytes) {
    var sink = new CollectingBlockSink();
    var decoder = new BlockStreamDecoder("blocks", sink);
    try {
      decoder.body(Unpooled.wrappedBuffer(bytes));
      decoder.finish();
    } catch (MalformedDataException e) {
      assertTrue(e.offsetBytes() >= 0 && e.offsetBytes() <= bytes.length, e.getMessage());
    }
  }

  private static ByteBuf encode(Response response) {
    ByteBuf payload = Unpooled.buffer();
    ResponseEncoder.encodePayload(response, payload::writeBytes);
    return payload;
  }
}
