package org.ghcdebug.protocol.wire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Real exchanges, byte for byte. */
class RecordedExchangesTest {
  static List<String> recordings() {
    return Recording.NAMES;
  }

  @ParameterizedTest
  @MethodSource("recordings")
  void everyRequestEncodesToTheRecordedFrame(String name) {
    for (Recording.Exchange exchange : Recording.load(name).exchanges()) {
      ByteBuf out = Unpooled.buffer();
      RequestEncoder.encode(exchange.request(), out);
      assertArrayEquals(
          exchange.requestBytes(), ByteBufUtil.getBytes(out), () -> "" + exchange.request());
    }
  }

  @ParameterizedTest
  @MethodSource("recordings")
  void everyResponseEncodesToTheRecordedPayload(String name) {
    for (Recording.Exchange exchange : Recording.load(name).exchanges()) {
      ByteBuf out = Unpooled.buffer();
      ResponseEncoder.encodePayload(exchange.response(), out::writeBytes);
      assertArrayEquals(
          exchange.payloadBytes(), ByteBufUtil.getBytes(out), () -> "" + exchange.request());
    }
  }

  @ParameterizedTest
  @MethodSource("recordings")
  void aStreamOfResponsesIsTheRecordedExchangesInOrder(String name) {
    Recording recording = Recording.load(name);
    ByteBuf in = Unpooled.wrappedBuffer(recording.responseBytes());
    var frames = new FrameDecoder(name);
    var payload = new PayloadBuffer(name);
    for (Recording.Exchange exchange : recording.exchanges()) {
      payload.clear();
      Status status = frames.decode(in, payload);
      assertEquals(Status.OKAY, status);
      assertEquals(
          exchange.response(), ResponseDecoder.decode(exchange.request(), status, payload.bytes()));
    }
    assertFalse(in.isReadable());
    assertFalse(frames.isInsideResponse());
  }
}
