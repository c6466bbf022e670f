package org.ghcdebug.protocol.snapshot;

import io.airlift.compress.v3.zstd.ZstdCompressor;
import io.airlift.compress.v3.zstd.ZstdDecompressor;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Optional;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/**
 * How a chunk's payload is stored.
 *
 * <p>Measured on the blocks of a heap of maps and texts, in CPU time of one core: WORDS makes them
 * 7.1 times smaller at 1200 MB/s, ZSTD at level -1 6.2 times at 500 MB/s (in Java, where its native
 * library does not run, at 200 MB/s), both one after the other 9 times at 600 MB/s, DEFLATE 5.0
 * times at 190 MB/s. Memory is therefore written as WORDS, and ZSTD is added where that alone does
 * too little, which is where there is text; tables are written as ZSTD. DEFLATE is for writers that
 * have zlib at hand, RAW for those that have nothing.
 */
public enum Codec {
  /** As it is. */
  RAW,
  /** A zlib stream (RFC 1950). */
  DEFLATE,
  /** One Zstandard frame (RFC 8878) without a dictionary. */
  ZSTD,
  /** Heap memory, packed word by word. */
  WORDS,
  /** The same, packed by ZSTD again: u32 length of what the frame holds, frame. */
  WORDS_ZSTD;

  private static final int FAST_LEVEL = -1;

  private static final ThreadLocal<WordPacker> PACKER = ThreadLocal.withInitial(WordPacker::new);

  static Optional<Codec> findByNumber(int number) {
    return number < values().length ? Optional.of(values()[number]) : Optional.empty();
  }

  int number() {
    return ordinal();
  }

  /** The first {@code length} bytes, compressed. */
  byte[] compress(byte[] bytes, int length) {
    return switch (this) {
      case RAW -> Arrays.copyOf(bytes, length);
      case DEFLATE -> deflate(bytes, length);
      case ZSTD -> zstd(bytes, length, 0);
      case WORDS -> PACKER.get().pack(bytes, length);
      case WORDS_ZSTD -> wordsAndZstd(PACKER.get().pack(bytes, length));
    };
  }

  /** What WORDS made of something, as WORDS_ZSTD makes it. */
  static byte[] wordsAndZstd(byte[] words) {
    byte[] compressed = zstd(words, words.length, Integer.BYTES);
    ByteBuffer.wrap(compressed).order(ByteOrder.LITTLE_ENDIAN).putInt(words.length);
    return compressed;
  }

  /** With so many bytes left free before it. */
  private static byte[] zstd(byte[] bytes, int length, int free) {
    ZstdCompressor zstd = ZstdCompressor.create(FAST_LEVEL);
    byte[] compressed = new byte[free + zstd.maxCompressedLength(length)];
    int size = zstd.compress(bytes, 0, length, compressed, free, compressed.length - free);
    return Arrays.copyOf(compressed, free + size);
  }

  private static byte[] deflate(byte[] bytes, int length) {
    try (Deflater deflater = new Deflater(Deflater.BEST_SPEED)) {
      deflater.setInput(bytes, 0, length);
      deflater.finish();
      byte[] compressed = new byte[length + length / 1000 + 64];
      int size = 0;
      while (!deflater.finished()) {
        size += deflater.deflate(compressed, size, compressed.length - size);
      }
      return Arrays.copyOf(compressed, size);
    }
  }

  /**
   * Undoes {@link #compress}.
   *
   * @param rawBytes how many bytes it must be
   * @throws DataFormatException when it is damaged or of another length
   */
  byte[] decompress(byte[] compressed, int rawBytes) throws DataFormatException {
    byte[] raw = this == RAW ? compressed : new byte[rawBytes];
    switch (this) {
      case RAW -> requireLength(compressed.length, rawBytes);
      case DEFLATE -> requireLength(inflate(compressed, raw), rawBytes);
      case ZSTD -> requireLength(unpackZstd(compressed, 0, raw), rawBytes);
      case WORDS -> PACKER.get().unpack(compressed, raw);
      case WORDS_ZSTD -> PACKER.get().unpack(words(compressed, rawBytes), raw);
    }
    return raw;
  }

  private static byte[] words(byte[] compressed, int rawBytes) throws DataFormatException {
    int length =
        compressed.length < Integer.BYTES
            ? -1
            : ByteBuffer.wrap(compressed).order(ByteOrder.LITTLE_ENDIAN).getInt();
    if (length < 0 || length > WordPacker.maxPackedBytes(rawBytes)) {
      throw new DataFormatException(
          "%d bytes of words in %d bytes for %d"
              .formatted(Integer.toUnsignedLong(length), compressed.length, rawBytes));
    }
    byte[] words = new byte[length];
    requireLength(unpackZstd(compressed, Integer.BYTES, words), length);
    return words;
  }

  /** The library reports damage by several exceptions, which depend on whether it runs natively. */
  private static int unpackZstd(byte[] compressed, int from, byte[] raw)
      throws DataFormatException {
    try {
      return ZstdDecompressor.create()
          .decompress(compressed, from, compressed.length - from, raw, 0, raw.length);
    } catch (IllegalArgumentException | IndexOutOfBoundsException | IllegalStateException e) {
      throw damaged(e);
    } catch (io.airlift.compress.v3.MalformedInputException e) {
      throw damaged(e);
    }
  }

  private static DataFormatException damaged(RuntimeException cause) {
    DataFormatException damaged = new DataFormatException(String.valueOf(cause.getMessage()));
    damaged.initCause(cause);
    return damaged;
  }

  private static int inflate(byte[] compressed, byte[] raw) throws DataFormatException {
    try (Inflater inflater = new Inflater()) {
      inflater.setInput(compressed);
      int size = 0;
      while (size < raw.length) {
        int more = inflater.inflate(raw, size, raw.length - size);
        if (more == 0) {
          return size;
        }
        size += more;
      }
      // One more byte would say that the length is wrong.
      return size + inflater.inflate(new byte[1]);
    }
  }

  private static void requireLength(int found, int expected) throws DataFormatException {
    if (found != expected) {
      throw new DataFormatException("%d bytes, expected %d".formatted(found, expected));
    }
  }
}
