package org.ghcdebug.protocol.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import org.ghcdebug.protocol.error.MalformedDataException;
import org.jspecify.annotations.Nullable;

/**
 * Takes response frames apart, however the stream is cut into chunks. It buffers nothing but half a
 * frame header. For one thread at a time.
 */
public final class FrameDecoder {
  /** Far beyond any heap that can be analysed, yet no overflow in sums of two. */
  public static final long DEFAULT_MAX_RESPONSE_BYTES = 1L << 44;

  private static final int HEADER_BYTES = 6;
  private static final int MAX_REASON_BYTES = 4096;

  private final String where;
  private final long maxResponseBytes;

  private long offsetBytes;
  private long header;
  private int headerBytes;
  private Status status = Status.OKAY;
  private long bodyLeftBytes;
  private long responseBytes;
  private final ByteBuf reason = Unpooled.buffer(0, MAX_REASON_BYTES);

  /**
   * @param where the stream's name in error messages
   */
  public FrameDecoder(String where) {
    this(where, DEFAULT_MAX_RESPONSE_BYTES);
  }

  /**
   * @param where the stream's name in error messages
   * @param maxResponseBytes the largest payload to accept
   */
  public FrameDecoder(String where, long maxResponseBytes) {
    this.where = where;
    this.maxResponseBytes = maxResponseBytes;
  }

  /**
   * Reads from {@code in} to the end of the current response, or all of it when the response goes
   * on. After an end the next call begins the next response, perhaps with bytes that are still in
   * {@code in}.
   *
   * @param sink gets the bodies, but not those of errors; what it got is void when the status
   *     returned is an error
   * @return the last frame's status, or null when the response is not complete yet
   * @throws MalformedDataException when a status is unknown or the response too long; nothing more
   *     can be read from that stream
   */
  public @Nullable Status decode(ByteBuf in, BodySink sink) {
    while (true) {
      while (headerBytes < HEADER_BYTES) {
        if (!in.isReadable()) {
          return null;
        }
        header = header << 8 | in.readUnsignedByte();
        offsetBytes++;
        if (++headerBytes == HEADER_BYTES) {
          beginFrame(header >>> 16, (int) header & 0xffff);
        }
      }
      int available = (int) Math.min(bodyLeftBytes, in.readableBytes());
      if (available > 0) {
        bodyLeftBytes -= available;
        offsetBytes += available;
        ByteBuf body = in.readSlice(available);
        if (status.isError()) {
          reason.writeBytes(body, Math.min(available, reason.maxWritableBytes()));
        } else {
          sink.body(body);
        }
      }
      if (bodyLeftBytes > 0) {
        return null;
      }
      header = 0;
      headerBytes = 0;
      if (status.isLast()) {
        responseBytes = 0;
        return status;
      }
    }
  }

  /** Whether some but not all bytes of a response have been read. */
  public boolean isInsideResponse() {
    return headerBytes > 0 || responseBytes > 0 || !status.isLast();
  }

  /** What the last response says besides its error status, for people; empty when nothing. */
  public String reason() {
    return reason.toString(StandardCharsets.UTF_8);
  }

  private void beginFrame(long lengthBytes, int statusCode) {
    reason.clear();
    status =
        Status.findByCode(statusCode)
            .orElseThrow(
                () ->
                    new MalformedDataException(
                        where,
                        offsetBytes - 2,
                        "response status 0x%04x, expected one of 0x0000, 0x0001, 0x0100 to 0x010a"
                            .formatted(statusCode)));
    responseBytes = Math.addExact(responseBytes, lengthBytes);
    if (responseBytes > maxResponseBytes) {
      throw new MalformedDataException(
          where,
          offsetBytes - HEADER_BYTES,
          "response of %d bytes or more, expected at most %d"
              .formatted(responseBytes, maxResponseBytes));
    }
    bodyLeftBytes = lengthBytes;
  }
}
