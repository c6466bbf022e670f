package org.ghcdebug.client.eventlog.source;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.protocol.error.SourceUnavailableException;

/**
 * A finished source as a file that can be read at any place: the file itself, or a temporary copy
 * of what is compressed or comes from a pipe, which closing deletes.
 */
public final class PlainFile implements AutoCloseable {
  private static final int PIECE_BYTES = 1 << 16;

  private final String name;
  private final Path path;
  private final boolean copied;

  private PlainFile(String name, Path path, boolean copied) {
    this.name = name;
    this.path = path;
    this.copied = copied;
  }

  /**
   * Makes the copy if one is needed.
   *
   * @throws SourceUnavailableException if the source cannot be read or the copy not be written
   * @throws org.ghcdebug.protocol.error.CanceledException if {@code work} was canceled
   */
  public static PlainFile of(LogSource source, Work work) {
    Path file = source instanceof FileLog log ? log.plainFile() : null;
    if (file != null) {
      return new PlainFile(source.name(), file, false);
    }
    try {
      var plain =
          new PlainFile(source.name(), Files.createTempFile("ghc-debug", ".eventlog"), true);
      try {
        copy(source, plain.path, work);
        return plain;
      } catch (IOException | RuntimeException e) {
        plain.close();
        throw e;
      }
    } catch (IOException e) {
      throw new SourceUnavailableException(
          source.name(), "copying it to a temporary file failed: " + e.getMessage(), e);
    }
  }

  private static void copy(LogSource source, Path target, Work work) throws IOException {
    ByteBuffer piece = ByteBuffer.allocate(PIECE_BYTES);
    long bytes = 0;
    try (LogChannel in = new CancelableChannel(source.open(), work);
        FileChannel out = FileChannel.open(target, StandardOpenOption.WRITE)) {
      while (in.read(piece) >= 0) {
        piece.flip();
        bytes += piece.remaining();
        while (piece.hasRemaining()) {
          out.write(piece);
        }
        piece.clear();
        work.progress("copying the eventlog (bytes)", bytes, -1);
        work.checkStopped();
      }
    }
  }

  public Path path() {
    return path;
  }

  @Override
  public void close() {
    try {
      if (copied) {
        Files.deleteIfExists(path);
      }
    } catch (IOException e) {
      throw new SourceUnavailableException(
          name, "deleting its temporary copy failed: " + e.getMessage(), e);
    }
  }
}
