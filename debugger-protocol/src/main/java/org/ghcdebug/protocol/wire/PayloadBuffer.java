package org.ghcdebug.protocol.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.ghcdebug.protocol.error.MalformedDataException;

/**
 * Collects one response's payload after another in memory. The memory is on the Java heap and grows
 * with the bytes that come; there is nothing to release. For one thread at a time.
 */
public final class PayloadBuffer implements BodySink {
  /** Room for the largest request's answer of ordinary closures, many times over. */
  public static final int DEFAULT_MAX_BYTES = 512 << 20;

  private static final int KEPT_BYTES = 1 << 20;

  private final String where;
  private final int maxBytes;
  private ByteBuf bytes = Unpooled.EMPTY_BUFFER;

  /**
   * @param where the stream's name in error messages
   */
  public PayloadBuffer(String where) {
    this(where, DEFAULT_MAX_BYTES);
  }

  /**
   * @param where the stream's name in error messages
   * @param maxBytes the largest payload to collect
   */
  public PayloadBuffer(String where, int maxBytes) {
    this.where = where;
    this.maxBytes = maxBytes;
  }

  /**
   * @throws MalformedDataException when there are more bytes than allowed
   */
  @Override
  public void body(ByteBuf more) {
    long sizeBytes = (long) bytes.readableBytes() + more.readableBytes();
    if (sizeBytes > maxBytes) {
      throw new MalformedDataException(
          where,
          bytes.readableBytes(),
          "payload of %d bytes or more, expected at most %d".formatted(sizeBytes, maxBytes));
    }
    if (bytes.capacity() == 0) {
      bytes = Unpooled.buffer(Math.max(1024, more.readableBytes()), Integer.MAX_VALUE);
    }
    bytes.writeBytes(more);
  }

  /** What has been collected; valid until the next {@link #body} or {@link #clear}. */
  public ByteBuf bytes() {
    return bytes;
  }

  /** Forgets what has been collected; a large buffer is given up. */
  public void clear() {
    if (bytes.capacity() > KEPT_BYTES) {
      bytes = Unpooled.EMPTY_BUFFER;
    } else {
      bytes.clear();
    }
  }
}
