package org.ghcdebug.client.source.socket;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import org.ghcdebug.client.source.BlockSink;
import org.ghcdebug.protocol.error.SourceUnavailableException;
import org.ghcdebug.protocol.extension.BlockDescriptor;
import org.ghcdebug.protocol.extension.ExtensionAnswers.MemoryProbe;
import org.jspecify.annotations.Nullable;

/**
 * The memory of a process on this machine, read through {@code /proc/PID/mem}: faster than over a
 * socket, and without the process's help. For one thread at a time.
 */
final class ProcessMemory implements AutoCloseable {
  /** So little that it stays in the processor's cache until it is used. */
  private static final int BUFFER_BYTES = 1 << 19;

  private final long pid;
  private final Path file;
  private final FileChannel memory;

  private ProcessMemory(long pid, Path file, FileChannel memory) {
    this.pid = pid;
    this.file = file;
    this.memory = memory;
  }

  /**
   * Opens a process's memory, if this user may and it is the process that gave the probe.
   *
   * @return {@code null} when it is not
   */
  static @Nullable ProcessMemory find(long pid, MemoryProbe probe) {
    Path file = Path.of("/proc", Long.toString(pid), "mem");
    FileChannel channel = null;
    boolean isProven = false;
    try {
      channel = FileChannel.open(file, StandardOpenOption.READ);
      ByteBuffer found = ByteBuffer.allocate(probe.proof().length);
      isProven =
          channel.read(found, probe.address()) == found.capacity()
              && Arrays.equals(found.array(), probe.proof());
      return isProven ? new ProcessMemory(pid, file, channel) : null;
    } catch (IOException notAllowed) {
      return null;
    } finally {
      if (channel != null && !isProven) {
        closeQuietly(channel);
      }
    }
  }

  /**
   * Hands out block groups, reading neighbours at one go.
   *
   * @param groups by rising address
   * @return how many of them; fewer than all when one cannot be read, of which nothing has been
   *     handed out
   */
  int blocks(List<BlockDescriptor> groups, BlockSink sink) {
    try (Arena arena = Arena.ofConfined()) {
      ByteBuffer buffer = arena.allocate(BUFFER_BYTES, Long.BYTES).asByteBuffer();
      MemorySegment bytes = MemorySegment.ofBuffer(buffer);
      int next = 0;
      while (next < groups.size()) {
        BlockDescriptor first = groups.get(next);
        int end = next + 1;
        long endAddr = first.startAddr() + first.lengthBytes();
        while (end < groups.size()
            && groups.get(end).startAddr() == endAddr
            && endAddr + groups.get(end).lengthBytes() - first.startAddr() <= BUFFER_BYTES) {
          endAddr += groups.get(end++).lengthBytes();
        }
        long at = first.startAddr();
        long length = Math.min(endAddr - at, BUFFER_BYTES);
        if (!read(buffer, at, length)) {
          return next;
        }
        for (; next < end; next++) {
          BlockDescriptor group = groups.get(next);
          sink.group(Extensions.blockGroup(group));
          long offset = group.startAddr() - first.startAddr();
          sink.contents(bytes.asSlice(offset, Math.min(group.lengthBytes(), length - offset)));
        }
        for (at += length; at < endAddr; at += length) {
          length = Math.min(endAddr - at, BUFFER_BYTES);
          if (!read(buffer, at, length)) {
            throw new SourceUnavailableException(
                file.toString(), "cannot be read any more; has the program ended?");
          }
          sink.contents(bytes.asSlice(0, length));
        }
      }
      return next;
    }
  }

  /** Whose memory it is. */
  long pid() {
    return pid;
  }

  /** Fills an array with what stands at an address; false when that cannot be read. */
  boolean read(long addr, byte[] bytes) {
    return read(ByteBuffer.wrap(bytes), addr, bytes.length);
  }

  private boolean read(ByteBuffer buffer, long addr, long length) {
    buffer.clear().limit((int) length);
    try {
      while (buffer.hasRemaining()) {
        if (memory.read(buffer, addr + buffer.position()) <= 0) {
          return false;
        }
      }
      return true;
    } catch (IOException gone) {
      return false;
    }
  }

  private static void closeQuietly(FileChannel channel) {
    try {
      channel.close();
    } catch (IOException nothingToKeep) {
      // It was only read from.
    }
  }

  @Override
  public void close() {
    closeQuietly(memory);
  }
}
