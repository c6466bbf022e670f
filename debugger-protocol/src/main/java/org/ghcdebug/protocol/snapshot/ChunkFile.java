package org.ghcdebug.protocol.snapshot;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.DataFormatException;
import org.ghcdebug.protocol.error.MalformedDataException;
import org.jspecify.annotations.Nullable;

/**
 * The chunks of a snapshot, in a segment that holds the whole file.
 *
 * <p>Opening reads the directory: O(chunks), whatever is in them. Where there is none, because the
 * file was cut off or its end is damaged, it goes from header to header instead and finds every
 * chunk whose header is in order; {@link #findDamage} then says what is wrong. Payloads are read
 * and checked when they are asked for. Immutable; safe to share.
 */
public final class ChunkFile {
  /** How many of a file's first bytes {@link #recognizes} looks at. */
  public static final int DETECTION_BYTES = 8;

  private final String where;
  private final MemorySegment file;
  private final List<Chunk> chunks;
  private final @Nullable MalformedDataException damage;

  private ChunkFile(
      String where,
      MemorySegment file,
      List<Chunk> chunks,
      @Nullable MalformedDataException damage) {
    this.where = where;
    this.file = file;
    this.chunks = List.copyOf(chunks);
    this.damage = damage;
  }

  /** Whether a file that begins with these bytes is a snapshot of this format, of any version. */
  public static boolean recognizes(ByteBuffer firstBytes) {
    return firstBytes.remaining() >= DETECTION_BYTES
        && firstBytes.duplicate().order(ByteOrder.LITTLE_ENDIAN).getLong()
            == ChunkWriter.HEADER_MAGIC;
  }

  /**
   * Opens a file.
   *
   * @param where the file's name in error messages
   * @param file all of it; must stay as it is while it is in use
   * @throws MalformedDataException when it is no such snapshot, of a newer version, damaged in its
   *     first 32 bytes, or holds something that must be understood and is not
   */
  public static ChunkFile open(String where, MemorySegment file) {
    requireHeader(where, file);
    List<Chunk> chunks;
    MalformedDataException damage = null;
    try {
      chunks = new DirectoryReader(where, file).read();
    } catch (MalformedDataException noDirectory) {
      damage = noDirectory;
      chunks = scan(file);
    }
    for (Chunk chunk : chunks) {
      if (chunk.isRequired() && chunk.kind().isEmpty()) {
        throw new MalformedDataException(
            where,
            chunk.offsetBytes(),
            "a chunk of kind %d, which this version does not know and must not ignore; use a newer ghc-debug"
                .formatted(chunk.kindNumber()));
      }
    }
    return new ChunkFile(where, file, chunks, damage);
  }

  private static void requireHeader(String where, MemorySegment file) {
    if (file.byteSize() < ChunkWriter.FRAME_BYTES) {
      throw new MalformedDataException(
          where, file.byteSize(), "end of the file, expected a header of 32 bytes");
    }
    ByteBuffer header = bytes(file, 0, ChunkWriter.FRAME_BYTES);
    if (header.getLong(0) != ChunkWriter.HEADER_MAGIC) {
      throw new MalformedDataException(
          where,
          0,
          "0x%016x, expected the beginning of a snapshot, 0x%016x"
              .formatted(header.getLong(0), ChunkWriter.HEADER_MAGIC));
    }
    requireChecksum(where, 0, header);
    int version = Short.toUnsignedInt(header.getShort(8));
    if (version != ChunkWriter.MAJOR_VERSION) {
      throw new MalformedDataException(
          where,
          8,
          "format version %d, expected %d; use the ghc-debug that wrote it or a newer one"
              .formatted(version, ChunkWriter.MAJOR_VERSION));
    }
  }

  private static void requireChecksum(String where, long offsetBytes, ByteBuffer frame) {
    int expected = Chunk.crc(frame.array(), ChunkWriter.FRAME_BYTES - 4);
    int found = frame.getInt(ChunkWriter.FRAME_BYTES - 4);
    if (found != expected) {
      throw new MalformedDataException(
          where, offsetBytes, "checksum 0x%08x, expected 0x%08x".formatted(found, expected));
    }
  }

  /** Copies bytes; the caller knows that they are there. */
  private static ByteBuffer bytes(MemorySegment file, long offset, int length) {
    byte[] bytes = new byte[length];
    MemorySegment.copy(file, ValueLayout.JAVA_BYTE, offset, bytes, 0, length);
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** The chunk whose header and descriptor are at a place, if they are in order and it is whole. */
  private static Optional<Chunk> chunkAt(MemorySegment file, long offset) {
    if (offset < 0 || file.byteSize() - offset < Chunk.HEADER_BYTES) {
      return Optional.empty();
    }
    int descriptorBytes = Chunk.findDescriptorBytes(bytes(file, offset, Chunk.HEADER_BYTES));
    int headBytes = Chunk.HEADER_BYTES + descriptorBytes;
    if (descriptorBytes < 0 || file.byteSize() - offset < headBytes) {
      return Optional.empty();
    }
    return Chunk.read(bytes(file, offset, headBytes), offset)
        .filter(chunk -> chunk.endOffset() <= file.byteSize());
  }

  /** Goes from chunk to chunk; where there is none, looks for the next byte that begins one. */
  private static List<Chunk> scan(MemorySegment file) {
    List<Chunk> chunks = new ArrayList<>();
    long offset = ChunkWriter.FRAME_BYTES;
    while (offset < file.byteSize()) {
      Optional<Chunk> chunk =
          file.get(ValueLayout.JAVA_BYTE, offset) == (byte) Chunk.MAGIC
              ? chunkAt(file, offset)
              : Optional.empty();
      chunk.filter(found -> !isDirectory(found)).ifPresent(chunks::add);
      offset = chunk.map(Chunk::endOffset).orElse(offset + 1);
    }
    return chunks;
  }

  private static boolean isDirectory(Chunk chunk) {
    return chunk.kindNumber() == ChunkKind.DIRECTORY.number();
  }

  /** The file's name in error messages. */
  public String where() {
    return where;
  }

  /** All chunks but the directory's own, in the order of the file. */
  public List<Chunk> chunks() {
    return chunks;
  }

  /** What kept the directory from being read; chunks may then be missing. */
  public Optional<MalformedDataException> findDamage() {
    return Optional.ofNullable(damage);
  }

  /**
   * A number that two files share only when their chunks' headers are the same, and so, as these
   * hold checksums, their contents. O(chunks).
   */
  public long identity() {
    CRC32C low = new CRC32C();
    CRC32 high = new CRC32();
    for (Chunk chunk : chunks) {
      byte[] head = chunk.head();
      low.update(head);
      high.update(head);
    }
    return high.getValue() << 32 | low.getValue();
  }

  /** Bytes of the file. */
  public long sizeBytes() {
    return file.byteSize();
  }

  /**
   * A chunk's payload, not compressed.
   *
   * @return a new array of {@code chunk.rawBytes()} bytes
   * @throws MalformedDataException when it is damaged
   */
  public byte[] read(Chunk chunk) {
    return read(where, file, chunk);
  }

  /**
   * Checks what opening left unchecked: every payload, and the directory against the chunks.
   *
   * @param damaged gets each chunk that cannot be read
   */
  public void verify(DamageSink damaged) {
    for (Chunk chunk : chunks) {
      try {
        read(chunk);
      } catch (MalformedDataException damage) {
        damaged.chunk(chunk, damage);
      }
    }
  }

  private static byte[] read(String where, MemorySegment file, Chunk chunk) {
    byte[] head = chunk.head();
    byte[] found = bytes(file, chunk.offsetBytes(), head.length).array();
    int difference = Arrays.mismatch(head, found);
    if (difference >= 0) {
      throw new MalformedDataException(
          where,
          chunk.offsetBytes() + difference,
          "the header of chunk %d is damaged: 0x%02x, expected 0x%02x"
              .formatted(chunk.sequence(), found[difference], head[difference]));
    }
    byte[] stored = bytes(file, chunk.payloadOffset(), chunk.storedBytes()).array();
    CRC32C crc = new CRC32C();
    crc.update(head, Chunk.HEADER_BYTES, head.length - Chunk.HEADER_BYTES);
    crc.update(stored);
    if ((int) crc.getValue() != chunk.checksum()) {
      throw new MalformedDataException(
          where,
          chunk.payloadOffset(),
          "chunk %d of %d bytes is damaged: checksum 0x%08x, expected 0x%08x"
              .formatted(
                  chunk.sequence(), chunk.storedBytes(), (int) crc.getValue(), chunk.checksum()));
    }
    Codec codec =
        Codec.findByNumber(chunk.codecNumber())
            .orElseThrow(
                () ->
                    new MalformedDataException(
                        where,
                        chunk.offsetBytes() + 6,
                        "codec %d, expected at most %d; use a newer ghc-debug"
                            .formatted(chunk.codecNumber(), Codec.values().length - 1)));
    try {
      return codec.decompress(stored, chunk.rawBytes());
    } catch (DataFormatException e) {
      throw new MalformedDataException(
          where,
          chunk.payloadOffset(),
          "chunk %d does not decompress (%s): %s"
              .formatted(chunk.sequence(), codec, e.getMessage()));
    }
  }

  /** Reads the directory at the end of a file. */
  private record DirectoryReader(String where, MemorySegment file) {
    List<Chunk> read() {
      long trailerOffset = file.byteSize() - ChunkWriter.FRAME_BYTES;
      ByteBuffer trailer = bytes(file, trailerOffset, ChunkWriter.FRAME_BYTES);
      if (trailer.getLong(0) != ChunkWriter.TRAILER_MAGIC) {
        throw new MalformedDataException(
            where, trailerOffset, "no trailer, expected one: the file was cut off");
      }
      requireChecksum(where, trailerOffset, trailer);
      List<Chunk> chunks = new ArrayList<>();
      long end = ChunkWriter.FRAME_BYTES;
      long offset = trailer.getLong(8);
      while (offset != trailerOffset) {
        Optional<Chunk> part = chunkAt(file, offset).filter(ChunkFile::isDirectory);
        if (part.isEmpty()) {
          throw new MalformedDataException(where, offset, "no directory chunk, expected one");
        }
        end = parse(part.get(), end, chunks);
        offset = part.get().endOffset();
      }
      if (end != trailer.getLong(8) || chunks.size() != trailer.getInt(16)) {
        throw new MalformedDataException(
            where,
            trailerOffset,
            "the directory lists %d chunks up to byte %d, expected %d up to byte %d"
                .formatted(chunks.size(), end, trailer.getInt(16), trailer.getLong(8)));
      }
      return chunks;
    }

    /** Adds the chunks that a part of the directory lists; returns where the last one ends. */
    private long parse(Chunk part, long start, List<Chunk> chunks) {
      ByteBuffer heads =
          ByteBuffer.wrap(ChunkFile.read(where, file, part)).order(ByteOrder.LITTLE_ENDIAN);
      long end = start;
      while (heads.hasRemaining()) {
        ByteBuffer rest = heads.slice().order(ByteOrder.LITTLE_ENDIAN);
        int descriptorBytes =
            rest.remaining() < Chunk.HEADER_BYTES ? -1 : Chunk.findDescriptorBytes(rest);
        int headBytes = Chunk.HEADER_BYTES + descriptorBytes;
        Optional<Chunk> chunk =
            descriptorBytes < 0 || rest.remaining() < headBytes
                ? Optional.empty()
                : Chunk.read(rest, end);
        // The chunks tile the file: no list of them is longer than the file.
        if (chunk.isEmpty()
            || chunk.get().sequence() != chunks.size()
            || chunk.get().endOffset() > part.offsetBytes()) {
          throw new MalformedDataException(
              where,
              part.offsetBytes(),
              "the directory's entry %d is malformed".formatted(chunks.size()));
        }
        chunks.add(chunk.get());
        end = chunk.get().endOffset();
        heads.position(heads.position() + headBytes);
      }
      return end;
    }
  }
}
