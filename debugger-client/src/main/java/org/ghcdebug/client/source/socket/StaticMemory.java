package org.ghcdebug.client.source.socket;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.ghcdebug.client.source.ProgramCode;
import org.ghcdebug.protocol.decode.ClosureWords;
import org.ghcdebug.protocol.target.Target;
import org.jspecify.annotations.Nullable;

/**
 * The executable and libraries in a process's memory: what the process can write as it was when
 * this was made, the rest read when it is needed. Not thread-safe.
 */
final class StaticMemory implements ProgramCode.Memory, AutoCloseable {
  /** {@code START-END PERMISSIONS OFFSET DEVICE INODE [PATH]} of {@code /proc/PID/maps}. */
  private static final Pattern MAPPING =
      Pattern.compile("([0-9a-f]+)-([0-9a-f]+) r(.).. [0-9a-f]+ \\S+ ([0-9]+) *(.*)");

  private static final long MAX_WRITABLE_BYTES = 256L << 20;
  private static final int CHUNK_BYTES = 64 << 10;

  private final ProcessMemory memory;
  private final List<Range> ranges; // by address
  private final Map<Long, byte[]> chunks = new HashMap<>(); // start address -> contents

  private record Range(long startAddr, long endAddr, boolean isWritable) {
    boolean contains(long addr) {
      return addr >= startAddr && addr < endAddr;
    }
  }

  private StaticMemory(ProcessMemory memory, List<Range> ranges) {
    this.memory = memory;
    this.ranges = ranges;
  }

  /**
   * Copies what can be written.
   *
   * @param memory closed with this
   * @return {@code null} when it cannot be read, or is too much
   */
  static @Nullable StaticMemory copy(ProcessMemory memory) {
    try {
      StaticMemory copy = new StaticMemory(memory, ranges(memory.pid()));
      long writable = 0;
      for (Range range : copy.ranges) {
        if (range.isWritable()) {
          writable += range.endAddr() - range.startAddr();
          if (writable > MAX_WRITABLE_BYTES || !copy.readAll(range)) {
            return null;
          }
        }
      }
      return copy;
    } catch (IOException notAllowed) {
      return null;
    }
  }

  /** Mappings of files, and the anonymous ones right behind them: their zero-initialised data. */
  private static List<Range> ranges(long pid) throws IOException {
    List<Range> ranges = new ArrayList<>();
    long endOfFile = 0;
    for (String line : Files.readAllLines(Path.of("/proc", Long.toString(pid), "maps"))) {
      Matcher matcher = MAPPING.matcher(line);
      if (matcher.matches()) {
        long start = Long.parseUnsignedLong(matcher.group(1), 16);
        long end = Long.parseUnsignedLong(matcher.group(2), 16);
        boolean isOfFile = !matcher.group(4).equals("0");
        boolean isBehindFile = start == endOfFile && matcher.group(5).isEmpty();
        if (isOfFile || isBehindFile) {
          ranges.add(new Range(start, end, matcher.group(3).equals("w")));
          endOfFile = end;
        }
      }
    }
    return ranges;
  }

  private boolean readAll(Range range) {
    for (long addr = range.startAddr(); addr < range.endAddr(); addr += CHUNK_BYTES) {
      if (chunk(range, addr) == null) {
        return false;
      }
    }
    return true;
  }

  /** The chunk that begins there. */
  private byte @Nullable [] chunk(Range range, long startAddr) {
    byte[] known = chunks.get(startAddr);
    if (known == null) {
      byte[] read = new byte[(int) Math.min(CHUNK_BYTES, range.endAddr() - startAddr)];
      if (!memory.read(startAddr, read)) {
        return null;
      }
      chunks.put(startAddr, read);
      known = read;
    }
    return known;
  }

  private @Nullable Range findRange(long addr) {
    int low = 0;
    int high = ranges.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (ranges.get(middle).endAddr() <= addr) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low < ranges.size() && ranges.get(low).contains(addr) ? ranges.get(low) : null;
  }

  @Override
  public @Nullable ClosureWords find(long addr) {
    Range range = addr % Target.WORD_BYTES == 0 ? findRange(addr) : null;
    return range == null || range.endAddr() - addr < Target.WORD_BYTES
        ? null
        : new View(range, addr);
  }

  @Override
  public int findByte(long addr) {
    Range range = findRange(addr);
    if (range == null) {
      return -1;
    }
    long offset = addr - range.startAddr();
    byte[] chunk = chunk(range, addr - offset % CHUNK_BYTES);
    return chunk == null ? -1 : chunk[(int) (offset % CHUNK_BYTES)] & 0xff;
  }

  /** Words of a range from an address on; 0 where they can no longer be read. */
  private final class View implements ClosureWords {
    private final Range range;
    private final long addr;

    View(Range range, long addr) {
      this.range = range;
      this.addr = addr;
    }

    @Override
    public long word(int index) {
      long offset = addr + (long) index * Target.WORD_BYTES - range.startAddr();
      byte[] chunk = chunk(range, range.startAddr() + offset - offset % CHUNK_BYTES);
      long word = 0;
      if (chunk != null) {
        int at = (int) (offset % CHUNK_BYTES);
        for (int i = Target.WORD_BYTES - 1; i >= 0; i--) {
          word = word << 8 | chunk[at + i] & 0xff;
        }
      }
      return word;
    }

    @Override
    public int length() {
      return (int) Math.min((range.endAddr() - addr) / Target.WORD_BYTES, Integer.MAX_VALUE);
    }
  }

  @Override
  public void close() {
    memory.close();
  }
}
