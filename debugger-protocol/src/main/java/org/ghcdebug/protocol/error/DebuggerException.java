package org.ghcdebug.protocol.error;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** Root of everything that can go wrong while debugging a heap. Unchecked. */
public abstract sealed class DebuggerException extends RuntimeException
    permits CanceledException,
        DebuggeeRefusedException,
        LimitExceededException,
        MalformedDataException,
        SourceUnavailableException,
        TimeLimitException,
        UnsupportedTargetException {
  @Serial private static final long serialVersionUID = 1L;

  DebuggerException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
