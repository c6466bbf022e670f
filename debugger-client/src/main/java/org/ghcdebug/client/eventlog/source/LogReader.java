package org.ghcdebug.client.eventlog.source;

import java.nio.ByteBuffer;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.protocol.eventlog.EventLogDecoder;
import org.ghcdebug.protocol.eventlog.EventVisitor;

/** Reads one source to its end, on the caller's thread. O(bytes); 64 KiB of memory. */
public final class LogReader {
  private static final int PIECE_BYTES = 1 << 16;

  /** Bytes between two looks at the progress and the cancellation. */
  private static final long REPORT_BYTES = 4 << 20;

  private LogReader() {}

  /**
   * Hands everything that a source holds to a visitor, in stream order.
   *
   * @return bytes read
   * @throws org.ghcdebug.protocol.error.SourceUnavailableException if it cannot be read
   * @throws org.ghcdebug.protocol.error.CanceledException if {@code work} was canceled
   */
  public static long read(LogSource source, EventVisitor visitor, Work work) {
    EventLogDecoder decoder = new EventLogDecoder();
    long total = source.sizeBytes().orElse(-1);
    long bytes = 0;
    long reported = 0;
    ByteBuffer piece = ByteBuffer.allocate(PIECE_BYTES);
    try (LogChannel channel = new CancelableChannel(source.open(), work)) {
      for (int count = channel.read(piece); count >= 0; count = channel.read(piece)) {
        bytes += count;
        decoder.push(piece.flip());
        decoder.drain(visitor);
        piece.clear();
        if (bytes - reported >= REPORT_BYTES) {
          work.progress("reading the eventlog (bytes)", bytes, total);
          work.checkStopped();
          reported = bytes;
        }
      }
    }
    decoder.finish();
    decoder.drain(visitor);
    work.progress("reading the eventlog (bytes)", bytes, total);
    return bytes;
  }
}
