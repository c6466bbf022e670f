package org.ghcdebug.protocol.error;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** Failures of reading and writing in words. */
public final class IoReason {
  private IoReason() {}

  /** What happened; the file is named elsewhere. */
  public static String of(IOException e) {
    return switch (e) {
      case NoSuchFileException _ -> "no such file or directory";
      case AccessDeniedException _ -> "permission denied";
      case FileSystemException failure when failure.getReason() != null -> failure.getReason();
      default -> e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    };
  }
}
