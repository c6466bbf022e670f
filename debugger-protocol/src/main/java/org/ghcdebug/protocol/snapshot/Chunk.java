package org.ghcdebug.protocol.snapshot;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * A chunk as its header describes it; the layout is in the package's description.
 *
 * @param offsetBytes where it begins in the file
 * @param kindNumber what it holds, perhaps unknown
 * @param codecNumber how it is stored, perhaps unknown
 * @param isRequired whether a reader that does not know the kind must give up
 * @param storedBytes length of the payload in the file
 * @param rawBytes length of the payload when it is not compressed
 * @param sequence its number in the file, from 0
 * @param checksum CRC32C of descriptor and payload as stored
 * @param extents of memory, which add up to {@code rawBytes}; none for other kinds
 */
public record Chunk(
    long offsetBytes,
    int kindNumber,
    int codecNumber,
    boolean isRequired,
    int storedBytes,
    int rawBytes,
    int sequence,
    int checksum,
    List<Extent> extents) {
  static final int MAGIC = 0x4b4e4843; // "CHNK"
  static final int HEADER_BYTES = 32;
  static final int CHECKED_BYTES = HEADER_BYTES - 4;

  /** No chunk is larger, so that a file cannot claim any amount of memory. */
  static final int MAX_RAW_BYTES = 16 << 20;

  private static final int REQUIRED_FLAG = 1;

  public Chunk {
    extents = List.copyOf(extents);
  }

  /** Empty when this version knows no such kind. */
  public Optional<ChunkKind> kind() {
    return ChunkKind.findByNumber(kindNumber);
  }

  /** Bytes of the descriptor in the file. */
  int descriptorBytes() {
    return extents.size() * Extent.BYTES;
  }

  /** Where the payload begins in the file. */
  long payloadOffset() {
    return offsetBytes + HEADER_BYTES + descriptorBytes();
  }

  /** Where the next chunk begins. */
  long endOffset() {
    return payloadOffset() + storedBytes;
  }

  /** Header and descriptor as they stand in the file. */
  byte[] head() {
    ByteBuffer out =
        ByteBuffer.allocate(HEADER_BYTES + descriptorBytes()).order(ByteOrder.LITTLE_ENDIAN);
    out.putInt(MAGIC)
        .putShort((short) kindNumber)
        .put((byte) codecNumber)
        .put((byte) (isRequired ? REQUIRED_FLAG : 0))
        .putInt(descriptorBytes())
        .putInt(storedBytes)
        .putInt(rawBytes)
        .putInt(sequence)
        .putInt(checksum);
    out.putInt(crc(out.array(), CHECKED_BYTES));
    extents.forEach(extent -> extent.write(out));
    return out.array();
  }

  /** Length of the descriptor that a header announces, -1 when it is no header. */
  static int findDescriptorBytes(ByteBuffer header) {
    if (header.getInt(0) != MAGIC || !isIntact(header)) {
      return -1;
    }
    int length = header.getInt(8);
    return length >= 0 && length <= MAX_RAW_BYTES && length % Extent.BYTES == 0 ? length : -1;
  }

  private static boolean isIntact(ByteBuffer header) {
    byte[] bytes = new byte[CHECKED_BYTES];
    header.get(0, bytes);
    return crc(bytes, bytes.length) == header.getInt(CHECKED_BYTES);
  }

  static int crc(byte[] bytes, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, length);
    return (int) crc.getValue();
  }

  /**
   * Reads a header that {@link #findDescriptorBytes} found in order, and the descriptor behind it.
   *
   * @return empty when it contradicts itself
   */
  static Optional<Chunk> read(ByteBuffer head, long offsetBytes) {
    int kindNumber = Short.toUnsignedInt(head.getShort(4));
    List<Extent> extents = new ArrayList<>();
    ByteBuffer descriptor = head.slice(HEADER_BYTES, head.getInt(8)).order(ByteOrder.LITTLE_ENDIAN);
    while (descriptor.hasRemaining()) {
      extents.add(Extent.read(descriptor));
    }
    Chunk chunk =
        new Chunk(
            offsetBytes,
            kindNumber,
            Byte.toUnsignedInt(head.get(6)),
            (head.get(7) & REQUIRED_FLAG) != 0,
            head.getInt(12),
            head.getInt(16),
            head.getInt(20),
            head.getInt(24),
            extents);
    return chunk.isConsistent() ? Optional.of(chunk) : Optional.empty();
  }

  private boolean isConsistent() {
    return rawBytes >= 0
        && rawBytes <= MAX_RAW_BYTES
        && storedBytes >= 0
        && storedBytes <= 2 * MAX_RAW_BYTES
        && (kind().filter(ChunkKind::isMemory).isEmpty() || extentsAddUp());
  }

  private boolean extentsAddUp() {
    int multiple = kind().filter(ChunkKind.BLOCKS::equals).isPresent() ? 4096 : 8;
    long total = 0;
    for (Extent extent : extents) {
      long endAddr = extent.addr() + extent.lengthBytes();
      if (extent.lengthBytes() <= 0
          || extent.addr() < 0
          || endAddr < 0
          || (extent.addr() | extent.lengthBytes()) % multiple != 0) {
        return false;
      }
      total += extent.lengthBytes();
    }
    return total == rawBytes;
  }
}
