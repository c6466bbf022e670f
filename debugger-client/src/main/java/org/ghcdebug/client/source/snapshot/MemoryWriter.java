package org.ghcdebug.client.source.snapshot;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.ClosedByInterruptException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import org.ghcdebug.protocol.snapshot.ChunkKind;
import org.ghcdebug.protocol.snapshot.ChunkWriter;
import org.ghcdebug.protocol.snapshot.Codec;
import org.ghcdebug.protocol.snapshot.Extent;
import org.ghcdebug.protocol.snapshot.PackedChunk;

/**
 * Cuts memory into chunks of 256 KiB, which other threads compress while the caller fetches more;
 * at most {@value #MAX_PENDING} wait, then the caller does too. For one thread at a time.
 */
final class MemoryWriter {
  /** So much is unpacked when a closure is read at random, in a tenth of a millisecond. */
  static final int CHUNK_BYTES = 256 << 10;

  private static final int MAX_PENDING = 16;
  private static final int BLOCK_BYTES = 4096;

  private final ChunkWriter writer;
  private final ExecutorService compressors;
  private final Deque<Pending> pending = new ArrayDeque<>();
  private final Deque<byte[]> unused = new ArrayDeque<>();

  private final ChunkKind kind;
  private byte[] chunk = new byte[CHUNK_BYTES];
  private int chunkBytes;
  private List<Extent> extents = new ArrayList<>();
  private long nextAddr;
  private int flags;
  private boolean isBegun; // some of the current group has been written

  /** A chunk that is being compressed, and what it is compressed from. */
  private record Pending(Future<PackedChunk> packed, byte[] payload) {}

  MemoryWriter(ChunkWriter writer, ExecutorService compressors, ChunkKind kind) {
    this.writer = writer;
    this.compressors = compressors;
    this.kind = kind;
  }

  /** What follows is memory from {@code startAddr} on. */
  void begin(long startAddr, int groupFlags) {
    nextAddr = startAddr;
    flags = groupFlags;
    isBegun = false;
  }

  /** More of it. */
  void write(MemorySegment bytes) throws IOException {
    for (long from = 0; from < bytes.byteSize(); ) {
      int length = (int) Math.min(bytes.byteSize() - from, chunk.length - chunkBytes);
      MemorySegment.copy(bytes, ValueLayout.JAVA_BYTE, from, chunk, chunkBytes, length);
      note(length);
      from += length;
      if (chunkBytes == chunk.length) {
        flushChunk();
      }
    }
  }

  /** A chunk's extents are as long as can be: pieces of a group are put together. */
  private void note(int length) {
    Extent last = extents.isEmpty() ? null : extents.getLast();
    if (isBegun && last != null) {
      extents.removeLast();
      extents.add(
          new Extent(last.addr(), last.lengthBytes() + length, flags, last.isContinuation()));
    } else {
      extents.add(new Extent(nextAddr, length, flags, isBegun));
    }
    isBegun = true;
    nextAddr += length;
    chunkBytes += length;
  }

  private void flushChunk() throws IOException {
    byte[] payload = chunk;
    int length = chunkBytes;
    List<Extent> of = extents;
    pending.add(
        new Pending(
            compressors.submit(() -> PackedChunk.pack(kind, Codec.WORDS, of, payload, length)),
            payload));
    chunkBytes = 0;
    extents = new ArrayList<>();
    while (pending.size() > MAX_PENDING || !pending.isEmpty() && pending.peek().packed().isDone()) {
      writeFirst();
    }
    chunk = unused.isEmpty() ? new byte[CHUNK_BYTES] : unused.pop();
  }

  private void writeFirst() throws IOException {
    try {
      Pending first = pending.remove();
      writer.write(first.packed().get());
      unused.push(first.payload());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ClosedByInterruptException();
    } catch (ExecutionException e) {
      throw new IllegalStateException("cannot compress", e.getCause());
    }
  }

  /**
   * Writes what is left; nothing more can be written. Of a block that came in part, because its
   * source was lost, nothing is kept.
   */
  void finish() throws IOException {
    int surplus = kind == ChunkKind.BLOCKS ? chunkBytes % BLOCK_BYTES : 0;
    if (surplus > 0) {
      Extent last = extents.removeLast();
      chunkBytes -= surplus;
      if (last.lengthBytes() > surplus) {
        extents.add(
            new Extent(
                last.addr(), last.lengthBytes() - surplus, last.flags(), last.isContinuation()));
      }
    }
    if (chunkBytes > 0) {
      flushChunk();
    }
    while (!pending.isEmpty()) {
      writeFirst();
    }
  }
}
