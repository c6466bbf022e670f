package org.ghcdebug.protocol.snapshot;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * A chunk that is ready to be written, its payload compressed: the part of writing that takes time
 * and that several threads can do at once. Immutable.
 */
public final class PackedChunk {
  /** Words that became so many times smaller are small enough. */
  private static final int SMALL_ENOUGH = 5;

  final ChunkKind kind;
  final Codec codec;
  final List<Extent> extents;
  final byte[] stored;
  final int rawBytes;
  final int checksum;

  private PackedChunk(
      ChunkKind kind, Codec codec, List<Extent> extents, byte[] stored, int rawBytes) {
    this.kind = kind;
    this.codec = codec;
    this.extents = List.copyOf(extents);
    this.stored = stored;
    this.rawBytes = rawBytes;
    ByteBuffer descriptor =
        ByteBuffer.allocate(extents.size() * Extent.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    extents.forEach(extent -> extent.write(descriptor));
    CRC32C crc = new CRC32C();
    crc.update(descriptor.flip());
    crc.update(stored);
    this.checksum = (int) crc.getValue();
  }

  /**
   * Compresses a payload; it stays raw where that does not make it smaller. {@link Codec#WORDS}
   * becomes {@link Codec#WORDS_ZSTD} where it is not small enough and that is smaller.
   *
   * @param extents whose memory follows one another in the payload; none for tables
   * @param payload its first {@code length} bytes count
   * @throws IllegalArgumentException when the extents do not add up to {@code length}, or it is
   *     longer than a chunk may be
   */
  public static PackedChunk pack(
      ChunkKind kind, Codec codec, List<Extent> extents, byte[] payload, int length) {
    long extentBytes = extents.stream().mapToLong(Extent::lengthBytes).sum();
    if (length > Chunk.MAX_RAW_BYTES || extentBytes != (kind.isMemory() ? length : 0)) {
      throw new IllegalArgumentException(
          "%d bytes of %s in extents of %d".formatted(length, kind, extentBytes));
    }
    byte[] compressed = codec.compress(payload, length);
    Codec used = codec;
    if (codec == Codec.WORDS && compressed.length > length / SMALL_ENOUGH) {
      byte[] again = Codec.wordsAndZstd(compressed);
      if (again.length < compressed.length) {
        compressed = again;
        used = Codec.WORDS_ZSTD;
      }
    }
    return compressed.length < length
        ? new PackedChunk(kind, used, extents, compressed, length)
        : new PackedChunk(kind, Codec.RAW, extents, Codec.RAW.compress(payload, length), length);
  }

  /** The chunk at its place in the file. */
  Chunk at(long offsetBytes, int sequence) {
    return new Chunk(
        offsetBytes,
        kind.number(),
        codec.number(),
        false,
        stored.length,
        rawBytes,
        sequence,
        checksum,
        extents);
  }
}
