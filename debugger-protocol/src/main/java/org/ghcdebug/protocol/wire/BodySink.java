package org.ghcdebug.protocol.wire;

import io.netty.buffer.ByteBuf;

/** Takes the payload of one response, piece by piece. */
@FunctionalInterface
public interface BodySink {
  /**
   * The next bytes of the payload, cut anywhere.
   *
   * @param bytes valid during this call only; its owner releases it
   */
  void body(ByteBuf bytes);
}
