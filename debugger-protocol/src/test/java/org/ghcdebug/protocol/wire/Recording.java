package org.ghcdebug.protocol.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.zip.GZIPInputStream;

/**
 * A recorded connection between the Haskell client 0.7 and a program with the existing stub, from
 * the resources below {@code /wire}.
 *
 * @param requestBytes everything that the client sent
 * @param responseBytes everything that the stub sent
 */
public record Recording(
    String name, List<Exchange> exchanges, byte[] requestBytes, byte[] responseBytes) {
  /** All recordings. */
  public static final List<String> NAMES =
      List.of(
          "zoo-9.6.6-ondemand",
          "zoo-9.10.3-ondemand",
          "bigmap40-9.6.6-prof-ondemand",
          "bigmap60-9.6.6-blocks");

  /**
   * A request and what was answered.
   *
   * @param requestBytes the request's frame
   * @param payloadBytes the bodies of the response's frames
   */
  public record Exchange(
      Request request, Response response, byte[] requestBytes, byte[] payloadBytes) {}

  /** Decodes a recording; the place of every exchange is that of the index. */
  public static Recording load(String name) {
    byte[] requests = resource(name + ".req.bin.gz");
    byte[] responses = resource(name + ".resp.bin.gz");
    String index = new String(resource(name + ".index.tsv.gz"), StandardCharsets.UTF_8);
    var exchanges = new ArrayList<Exchange>();
    index
        .lines()
        .skip(1)
        .map(line -> line.split("\t"))
        .forEach(
            row -> {
              byte[] request = slice(requests, row[2], row[3]);
              exchanges.add(exchange(request, slice(responses, row[4], row[5])));
            });
    return new Recording(name, List.copyOf(exchanges), requests, responses);
  }

  private static Exchange exchange(byte[] requestBytes, byte[] responseBytes) {
    if (!(new RequestDecoder().decode(Unpooled.wrappedBuffer(requestBytes))
        instanceof RequestDecoder.Received.Valid(Request request))) {
      throw new AssertionError("a recorded request does not decode");
    }
    var payload = new PayloadBuffer("recording");
    ByteBuf in = Unpooled.wrappedBuffer(responseBytes);
    Status status = new FrameDecoder("recording").decode(in, payload);
    if (status == null || in.isReadable()) {
      throw new AssertionError("a recorded response has not the length of its index entry");
    }
    byte[] payloadBytes = new byte[payload.bytes().readableBytes()];
    payload.bytes().getBytes(payload.bytes().readerIndex(), payloadBytes);
    Response response = ResponseDecoder.decode(request, status, payload.bytes());
    return new Exchange(request, response, requestBytes, payloadBytes);
  }

  private static byte[] slice(byte[] bytes, String offset, String length) {
    int from = Integer.parseInt(offset);
    return Arrays.copyOfRange(bytes, from, from + Integer.parseInt(length));
  }

  private static byte[] resource(String name) {
    try (InputStream in = Recording.class.getResourceAsStream("/wire/" + name)) {
      return new GZIPInputStream(Objects.requireNonNull(in, name)).readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
