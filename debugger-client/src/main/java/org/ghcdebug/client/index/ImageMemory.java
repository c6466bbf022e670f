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
import org.ghcdebug.protocol.error.SourceUnavailableException;
import org.jspecify.annotations.Nullable;

/**
 * Memory for an image, in chunks: off-heap up to a budget, then mapped from a temporary file, which
 * the system can write out when it needs the memory for something else.
 */
final class ImageMemory implements AutoCloseable {
  /** As budget: half of the machine's memory. */
  static final long DEFAULT_BUDGET = -1;

  /** So much is always allowed; to ask how much memory there is takes time. */
  private static final long LEAST_DEFAULT_BYTES = 1L << 30;

  private final Arena arena = Arena.ofShared();
  private final long chunkBytes;
  private long budgetBytes;
  private long usedBytes;
  private @Nullable FileChannel file;
  private long fileBytes;

  ImageMemory(long chunkBytes, long budgetBytes) {
    this.chunkBytes = chunkBytes;
    this.budgetBytes = budgetBytes;
  }

  /**
   * A fresh chunk, all zero.
   *
   * @throws SourceUnavailableException when there is no room for the file
   */
  MemorySegment chunk() {
    usedBytes += chunkBytes;
    return isWithinBudget() ? arena.allocate(chunkBytes, Long.BYTES) : mappedChunk();
  }

  private boolean isWithinBudget() {
    if (budgetBytes == DEFAULT_BUDGET) {
      if (usedBytes <= LEAST_DEFAULT_BYTES) {
        return true;
      }
      budgetBytes =
          ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize() / 2;
    }
    return usedBytes <= budgetBytes;
  }

  private MemorySegment mappedChunk() {
    Path folder = Path.of(System.getProperty("java.io.tmpdir"));
    try {
      FileChannel open = file == null ? open(folder) : file;
      file = open;
      // Written first: where a disk is full, writing says so, and a mapping ends the process.
      ByteBuffer blank = ByteBuffer.allocate((int) chunkBytes);
      while (blank.hasRemaining()) {
        open.write(blank, fileBytes + blank.position());
      }
      MemorySegment chunk = open.map(MapMode.READ_WRITE, fileBytes, chunkBytes, arena);
      fileBytes += chunkBytes;
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
