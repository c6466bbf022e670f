package org.ghcdebug.repl.command;

import org.ghcdebug.protocol.error.CanceledException;
import org.ghcdebug.protocol.error.DebuggeeRefusedException;
import org.ghcdebug.protocol.error.DebuggerException;
import org.ghcdebug.protocol.error.LimitExceededException;
import org.ghcdebug.protocol.error.MalformedDataException;
import org.ghcdebug.protocol.error.SourceUnavailableException;
import org.ghcdebug.protocol.error.TimeLimitException;
import org.ghcdebug.protocol.error.UnsupportedTargetException;

/** What the process, a verb and a script end with. */
public final class ExitCode {
  public static final int OK = 0;

  /** An assertion failed, or a validation found a fault. */
  public static final int FAILED = 1;

  /** The command line cannot be understood. */
  public static final int USAGE = 2;

  /** Cannot connect or open. */
  public static final int UNAVAILABLE = 3;

  /** Protocol or GHC version not supported. */
  public static final int UNSUPPORTED = 4;

  /** The input is damaged; what could be read was printed. */
  public static final int DAMAGED = 5;

  /** A time-out passed, or the pause budget was spent. */
  public static final int TIME_LIMIT = 6;

  /** Out of memory, or over another limit. */
  public static final int LIMIT = 7;

  /** A fault of this program, as {@code EX_SOFTWARE} of sysexits.h. */
  public static final int INTERNAL = 70;

  /** Interrupted; the debuggee was resumed first. */
  public static final int INTERRUPTED = 130;

  private ExitCode() {}

  /** The code of a failure. */
  static int of(Throwable failure) {
    return switch (failure) {
      case DebuggerException known -> of(known);
      case UsageException _ -> USAGE;
      case OutOfMemoryError _ -> LIMIT;
      default -> INTERNAL;
    };
  }

  private static int of(DebuggerException failure) {
    return switch (failure) {
      case CanceledException _ -> INTERRUPTED;
      case DebuggeeRefusedException _ -> UNSUPPORTED;
      case LimitExceededException _ -> LIMIT;
      case MalformedDataException _ -> DAMAGED;
      case SourceUnavailableException _ -> UNAVAILABLE;
      case TimeLimitException _ -> TIME_LIMIT;
      case UnsupportedTargetException _ -> UNSUPPORTED;
    };
  }
}
