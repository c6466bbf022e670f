package org.ghcdebug.client.index;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.protocol.error.SourceUnavailableException;
import org.jspecify.annotations.Nullable;

/**
 * Memory for an image, in chunks: off-heap up to a budget, then mapped from a temporary file, which
 * the system can write out when it needs the memory for something else.
 *
 * <p>The system hands out memory when it is first written, and in virtual machines slowly, so what
 * will be needed is best {@link #reserve reserved} before a program is held still. Not thread-safe.
 */
public final class ImageMemory implements AutoCloseable {
  /**
   * As budget: half of the machine's memory, or of its container's; less where the Java heap could
   * take more than the other half.
   */
  static final long DEFAULT_BUDGET = -1;

  /** So much is always allowed; to ask how much memory there is takes time. */
  private static final long LEAST_DEFAULT_BYTES = 1L << 27;

  /** What the JVM needs besides its heap. */
  private static final long JVM_BYTES = 3L << 26;

  /** No block straddles two chunks; 16 MiB wastes little on a small heap. */
  static final long CHUNK_BYTES = 1L << 24;

  private final Arena arena = Arena.ofShared();
  private final ArrayDeque<MemorySegment> reserved = new ArrayDeque<>();
  private long budgetBytes;
  private long usedBytes;
  private @Nullable FileChannel file;
  private long fileBytes;

  ImageMemory(long budgetBytes) {
    this.budgetBytes = budgetBytes;
  }

  /**
   * Memory for an image whose size is about known; off-heap as far as the budget allows.
   *
   * @throws org.ghcdebug.protocol.error.CanceledException when {@code work} says so
   */
  public static ImageMemory reserve(long expectedBytes, Work work) {
    ImageMemory memory = new ImageMemory(DEFAULT_BUDGET);
    try {
      memory.usedBytes = CHUNK_BYTES;
      while (memory.usedBytes < expectedBytes + CHUNK_BYTES && memory.isWithinBudget()) {
        work.checkStopped();
        memory.reserved.add(memory.arena.allocate(CHUNK_BYTES, Long.BYTES));
        memory.usedBytes += CHUNK_BYTES;
      }
      memory.usedBytes = 0;
      return memory;
    } catch (Throwable failure) {
      memory.close();
      throw failure;
    }
  }

  /**
   * A fresh chunk, all zero.
   *
   * @throws SourceUnavailableException when there is no room for the file
   */
  MemorySegment chunk() {
    usedBytes += CHUNK_BYTES;
    if (!reserved.isEmpty()) {
      return reserved.remove();
    }
    return isWithinBudget() ? arena.allocate(CHUNK_BYTES, Long.BYTES) : mappedChunk();
  }

  private boolean isWithinBudget() {
    if (budgetBytes == DEFAULT_BUDGET) {
      if (usedBytes <= LEAST_DEFAULT_BYTES) {
        return true;
      }
      budgetBytes =
          defaultBudgetBytes(
              ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize(),
              Runtime.getRuntime().maxMemory());
    }
    return usedBytes <= budgetBytes;
  }

  static long defaultBudgetBytes(long machineBytes, long maxJavaHeapBytes) {
    long left = machineBytes - maxJavaHeapBytes - JVM_BYTES;
    return Math.max(LEAST_DEFAULT_BYTES, Math.min(machineBytes / 2, left));
  }

  private MemorySegment mappedChunk() {
    Path folder = Path.of(System.getProperty("java.io.tmpdir"));
    try {
      FileChannel open = file == null ? open(folder) : file;
      file = open;
      // Written first: where a disk is full, writing says so, and a mapping ends the process.
      ByteBuffer blank = ByteBuffer.allocate((int) CHUNK_BYTES);
      while (blank.hasRemaining()) {
        open.write(blank, fileBytes + blank.position());
      }
      MemorySegment chunk = open.map(MapMode.READ_WRITE, fileBytes, CHUNK_BYTES, arena);
      fileBytes += CHUNK_BYTES;
      return chunk;
    } catch (IOException e) {
      throw new SourceUnavailableException(
          folder.toString(),
          "no room for blocks beyond %d bytes of memory (%s); give -Djava.io.tmpdir another folder"
              .formatted(budgetBytes, e.getMessage()),
          e);
    }
  }

  private static FileChannel open(Path folder) throws IOException {
    Path path = Files.createTempFile(folder, "ghc-debug", ".blocks");
    return FileChannel.open(
        path,
        StandardOpenOption.READ,
        StandardOpenOption.WRITE,
        StandardOpenOption.DELETE_ON_CLOSE);
  }

  /** Frees everything; idempotent. */
  @Override
  public void close() {
    if (arena.scope().isAlive()) {
      arena.close();
    }
    if (file != null) {
      try {
        file.close();
      } catch (IOException e) {
        throw new SourceUnavailableException(
            "temporary file", "cannot be closed: " + e.getMessage(), e);
      }
    }
  }
}
