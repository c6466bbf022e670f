package org.ghcdebug.protocol.snapshot;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Writes a snapshot chunk by chunk, in one pass. What was written when it stops in the middle can
 * be read. For one thread at a time; memory is 48 bytes a chunk and 16 an extent, for the
 * directory.
 */
public final class ChunkWriter {
  static final long HEADER_MAGIC = 0x1a0a0d5344484789L; // 89 "GHDS" 0d 0a 1a
  static final long TRAILER_MAGIC = 0x0a444e4553444847L; // "GHDSEND" 0a
  static final int MAJOR_VERSION = 1;
  static final int FRAME_BYTES = 32;

  /** A chunk of tables or of the directory is written when it holds so much. */
  static final int CHUNK_BYTES = 64 << 10;

  private final WritableByteChannel channel;
  private final Codec codec;
  private final ByteArrayOutputStream directory = new ByteArrayOutputStream();
  private final List<Integer> directoryEnds = new ArrayList<>();
  private int chunkCount;
  private long offsetBytes;

  /**
   * Writes the file's header.
   *
   * @param channel takes the file; the caller closes it
   * @param codec how the directory is stored
   */
  public ChunkWriter(WritableByteChannel channel, Codec codec) throws IOException {
    this.channel = channel;
    this.codec = codec;
    ByteBuffer header = ByteBuffer.allocate(FRAME_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    header.putLong(HEADER_MAGIC).putShort((short) MAJOR_VERSION);
    writeFrame(header);
  }

  /** Bytes written so far. */
  public long offsetBytes() {
    return offsetBytes;
  }

  /** Writes a chunk. */
  public void write(PackedChunk chunk) throws IOException {
    directory.writeBytes(append(chunk));
    if (directoryBytesSinceEnd() >= CHUNK_BYTES) {
      directoryEnds.add(directory.size());
    }
  }

  private int directoryBytesSinceEnd() {
    return directory.size() - (directoryEnds.isEmpty() ? 0 : directoryEnds.getLast());
  }

  /** Returns the chunk's header and descriptor. */
  private byte[] append(PackedChunk chunk) throws IOException {
    byte[] head = chunk.at(offsetBytes, chunkCount++).head();
    write(ByteBuffer.wrap(head));
    write(ByteBuffer.wrap(chunk.stored));
    return head;
  }

  /** Writes directory and trailer. To be called once, after the last chunk. */
  public void finish() throws IOException {
    if (directoryBytesSinceEnd() > 0) {
      directoryEnds.add(directory.size());
    }
    long directoryOffset = offsetBytes;
    int listed = chunkCount;
    byte[] heads = directory.toByteArray();
    int start = 0;
    for (int end : directoryEnds) {
      byte[] part = Arrays.copyOfRange(heads, start, end);
      append(PackedChunk.pack(ChunkKind.DIRECTORY, codec, List.of(), part, part.length));
      start = end;
    }
    ByteBuffer trailer = ByteBuffer.allocate(FRAME_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    trailer.putLong(TRAILER_MAGIC).putLong(directoryOffset).putInt(listed);
    writeFrame(trailer);
  }

  private void writeFrame(ByteBuffer frame) throws IOException {
    frame.putInt(FRAME_BYTES - 4, Chunk.crc(frame.array(), FRAME_BYTES - 4));
    write(frame.rewind());
  }

  private void write(ByteBuffer bytes) throws IOException {
    offsetBytes += bytes.remaining();
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }
}
