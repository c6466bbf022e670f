package org.ghcdebug.protocol.wire;

import java.util.Optional;

/** The status of a response frame. */
public enum Status {
  /** The last frame of an answer. */
  OKAY(0x0000, "done"),
  /** Another frame of the same response follows. */
  CONTINUES(0x0001, "more follows"),
  BAD_COMMAND(0x0100, "the stub does not know this request, or not in this program's RTS way"),
  ALREADY_PAUSED(0x0101, "the program is paused already"),
  NOT_PAUSED(0x0102, "the program is running; pause it first"),
  NO_RESUME(0x0103, "the program cannot be resumed after a POLL"),
  BAD_STACK(0x0104, "there is no stack frame of a known type at that address"),
  // What follows only our own debuggee library says (docs/protocol-extensions.md).
  BUSY(0x0105, "another client holds the program"),
  TIMED_OUT(0x0106, "the program did not stop in time, and goes on"),
  REFUSED(0x0107, "this program cannot do that"),
  UNAUTHORIZED(0x0108, "no token was given, or a wrong one"),
  FAILED(0x0109, "the debuggee tried and failed"),
  EXPIRED(0x010a, "the pause ended while this was being answered");

  private final int code;
  private final String meaning;

  Status(int code, String meaning) {
    this.code = code;
    this.meaning = meaning;
  }

  /** The number on the wire. */
  public int code() {
    return code;
  }

  /** What it means and what to do next, as a part of a sentence. */
  public String meaning() {
    return meaning;
  }

  /** Whether it ends a response, well or not. */
  public boolean isLast() {
    return this != CONTINUES;
  }

  /** Whether it ends a response that has no answer. */
  public boolean isError() {
    return this != OKAY && this != CONTINUES;
  }

  /** The status of a number on the wire, empty when there is none. */
  public static Optional<Status> findByCode(int code) {
    for (Status status : values()) {
      if (status.code == code) {
        return Optional.of(status);
      }
    }
    return Optional.empty();
  }
}
