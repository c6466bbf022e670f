package org.ghcdebug.protocol.closure;

/** Why a thread does not run (rts/Constants.h, {@code why_blocked}), GHC 9.2 to 9.14. */
public enum BlockReason {
  NOT_BLOCKED(0, true),
  MVAR(1, true),
  MVAR_READ(14, true),
  BLACK_HOLE(2, true),
  READ(3, false),
  WRITE(4, false),
  DELAY(5, false),
  STM(6, false),
  /** Windows only. */
  DO_PROC(7, false),
  FOREIGN_CALL(10, false),
  INTERRUPTIBLE_FOREIGN_CALL(11, false),
  /** It throws an exception to a thread that blocks exceptions. */
  THROW_TO(12, true),
  MIGRATING(13, false),
  /** A number that no supported GHC uses. */
  UNKNOWN(-1, false);

  private final int number;
  private final boolean pointer;

  BlockReason(int number, boolean pointer) {
    this.number = number;
    this.pointer = pointer;
  }

  /** The RTS's number, -1 for {@link #UNKNOWN}. */
  public int number() {
    return number;
  }

  /**
   * Whether {@code block_info} is a pointer to a closure: the MVar, message or, when not blocked,
   * queue neighbor.
   */
  public boolean hasPointer() {
    return pointer;
  }

  /** The reason with that number, {@link #UNKNOWN} when there is none. O(1). */
  public static BlockReason ofNumber(int number) {
    return switch (number) {
      case 0 -> NOT_BLOCKED;
      case 1 -> MVAR;
      case 2 -> BLACK_HOLE;
      case 3 -> READ;
      case 4 -> WRITE;
      case 5 -> DELAY;
      case 6 -> STM;
      case 7 -> DO_PROC;
      case 10 -> FOREIGN_CALL;
      case 11 -> INTERRUPTIBLE_FOREIGN_CALL;
      case 12 -> THROW_TO;
      case 13 -> MIGRATING;
      case 14 -> MVAR_READ;
      default -> UNKNOWN;
    };
  }
}
