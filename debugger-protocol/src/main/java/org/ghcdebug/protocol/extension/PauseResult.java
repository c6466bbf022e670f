package org.ghcdebug.protocol.extension;

import io.netty.buffer.ByteBuf;
import java.time.Duration;

/**
 * The answer to PAUSE2.
 *
 * @param isFork whether the program goes on, and a copy of it answers
 * @param pid of who answers
 * @param stopTime until everything stood still
 * @param stallTime from there until the program went on, in a fork
 * @param forkTime of that, the system call alone
 * @param remark of a pause, why it is none of a fork, which was preferred; of a fork, a warning
 *     that memory may become short; else empty
 */
public record PauseResult(
    boolean isFork,
    long pid,
    Duration stopTime,
    Duration stallTime,
    Duration forkTime,
    String remark) {
  /**
   * Reads an answer.
   *
   * @throws org.ghcdebug.protocol.error.MalformedDataException when it ends too early
   */
  public static PauseResult decode(ByteBuf payload) {
    return Payload.read(ExtensionCommand.PAUSE2, payload, PauseResult::read);
  }

  private static PauseResult read(Payload payload) {
    boolean isFork = payload.u8() == 1;
    payload.u8();
    payload.u16();
    long pid = payload.u32();
    payload.u64(); // the pause's number
    return new PauseResult(
        isFork,
        pid,
        Duration.ofNanos(payload.u64()),
        Duration.ofNanos(payload.u64()),
        Duration.ofNanos(payload.u64()),
        payload.text());
  }
}
