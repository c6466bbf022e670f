package org.ghcdebug.client.eventlog.source;

import io.airlift.compress.v3.zstd.ZstdInputStream;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.zip.GZIPInputStream;
import org.ghcdebug.protocol.error.IoReason;
import org.ghcdebug.protocol.error.SourceUnavailableException;
import org.jspecify.annotations.Nullable;
import org.tukaani.xz.XZInputStream;

/**
 * A file, pipe or standard input. Files compressed by gzip, xz or zstd are recognised by their
 * first bytes and decompressed.
 */
public final class FileLog implements LogSource {
  private static final int MAGIC_BYTES = 6;

  /** Memory that an xz or zstd stream may ask for. */
  private static final int DECOMPRESSOR_KIB = 100 << 10;

  private final String name;
  private final @Nullable Path path;

  private FileLog(String name, @Nullable Path path) {
    this.name = name;
    this.path = path;
  }

  public FileLog(Path path) {
    this(path.toString(), path);
  }

  /** Standard input, which can be opened once. */
  public static FileLog standardInput() {
    return new FileLog("standard input", null);
  }

  /** Whether a path names a file of a kind of {@code sys/stat.h}. */
  static boolean isKind(Path path, int kind) {
    try {
      return ((Integer) Files.getAttribute(path, "unix:mode") & 0170000) == kind;
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
      return false;
    }
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public boolean isReopenable() {
    return path != null && !Files.isRegularFile(path);
  }

  @Override
  public OptionalLong sizeBytes() {
    try {
      return path != null && Files.isRegularFile(path) && compressionOf(path) == Compression.NONE
          ? OptionalLong.of(Files.size(path))
          : OptionalLong.empty();
    } catch (IOException e) {
      return OptionalLong.empty();
    }
  }

  /** The file, if its bytes are the log's bytes and can be read at any place; else null. */
  @Nullable Path plainFile() {
    try {
      return path != null && Files.isRegularFile(path) && compressionOf(path) == Compression.NONE
          ? path
          : null;
    } catch (IOException e) {
      throw unavailable(e);
    }
  }

  @Override
  public LogChannel open() {
    try {
      if (path != null && !Files.isRegularFile(path)) {
        return new StreamChannel(name, FileChannel.open(path, StandardOpenOption.READ));
      }
      InputStream in = path != null ? Files.newInputStream(path) : System.in;
      BufferedInputStream buffered = new BufferedInputStream(in, 1 << 16);
      buffered.mark(MAGIC_BYTES);
      // Of a pipe, waits for the first bytes only.
      byte[] magic = buffered.readNBytes(MAGIC_BYTES);
      buffered.reset();
      InputStream plain =
          switch (Compression.of(magic)) {
            case GZIP -> new GZIPInputStream(buffered, 1 << 16);
            case XZ -> new XZInputStream(buffered, DECOMPRESSOR_KIB);
            case ZSTD -> new ZstdInputStream(buffered);
            case NONE -> buffered;
          };
      return new InputStreamChannel(name, plain, plain instanceof XZInputStream);
    } catch (IOException e) {
      throw unavailable(e);
    }
  }

  /** Whether it is a file that has to be decompressed, and so cannot be followed as it grows. */
  public boolean isCompressedFile() {
    return path != null && Files.isRegularFile(path) && !canGrow();
  }

  /** Whether bytes may be appended to what is read: it is a file, and not compressed. */
  boolean canGrow() {
    return plainFile() != null;
  }

  /** Opens a file that {@link #canGrow}; its end may be read again and again. */
  LogChannel openGrowing() {
    try {
      return new StreamChannel(
          name, FileChannel.open(Objects.requireNonNull(path), StandardOpenOption.READ));
    } catch (IOException e) {
      throw unavailable(e);
    }
  }

  private static Compression compressionOf(Path path) throws IOException {
    try (InputStream in = Files.newInputStream(path)) {
      return Compression.of(in.readNBytes(MAGIC_BYTES));
    }
  }

  private SourceUnavailableException unavailable(IOException e) {
    return new SourceUnavailableException(name, "cannot be read: " + IoReason.of(e), e);
  }

  /** Compressions, by the first bytes of a file. */
  private enum Compression {
    GZIP(0x1F, 0x8B),
    XZ(0xFD, '7', 'z', 'X', 'Z', 0),
    ZSTD(0x28, 0xB5, 0x2F, 0xFD),
    NONE;

    private final byte[] magic;

    Compression(int... magic) {
      this.magic = new byte[magic.length];
      for (int i = 0; i < magic.length; i++) {
        this.magic[i] = (byte) magic[i];
      }
    }

    static Compression of(byte[] start) {
      for (Compression compression : values()) {
        int length = compression.magic.length;
        if (start.length >= length
            && Arrays.equals(start, 0, length, compression.magic, 0, length)) {
          return compression;
        }
      }
      return NONE;
    }
  }

  /** Reads a channel; a file's read returns -1 at its present end and may be asked again. */
  private record StreamChannel(String name, ReadableByteChannel channel) implements LogChannel {
    @Override
    public int read(ByteBuffer target) {
      try {
        return channel.read(target);
      } catch (IOException e) {
        throw new SourceUnavailableException(name, "reading failed: " + e.getMessage(), e);
      }
    }

    @Override
    public void close() {
      try {
        channel.close();
      } catch (IOException e) {
        throw new SourceUnavailableException(name, "closing failed: " + e.getMessage(), e);
      }
    }
  }

  /**
   * Reads a stream.
   *
   * @param keepsNothing whether a read that meets the end of the compressed data loses what it has
   *     decompressed before, so that no more may be asked for than there is
   */
  private record InputStreamChannel(String name, InputStream in, boolean keepsNothing)
      implements LogChannel {
    @Override
    public int read(ByteBuffer target) {
      try {
        int wanted =
            keepsNothing ? Math.clamp(in.available(), 1, target.remaining()) : target.remaining();
        int count = in.read(target.array(), target.arrayOffset() + target.position(), wanted);
        if (count > 0) {
          target.position(target.position() + count);
        }
        return count;
      } catch (EOFException e) {
        // Compressed data that is cut short: its writer was killed, or still writes.
        return -1;
      } catch (IOException | RuntimeException e) {
        // Damaged compressed data: aircompressor throws unchecked.
        throw new SourceUnavailableException(name, "reading failed: " + e.getMessage(), e);
      }
    }

    @Override
    public void close() {
      try {
        in.close();
      } catch (IOException e) {
        throw new SourceUnavailableException(name, "closing failed: " + e.getMessage(), e);
      }
    }
  }
}
