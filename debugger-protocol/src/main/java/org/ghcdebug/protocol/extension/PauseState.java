package org.ghcdebug.protocol.extension;

import io.netty.buffer.ByteBuf;

/**
 * The answer to STATE: who holds the program, and how the last pause ended.
 *
 * @param isRunning whether nobody holds it
 * @param lastEnd how the last pause ended
 * @param controller name of the client in control, if there is one
 */
public record PauseState(boolean isRunning, End lastEnd, String controller) {
  /** How a pause ended. */
  public enum End {
    NONE_YET,
    RESUMED,
    BUDGET_SPENT,
    CLIENT_GONE,
    BY_PROGRAM
  }

  /**
   * Reads an answer.
   *
   * @throws org.ghcdebug.protocol.error.MalformedDataException when it ends too early
   */
  public static PauseState decode(ByteBuf payload) {
    return Payload.read(ExtensionCommand.STATE, payload, PauseState::read);
  }

  private static PauseState read(Payload payload) {
    boolean isRunning = payload.u8() == 0;
    payload.u8();
    int end = payload.u16();
    payload.u32();
    payload.u64();
    payload.u64();
    payload.u64();
    return new PauseState(
        isRunning, End.values()[Math.min(end, End.values().length - 1)], payload.text());
  }
}
