package org.ghcdebug.protocol.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.function.Consumer;

/**
 * Cuts response payloads into frames of bounded size. One response after another; for one thread at
 * a time. Its memory is one frame on the Java heap; there is nothing to release.
 */
public final class FrameWriter implements BodySink {
  public static final int DEFAULT_MAX_BODY_BYTES = 64 << 10;

  private static final int HEADER_BYTES = 6;

  private final int maxBodyBytes;
  private final Consumer<ByteBuf> out;
  private final ByteBuf frame;

  /**
   * @param out gets each frame, whole; valid during that call only
   */
  public FrameWriter(Consumer<ByteBuf> out) {
    this(DEFAULT_MAX_BODY_BYTES, out);
  }

  /**
   * @param maxBodyBytes the most bytes of payload in one frame, at least 1
   * @param out gets each frame, whole; valid during that call only
   */
  public FrameWriter(int maxBodyBytes, Consumer<ByteBuf> out) {
    if (maxBodyBytes < 1) {
      throw new IllegalArgumentException("frame bodies of " + maxBodyBytes + " bytes");
    }
    this.maxBodyBytes = maxBodyBytes;
    this.out = out;
    this.frame = Unpooled.buffer().writeZero(HEADER_BYTES);
  }

  /** The next bytes of the current response. */
  @Override
  public void body(ByteBuf bytes) {
    while (bytes.isReadable()) {
      int room = maxBodyBytes - bodyBytes();
      if (room == 0) {
        flush(Status.CONTINUES);
      } else {
        frame.writeBytes(bytes, Math.min(room, bytes.readableBytes()));
      }
    }
  }

  /**
   * Ends the current response.
   *
   * @param status {@link Status#OKAY}, or an error, which voids the bytes written before
   * @throws IllegalArgumentException when it is no last status
   */
  public void end(Status status) {
    if (!status.isLast()) {
      throw new IllegalArgumentException(status + " ends no response");
    }
    if (status.isError()) {
      frame.writerIndex(HEADER_BYTES);
    }
    flush(status);
  }

  private int bodyBytes() {
    return frame.writerIndex() - HEADER_BYTES;
  }

  private void flush(Status status) {
    frame.setInt(0, bodyBytes());
    frame.setShort(4, status.code());
    try {
      out.accept(frame);
    } finally {
      frame.setIndex(0, HEADER_BYTES);
    }
  }
}
