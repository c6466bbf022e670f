package org.ghcdebug.client.source.symbols;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import org.ghcdebug.client.collections.LongList;
import org.ghcdebug.protocol.closure.CodeSymbol;
import org.ghcdebug.protocol.error.MalformedDataException;
import org.jspecify.annotations.Nullable;

/**
 * The symbols of the info tables in a 64-bit little-endian ELF file (executable or shared object).
 *
 * <p>Memory: 16 bytes per symbol; the names stay in the file, which is mapped until {@link #close}.
 * A file without a symbol table, because it was stripped, knows nothing. Not thread-safe.
 */
final class ElfSymbols implements AutoCloseable {
  private static final int HEADER_BYTES = 64;
  private static final int MAGIC = 0x464c457f; // \x7fELF
  private static final int CLASS_64_LITTLE_ENDIAN = 0x0102;
  private static final int PROGRAM_HEADER_BYTES = 56;
  private static final int SECTION_HEADER_BYTES = 64;
  private static final int SYMBOL_BYTES = 24;
  private static final int PT_LOAD = 1;
  private static final int SHT_SYMTAB = 2;
  private static final int SHT_DYNSYM = 11;
  private static final String INFO_SUFFIX = "_info";

  private static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final Arena arena;
  private final MemorySegment file;
  private final String description;

  /** Symbols of info tables by address, with where each name begins in the file. */
  private long[] addresses = {};

  private long[] names = {};

  private ElfSymbols(String description, Arena arena, MemorySegment file) {
    this.description = description;
    this.arena = arena;
    this.file = file;
  }

  /**
   * Maps a file and reads its symbol table.
   *
   * @throws IOException when it cannot be read
   * @throws MalformedDataException when it is no such file, or damaged
   */
  static ElfSymbols open(Path path) throws IOException {
    Arena arena = Arena.ofShared();
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      MemorySegment file = channel.map(MapMode.READ_ONLY, 0, channel.size(), arena);
      ElfSymbols symbols = new ElfSymbols(path.toString(), arena, file);
      symbols.readSymbols();
      return symbols;
    } catch (Throwable failure) {
      arena.close();
      throw failure;
    }
  }

  private void readSymbols() {
    if (file.byteSize() < HEADER_BYTES
        || file.get(INT, 0) != MAGIC
        || file.get(SHORT, 4) != CLASS_64_LITTLE_ENDIAN) {
      throw new MalformedDataException(description, 0, "no 64-bit little-endian ELF file");
    }
    long headersOffset = file.get(LONG, 40);
    int headerCount = Short.toUnsignedInt(file.get(SHORT, 60));
    MemorySegment table = slice(headersOffset, (long) headerCount * SECTION_HEADER_BYTES);
    int section = findSection(table, headerCount, SHT_SYMTAB);
    if (section < 0) {
      section = findSection(table, headerCount, SHT_DYNSYM);
    }
    if (section >= 0) {
      MemorySegment header = section(table, section);
      int link = header.get(INT, 40);
      if (link < 0 || link >= headerCount) {
        throw new MalformedDataException(description, 0, "symbols without names");
      }
      readSymbols(contents(header), section(table, link));
    }
  }

  private static int findSection(MemorySegment table, int count, int type) {
    for (int i = 0; i < count; i++) {
      if (section(table, i).get(INT, 4) == type) {
        return i;
      }
    }
    return -1;
  }

  private static MemorySegment section(MemorySegment table, int index) {
    return table.asSlice((long) index * SECTION_HEADER_BYTES, SECTION_HEADER_BYTES);
  }

  private MemorySegment contents(MemorySegment sectionHeader) {
    return slice(sectionHeader.get(LONG, 24), sectionHeader.get(LONG, 32));
  }

  private MemorySegment slice(long offset, long length) {
    if (offset < 0 || length < 0 || offset > file.byteSize() - length) {
      throw new MalformedDataException(
          description, offset, "a part of %d bytes, beyond the end of the file".formatted(length));
    }
    return file.asSlice(offset, length);
  }

  private void readSymbols(MemorySegment table, MemorySegment namesHeader) {
    MemorySegment texts = contents(namesHeader);
    long textsOffset = namesHeader.get(LONG, 24);
    LongList order = new LongList(); // index of each symbol of an info table
    for (long at = 0; at + SYMBOL_BYTES <= table.byteSize(); at += SYMBOL_BYTES) {
      long name = Integer.toUnsignedLong(table.get(INT, at));
      boolean isDefined = table.get(SHORT, at + 6) != 0;
      if (isDefined && name < texts.byteSize() && endsInInfo(texts, name)) {
        order.add(at);
      }
    }
    long[] sorted =
        Arrays.stream(order.toArray())
            .boxed()
            .sorted((a, b) -> Long.compareUnsigned(table.get(LONG, a + 8), table.get(LONG, b + 8)))
            .mapToLong(Long::longValue)
            .toArray();
    addresses = Arrays.stream(sorted).map(at -> table.get(LONG, at + 8)).toArray();
    names =
        Arrays.stream(sorted)
            .map(at -> textsOffset + Integer.toUnsignedLong(table.get(INT, at)))
            .toArray();
  }

  private static boolean endsInInfo(MemorySegment texts, long start) {
    long end = start;
    while (end < texts.byteSize() && texts.get(ValueLayout.JAVA_BYTE, end) != 0) {
      end++;
    }
    for (int i = 1; i <= INFO_SUFFIX.length(); i++) {
      if (end - i < start
          || texts.get(ValueLayout.JAVA_BYTE, end - i)
              != INFO_SUFFIX.charAt(INFO_SUFFIX.length() - i)) {
        return false;
      }
    }
    return true;
  }

  /**
   * The address that a byte of the file is linked at; -1 when it is not loaded.
   *
   * @param fileOffset of a byte in a loadable segment
   */
  long linkedAddress(long fileOffset) {
    long headersOffset = file.get(LONG, 32);
    int headerCount = Short.toUnsignedInt(file.get(SHORT, 56));
    MemorySegment table = slice(headersOffset, (long) headerCount * PROGRAM_HEADER_BYTES);
    for (int i = 0; i < headerCount; i++) {
      MemorySegment header = table.asSlice((long) i * PROGRAM_HEADER_BYTES, PROGRAM_HEADER_BYTES);
      long start = header.get(LONG, 8);
      if (header.get(INT, 0) == PT_LOAD
          && fileOffset >= start
          && fileOffset < start + header.get(LONG, 32)) {
        return header.get(LONG, 16) + fileOffset - start;
      }
    }
    return -1;
  }

  /**
   * The symbol of an info pointer, or of the binding that the code there is inside of.
   *
   * @param linkedAddr as linked, see {@link #linkedAddress}
   */
  @Nullable CodeSymbol find(long linkedAddr) {
    int place = Arrays.binarySearch(addresses, linkedAddr);
    int index = place >= 0 ? place : ~place;
    return index == addresses.length ? null : CodeSymbol.parse(name(index), place >= 0);
  }

  private String name(int index) {
    return file.getString(names[index], StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    if (arena.scope().isAlive()) {
      arena.close();
    }
  }
}
