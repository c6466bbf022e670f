package org.ghcdebug.protocol.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
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
import org.ghcdebug.protocol.wire.RequestDecoder.Received;

class RequestCodecProperties {
  @Provide
  Arbitrary<Request> requests() {
    return WireArbitraries.requests();
  }

  @Property
  void aStreamOfRequestsDecodesToThemHoweverItIsCut(
      @ForAll @Size(max = 8) List<@From("requests") Request> requests,
      @ForAll @IntRange(min = 1, max = 40) int chunkBytes) {
    ByteBuf stream = Unpooled.buffer();
    requests.forEach(request -> RequestEncoder.encode(request, stream));

    List<Received> received = receive(stream, chunkBytes, new RequestDecoder());

    assertEquals(requests.stream().<Received>map(Received.Valid::new).toList(), received);
  }

  @Property
  void bytesBeyondWhatTheCommandNeedsAreIgnored(
      @ForAll("requests") Request request, @ForAll @Size(max = 20) byte[] surplus) {
    ByteBuf stream = Unpooled.buffer();
    RequestEncoder.encode(request, stream);
    stream.writeBytes(surplus).setInt(0, stream.readableBytes() - 4);

    assertEquals(List.of(new Received.Valid(request)), receive(stream, 1000, new RequestDecoder()));
  }

  @Property
  void aShortenedRequestIsInvalidAndTheNextOneIsRead(
      @ForAll("requests") Request request, @ForAll @IntRange(min = 0, max = 60) int keptBytes) {
    ByteBuf whole = Unpooled.buffer();
    RequestEncoder.encode(request, whole);
    int frameBytes = whole.readableBytes() - 4;
    Assume.that(keptBytes < frameBytes);
    ByteBuf stream = Unpooled.buffer();
    stream.writeInt(keptBytes).writeBytes(whole, 4, keptBytes);
    RequestEncoder.encode(new Request.Roots(), stream);

    List<Received> received = receive(stream, 7, new RequestDecoder());

    assertInstanceOf(Received.Invalid.class, received.getFirst());
    assertEquals(
        List.of(new Received.Valid(new Request.Roots())), received.subList(1, received.size()));
  }

  @Property
  void arbitraryBytesAreRequestsOrInvalid(
      @ForAll @Size(max = 300) byte[] bytes,
      @ForAll @IntRange(min = 1, max = 40) int chunkBytes,
      @ForAll @IntRange(min = 4, max = 64) int maxRequestBytes) {
    ByteBuf stream = Unpooled.wrappedBuffer(bytes);

    receive(stream, chunkBytes, new RequestDecoder(maxRequestBytes));

    assertTrue(!stream.isReadable());
  }

  @Property
  void anArbitraryFrameIsARequestOrMalformed(
      @ForAll @IntRange(max = 24) int command, @ForAll @Size(max = 40) byte[] payload) {
    ByteBuf frame = Unpooled.buffer().writeInt(command).writeBytes(payload);
    try {
      assertEquals(command, RequestDecoder.decodeFrame(frame, "frame").command().number());
    } catch (MalformedDataException e) {
      assertEquals("frame", e.where());
      assertTrue(e.offsetBytes() >= 0 && e.offsetBytes() <= payload.length + 4, e.getMessage());
    }
  }

  static List<Received> receive(ByteBuf stream, int chunkBytes, RequestDecoder decoder) {
    var received = new ArrayList<Received>();
    while (stream.isReadable()) {
      ByteBuf chunk = stream.readSlice(Math.min(chunkBytes, stream.readableBytes()));
      for (Received next = decoder.decode(chunk); next != null; next = decoder.decode(chunk)) {
        received.add(next);
      }
    }
    return received;
  }
}
