package org.ghcdebug.client.source.snapshot;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** Failures of the file system in words. */
final class Failures {
  private Failures() {}

  /** What happened; the file is named elsewhere. */
  static String reason(IOException failure) {
    return switch (failure) {
      case NoSuchFileException _ -> "no such file or directory";
      case AccessDeniedException _ -> "permission denied";
      case FileSystemException e when e.getReason() != null -> e.getReason();
      default -> String.valueOf(failure.getMessage());
    };
  }
}
