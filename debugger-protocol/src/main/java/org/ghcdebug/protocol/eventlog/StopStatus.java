package org.ghcdebug.protocol.eventlog;

/**
 * Why a thread stopped running, as the raw number of the event. Unknown numbers are kept.
 *
 * <p>Blocked statuses are the runtime's {@code why_blocked} code plus 6; see {@code
 * rts/include/rts/Constants.h}.
 *
 * @param code the number on the wire
 */
public record StopStatus(int code) {
  public static final StopStatus NONE = new StopStatus(0);
  public static final StopStatus HEAP_OVERFLOW = new StopStatus(1);
  public static final StopStatus STACK_OVERFLOW = new StopStatus(2);
  public static final StopStatus YIELDING = new StopStatus(3);
  public static final StopStatus BLOCKED = new StopStatus(4);
  public static final StopStatus FINISHED = new StopStatus(5);
  public static final StopStatus FOREIGN_CALL = new StopStatus(6);
  public static final StopStatus BLOCKED_ON_MVAR = new StopStatus(7);
  public static final StopStatus BLOCKED_ON_BLACK_HOLE = new StopStatus(8);
  public static final StopStatus BLOCKED_ON_STM = new StopStatus(12);
  public static final StopStatus BLOCKED_ON_THROW_TO = new StopStatus(18);
  public static final StopStatus BLOCKED_ON_MVAR_READ = new StopStatus(20);

  /** What a thread does after it stopped. */
  public enum Next {
    /** It stays runnable and waits for its turn. */
    QUEUED,
    /** It is in a foreign call. */
    FOREIGN,
    /** It waits for something. */
    BLOCKED,
    /** It is gone. */
    FINISHED
  }

  /** What the thread does next. Unknown codes count as blocked. */
  public Next next() {
    return switch (code) {
      case 0, 1, 2, 3, 19 -> Next.QUEUED;
      case 5 -> Next.FINISHED;
      case 6, 16, 17 -> Next.FOREIGN;
      default -> Next.BLOCKED;
    };
  }

  /** Words for people and for keys of results: {@code "MVar"}, {@code "heap overflow"}. */
  public String label() {
    return switch (code) {
      case 0 -> "none";
      case 1 -> "heap overflow";
      case 2 -> "stack overflow";
      case 3 -> "yielding";
      case 4 -> "blocked";
      case 5 -> "finished";
      case 6 -> "foreign call";
      case 7 -> "MVar";
      case 8 -> "black hole";
      case 9 -> "I/O read";
      case 10 -> "I/O write";
      case 11 -> "delay";
      case 12 -> "STM";
      case 13 -> "asynchronous I/O";
      case 16 -> "safe C call";
      case 17 -> "interruptible C call";
      case 18 -> "throwTo";
      case 19 -> "migrating";
      case 20 -> "MVar read";
      default -> "other(" + code + ")";
    };
  }
}
