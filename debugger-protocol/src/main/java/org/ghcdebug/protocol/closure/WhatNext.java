package org.ghcdebug.protocol.closure;

/** How a thread goes on (rts/Constants.h, {@code what_next}), GHC 9.2 to 9.14. */
public enum WhatNext {
  RUN_COMPILED(1),
  RUN_INTERPRETED(2),
  KILLED(3),
  COMPLETE(4),
  /** A number that no supported GHC uses. */
  UNKNOWN(-1);

  private final int number;

  WhatNext(int number) {
    this.number = number;
  }

  /** The RTS's number, -1 for {@link #UNKNOWN}. */
  public int number() {
    return number;
  }

  /** The value with that number, {@link #UNKNOWN} when there is none. O(1). */
  public static WhatNext ofNumber(int number) {
    return switch (number) {
      case 1 -> RUN_COMPILED;
      case 2 -> RUN_INTERPRETED;
      case 3 -> KILLED;
      case 4 -> COMPLETE;
      default -> UNKNOWN;
    };
  }
}
