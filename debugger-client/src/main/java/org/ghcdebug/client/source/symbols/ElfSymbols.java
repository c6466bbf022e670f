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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.ghcdebug.protocol.closure.CodeSymbol;
import org.ghcdebug.protocol.error.MalformedDataException;
import org.jspecify.annotations.Nullable;

/**
 * The symbols of the info tables in a 64-bit little-endian ELF file (executable or shared object).
 *
 * <p>The file is mapped until {@link #close}, and searched where it is. A file without a symbol
 * table, because it was stripped, knows nothing. Not thread-safe.
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

  private MemorySegment table = MemorySegment.NULL; // the symbols
  private MemorySegment names = MemorySegment.NULL;

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
    MemorySegment sections = slice(headersOffset, (long) headerCount * SECTION_HEADER_BYTES);
    int section = findSection(sections, headerCount, SHT_SYMTAB);
    if (section < 0) {
      section = findSection(sections, headerCount, SHT_DYNSYM);
    }
    if (section >= 0) {
      MemorySegment header = section(sections, section);
      int link = header.get(INT, 40);
      if (link < 0 || link >= headerCount) {
        throw new MalformedDataException(description, 0, "symbols without names");
      }
      this.table = contents(header);
      this.names = contents(section(sections, link));
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

  private boolean endsInInfo(long start) {
    long end = start;
    while (end < names.byteSize() && names.get(ValueLayout.JAVA_BYTE, end) != 0) {
      end++;
    }
    for (int i = 1; i <= INFO_SUFFIX.length(); i++) {
      if (end - i < start
          || names.get(ValueLayout.JAVA_BYTE, end - i)
              != INFO_SUFFIX.charAt(INFO_SUFFIX.length() - i)) {
        return false;
      }
    }
    return end < names.byteSize();
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
   * The symbols of info pointers, or else the next ones behind them. One pass over the table.
   *
   * @param linkedAddrs as linked, see {@link #linkedAddress}; rising
   */
  List<@Nullable CodeSymbol> find(long[] linkedAddrs) {
    long[] nearest = new long[linkedAddrs.length]; // address of the symbol
    long[] places = new long[linkedAddrs.length]; // its entry in the table, -1 for none
    Arrays.fill(nearest, Long.MAX_VALUE);
    Arrays.fill(places, -1);
    for (long at = 0; at + SYMBOL_BYTES <= table.byteSize(); at += SYMBOL_BYTES) {
      long addr = table.get(LONG, at + 8);
      int found = Arrays.binarySearch(linkedAddrs, addr);
      int last = found >= 0 ? found : ~found - 1; // the last one that it is at or behind
      boolean isDefined = table.get(SHORT, at + 6) != 0;
      if (isDefined && last >= 0 && addr < nearest[last] && endsInInfo(name(at))) {
        nearest[last] = addr;
        places[last] = at;
      }
    }
    for (int i = linkedAddrs.length - 2; i >= 0; i--) {
      if (nearest[i + 1] < nearest[i]) {
        nearest[i] = nearest[i + 1];
        places[i] = places[i + 1];
      }
    }
    List<@Nullable CodeSymbol> symbols = new ArrayList<>(linkedAddrs.length);
    for (int i = 0; i < linkedAddrs.length; i++) {
      symbols.add(
          places[i] < 0
              ? null
              : CodeSymbol.parse(
                  names.getString(name(places[i]), StandardCharsets.UTF_8),
                  nearest[i] == linkedAddrs[i]));
    }
    return symbols;
  }

  /** Where the name of the symbol at a place of the table begins. */
  private long name(long at) {
    return Integer.toUnsignedLong(table.get(INT, at));
  }

  @Override
  public void close() {
    if (arena.scope().isAlive()) {
      arena.close();
    }
  }
}
