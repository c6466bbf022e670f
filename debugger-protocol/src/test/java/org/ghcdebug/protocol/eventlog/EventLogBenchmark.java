package org.ghcdebug.protocol.eventlog;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Measures the decoder on one core, on a log made of the real blocks of a sample, repeated with
 * later times. Run by hand:
 *
 * <pre>
 * mvn -q -pl debugger-protocol test-compile exec:exec -Dexec.executable=java \
 *   -Dexec.classpathScope=test -Dexec.args="-cp %classpath \
 *   org.ghcdebug.protocol.eventlog.EventLogBenchmark SAMPLE.eventlog LOG MEGABYTES"
 * </pre>
 *
 * which writes LOG if it is not there yet.
 */
public final class EventLogBenchmark {
  private EventLogBenchmark() {}

  public static void main(String[] arguments) throws IOException {
    Path log = Path.of(arguments[1]);
    if (!Files.exists(log)) {
      byte[] sample =
          arguments[0].endsWith(".gz")
              ? SampleLogs.gunzip(Path.of(arguments[0]))
              : Files.readAllBytes(Path.of(arguments[0]));
      repeat(sample, log, Long.parseLong(arguments[2]) * 1_000_000);
    }
    long size = Files.size(log);
    for (int round = 0; round < 5; round++) {
      ThreadMXBean threads = ManagementFactory.getThreadMXBean();
      long cpu = threads.getCurrentThreadCpuTime();
      long wall = System.nanoTime();
      long events = count(log);
      cpu = threads.getCurrentThreadCpuTime() - cpu;
      wall = System.nanoTime() - wall;
      System.out.printf(
          "%,d bytes, %,d events: %.3f s cpu, %.3f s wall, %.1f M events/s, %.0f MB/s%n",
          size, events, cpu / 1e9, wall / 1e9, events * 1e3 / cpu, size * 1e3 / cpu);
    }
  }

  private static long count(Path log) throws IOException {
    EventLogDecoder decoder = new EventLogDecoder();
    long[] counts = new long[0x1_0000];
    EventVisitor counter =
        new EventVisitor() {
          @Override
          public void event(EventCursor event) {
            counts[event.id()]++;
          }

          @Override
          public void damage(Damage damage) {
            throw new IllegalStateException(damage.toString());
          }
        };
    ByteBuffer piece = ByteBuffer.allocateDirect(1 << 16);
    try (FileChannel channel = FileChannel.open(log)) {
      while (channel.read(piece) >= 0) {
        decoder.push(piece.flip());
        decoder.drain(counter);
        piece.clear();
      }
    }
    decoder.finish();
    decoder.drain(counter);
    return Arrays.stream(counts).sum();
  }

  /** Writes the header once and the blocks again and again, each time later than the last. */
  static void repeat(byte[] sample, Path log, long bytes) throws IOException {
    EventLogDecoder decoder = new EventLogDecoder();
    decoder.push(sample, 0, sample.length);
    decoder.finish();
    List<Integer> times = new ArrayList<>();
    long latest = 0;
    int begin = -1;
    int end = sample.length;
    for (var step = decoder.advance(); step != EventLogDecoder.Step.FINISHED; ) {
      if (step == EventLogDecoder.Step.EVENT) {
        int at = (int) decoder.event().offsetBytes();
        begin = begin < 0 ? at : begin;
        times.add(at + 2);
        latest = Math.max(latest, decoder.event().timestampNanos());
        if (decoder.event().id() == EventType.BLOCK_MARKER.id()) {
          times.add(at + 14);
          latest = Math.max(latest, decoder.event().u64(4));
        }
      } else if (step == EventLogDecoder.Step.LOG_END && decoder.end().endMarker()) {
        // The last block counts the end marker: its size shrinks by two.
        end = (int) decoder.end().offsetBytes() - 2;
      }
      step = decoder.advance();
    }
    ByteBuffer view = ByteBuffer.wrap(sample);
    int lastMarker = 0;
    for (int at : times) {
      if (view.getShort(at - 2) == 18 && at + 22 <= end) {
        lastMarker = at - 2;
      }
    }
    if (lastMarker + view.getInt(lastMarker + 10) == end + 2) {
      view.putInt(lastMarker + 10, view.getInt(lastMarker + 10) - 2);
    }
    try (OutputStream out = Files.newOutputStream(log)) {
      out.write(sample, 0, begin);
      for (long written = begin; written < bytes; written += end - begin) {
        out.write(sample, begin, end - begin);
        for (int at : times) {
          view.putLong(at, view.getLong(at) + latest);
        }
      }
      out.write(new byte[] {(byte) 0xFF, (byte) 0xFF});
    }
  }
}
