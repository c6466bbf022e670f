package org.ghcdebug.client.source;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import org.ghcdebug.protocol.closure.ClosureType;
import org.ghcdebug.protocol.closure.ConstructorName;
import org.ghcdebug.protocol.closure.InfoTable;
import org.ghcdebug.protocol.closure.PointerBitmap;
import org.ghcdebug.protocol.closure.Words;
import org.ghcdebug.protocol.decode.ClosureWords;
import org.ghcdebug.protocol.target.InfoPtr;
import org.ghcdebug.protocol.target.Target;
import org.jspecify.annotations.Nullable;

/**
 * Reads info tables, what belongs to them and constructor names out of a program's own memory,
 * where that can be read. With tables next to code (rts/include/rts/storage/InfoTables.h):
 *
 * <pre>
 *   info pointer - 8 × n  bitmap, or offset of a large one   functions, n = 4, or 6 profiled
 *                         arity, function type               functions, n = 3, or 5
 *                         offset of the description          constructors, n = 3, or 5
 *   info pointer - 16     layout; of a RET_BIG frame the offset of its bitmap
 *   info pointer - 8      closure type, SRT or constructor number
 * </pre>
 */
public final class ProgramCode {
  private static final int MAX_NAME_BYTES = 4096;
  private static final int MAX_BITMAP_WORDS = 1 << 20;

  private static final int ARG_GEN = 0;
  private static final int ARG_GEN_BIG = 1;

  /** RTS {@code ARG_NONE}, the first type whose bitmap is known by its number. */
  private static final int FIRST_KNOWN_TYPE = 3;

  /** Sizes of the known types' bitmaps (rts/include/rts/storage/FunTypes.h). */
  private static final int[] SIZES = {
    0, 1, 1, 1, 1, 1, 2, 4, 8, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3, 4, 5, 6, 7, 8
  };

  /** Their words that are no pointers, lowest bit first. */
  private static final int[] NON_POINTERS = {
    0, 1, 0, 1, 1, 1, 3, 15, 255, 3, 1, 2, 0, 7, 3, 5, 1, 6, 2, 4, 0, 0, 0, 0, 0, 0
  };

  /** Memory of a program. */
  public interface Memory {
    /**
     * The words from an address to the end of what is known there; {@code null} when nothing is, or
     * the address is no multiple of 8.
     */
    @Nullable ClosureWords find(long addr);

    /** A byte, or -1 where nothing is known. */
    int findByte(long addr);
  }

  private final Memory memory;
  private final int standardWords;

  public ProgramCode(Memory memory, Target target) {
    this.memory = memory;
    this.standardWords = target.headerWords() == 1 ? 2 : 4;
  }

  /** The info table of an info pointer; {@code null} when its memory is not known. */
  public @Nullable InfoTable findInfoTable(long infoAddr) {
    ClosureWords words = memory.find(infoAddr - 2L * Target.WORD_BYTES);
    return words == null || words.length() < 2
        ? null
        : InfoTable.parse(new InfoPtr(infoAddr), words.word(0), words.word(1));
  }

  /** The name of a constructor; {@code null} when its memory is not known. */
  public @Nullable ConstructorName findConstructorName(long infoAddr) {
    ClosureWords offset = memory.find(infoAddr - (standardWords + 1L) * Target.WORD_BYTES);
    if (offset == null) {
      return null;
    }
    long textAddr = infoAddr + (int) offset.word(0);
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    int next;
    while ((next = memory.findByte(textAddr + text.size())) > 0) {
      text.write(next);
      if (text.size() > MAX_NAME_BYTES) {
        return null;
      }
    }
    return next == 0 && text.size() > 0
        ? ConstructorName.parse(text.toString(StandardCharsets.UTF_8))
        : null;
  }

  /**
   * Which of a function's first arguments are pointers.
   *
   * @return {@code null} when it is no function with a table, or its memory is not known
   */
  public @Nullable PointerBitmap findFunBitmap(long infoAddr, int arguments) {
    InfoTable info = findInfoTable(infoAddr);
    if (info == null || !info.type().isFunction()) {
      return null;
    }
    ClosureWords extra = memory.find(infoAddr - (standardWords + 1L) * Target.WORD_BYTES);
    if (extra == null) {
      return null;
    }
    int functionType = (int) extra.word(0);
    PointerBitmap bitmap =
        switch (functionType) {
          case ARG_GEN -> {
            ClosureWords small = memory.find(infoAddr - (standardWords + 2L) * Target.WORD_BYTES);
            yield small == null ? null : PointerBitmap.ofSmallBitmap(small.word(0));
          }
          case ARG_GEN_BIG -> {
            ClosureWords offset = memory.find(infoAddr - (standardWords + 2L) * Target.WORD_BYTES);
            yield offset == null ? null : largeBitmap(infoAddr + (int) offset.word(0));
          }
          default -> knownBitmap(functionType);
        };
    return bitmap == null ? null : resized(bitmap, arguments);
  }

  private static @Nullable PointerBitmap knownBitmap(int functionType) {
    int index = functionType - FIRST_KNOWN_TYPE;
    if (index < 0 || index >= SIZES.length) {
      return null;
    }
    int size = SIZES[index];
    return size == 0
        ? PointerBitmap.EMPTY
        : new PointerBitmap(size, Words.of(~NON_POINTERS[index] & (1L << size) - 1));
  }

  private static PointerBitmap resized(PointerBitmap bitmap, int size) {
    if (size <= bitmap.size()) {
      return bitmap.prefix(size);
    }
    byte[] pointers = new byte[size];
    for (int i = 0; i < bitmap.size(); i++) {
      pointers[i] = (byte) (bitmap.isPointer(i) ? 1 : 0);
    }
    return PointerBitmap.ofBytes(pointers);
  }

  /**
   * Which payload words of the frames of an info pointer are pointers.
   *
   * @return {@code null} unless it is of a RET_BIG frame, and its memory is known
   */
  public @Nullable PointerBitmap findBigFrameBitmap(long infoAddr) {
    InfoTable info = findInfoTable(infoAddr);
    return info == null || info.type() != ClosureType.RET_BIG
        ? null
        : largeBitmap(infoAddr + (int) info.layout());
  }

  /** RTS {@code StgLargeBitmap}: size in words, then bits, 1 = no pointer. */
  private @Nullable PointerBitmap largeBitmap(long addr) {
    ClosureWords words = memory.find(addr);
    if (words == null) {
      return null;
    }
    long size = words.word(0);
    if (size < 0 || size > MAX_BITMAP_WORDS || 1 + (size + 63) / 64 > words.length()) {
      return null;
    }
    long[] bits = new long[(int) ((size + 63) / 64)];
    for (int i = 0; i < bits.length; i++) {
      bits[i] = ~words.word(1 + i);
    }
    if (size % 64 != 0) {
      bits[bits.length - 1] &= (1L << size) - 1;
    }
    return new PointerBitmap((int) size, Words.of(bits));
  }
}
