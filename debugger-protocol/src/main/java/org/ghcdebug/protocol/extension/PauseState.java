package org.ghcdebug.protocol.extension;

import io.netty.buffer.ByteBuf;

/**
 * The answer to STATE: who holds the program, and how the last pause ended.
 *
 * @param isPaused whether the program is held, or a pause of it is waited for
 * @param holder who controls that pause
 * @param lastEnd how the last pause ended
 * @param client name of the client in control, if there is one
 */
public record PauseState(boolean isPaused, Holder holder, End lastEnd, String client) {
  /** Who controls a pause. */
  public enum Holder {
    NOBODY,
    THIS_CLIENT,
    OTHER_CLIENT,
    PROGRAM
  }

  /** How a pause ended. */
  public enum End {
    NONE_YET,
    RESUMED,
    BUDGET_SPENT,
    CLIENT_GONE,
    BY_PROGRAM
  }

  private static final int PAUSED = 1;
  private static final int PAUSING = 2;

  /**
   * Reads an answer.
   *
   * @throws org.ghcdebug.protocol.error.MalformedDataException when it ends too early
   */
  public static PauseState decode(ByteBuf payload) {
    return Payload.read(ExtensionCommand.STATE, payload, PauseState::read);
  }

  private static PauseState read(Payload payload) {
    int state = payload.u8();
    int holder = payload.u8();
    int end = payload.u16();
    payload.u32(); // clients
    payload.u64(); // number of the pause
    payload.u64(); // time it has lasted
    payload.u64(); // budget left
    return new PauseState(
        state == PAUSED || state == PAUSING,
        Holder.values()[holder & 3],
        End.values()[Math.min(end, End.values().length - 1)],
        payload.text());
  }
}
