package org.ghcdebug.client.eventlog.source;

import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.OptionalLong;
import org.ghcdebug.protocol.error.SourceUnavailableException;

/** Something that eventlog bytes can be read from, perhaps again and again. */
public interface LogSource {
  /** As the user wrote it. */
  String name();

  /**
   * Opens it, once.
   *
   * @throws SourceUnavailableException if that fails
   */
  LogChannel open();

  /** Whether opening it again later may give a new log: a program that starts or listens again. */
  default boolean isReopenable() {
    return false;
  }

  /** Bytes that there are to read, where known. */
  default OptionalLong sizeBytes() {
    return OptionalLong.empty();
  }

  /** Whether a path names a socket. */
  static boolean isSocket(Path path) {
    return FileLog.isKind(path, 0140000);
  }

  /** Whether a path names a pipe. */
  static boolean isPipe(Path path) {
    return FileLog.isKind(path, 0010000);
  }

  /**
   * The source that a text names: {@code -} for standard input, {@code tcp://HOST:PORT}, the path
   * of a Unix socket, or the path of a file or pipe; compressed files are recognised by content.
   *
   * @throws SourceUnavailableException if it names nothing
   */
  static LogSource parse(String text) {
    if (text.equals("-")) {
      return FileLog.standardInput();
    }
    if (text.startsWith("tcp://")) {
      return SocketLog.tcp(text);
    }
    Path path;
    try {
      path = Path.of(text);
    } catch (InvalidPathException e) {
      throw new SourceUnavailableException(text, "not a path: " + e.getReason(), e);
    }
    if (!Files.exists(path)) {
      throw new SourceUnavailableException(
          text, "no such file; give a file, a pipe, a Unix socket, tcp://HOST:PORT or -");
    }
    if (isSocket(path)) {
      return new SocketLog(text, UnixDomainSocketAddress.of(path));
    }
    return new FileLog(path);
  }
}
