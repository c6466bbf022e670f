package org.ghcdebug.protocol.extension;

import io.netty.buffer.ByteBuf;

/**
 * The answer to STATE: who holds the program, and how the last pause ended.
 *
 * @param stage what the program does
 * @param holder who controls that pause
 * @param lastEnd how the last pause ended
 * @param nanos how long the pause has lasted, or did the last one, in nanoseconds
 * @param client name of the client in control, if there is one
 */
public record PauseState(Stage stage, Holder holder, End lastEnd, long nanos, String client) {
  /** What the program does; or its copy, if that answers. */
  public enum Stage {
    RUNNING,
    PAUSED,
    /** A pause is waited for. */
    PAUSING,
    /** It is the copy that a fork made. */
    FROZEN
  }

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

  /** Whether the program is held, or a pause of it is waited for. */
  public boolean isPaused() {
    return stage == Stage.PAUSED || stage == Stage.PAUSING;
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
    int stage = payload.u8();
    int holder = payload.u8();
    int end = payload.u16();
    payload.u32(); // clients
    payload.u64(); // number of the pause
    long nanos = payload.u64();
    payload.u64(); // budget left
    return new PauseState(
        Stage.values()[stage & 3],
        Holder.values()[holder & 3],
        End.values()[Math.min(end, End.values().length - 1)],
        nanos,
        payload.text());
  }
}
