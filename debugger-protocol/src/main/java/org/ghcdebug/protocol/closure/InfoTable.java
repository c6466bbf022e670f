package org.ghcdebug.protocol.closure;

import org.ghcdebug.protocol.error.MalformedDataException;
import org.ghcdebug.protocol.target.InfoPtr;
import org.ghcdebug.protocol.target.ProfilingMode;

/**
 * The standard part of an info table (RTS {@code StgInfoTable}, rts/storage/InfoTables.h), tables
 * next to code, little-endian.
 *
 * <pre>
 *   from the table's start        from the info pointer I
 *   vanilla  profiled             vanilla  profiled
 *      -        0                    -      I - 32     i32 offset of the closure type string, 4 padding
 *      -        8                    -      I - 24     i32 offset of the description string, 4 padding
 *      0       16                 I - 16    I - 16     layout, 8 bytes, see {@link #layout}
 *      8       24                  I - 8     I - 8     u32 closure type
 *     12       28                  I - 4     I - 4     i32 SRT offset, or constructor number
 *      16 or 32 bytes
 * </pre>
 *
 * <p>The fields of function and constructor tables before the standard part are not here.
 *
 * @param address the info pointer, as it stands in closures
 * @param typeNumber u32 closure type; {@link #type} gives it a name
 * @param layout heap closures: u32 pointers in the low half, u32 non-pointers in the high half;
 *     THUNK_SELECTOR: the selected field; RET_BIG: i32 offset of the large bitmap from the info
 *     pointer; other frames: a small bitmap
 * @param srtField the SRT's offset from the info pointer, 0 for none; the constructor number in a
 *     constructor's table
 */
public record InfoTable(InfoPtr address, int typeNumber, long layout, int srtField) {
  private static final int STANDARD_PART_WORDS = 2;
  private static final int PROFILED_PART_WORDS = 4;

  /**
   * Reads the words directly before the info pointer, 2 in a vanilla program, 4 in a profiled one.
   *
   * @throws MalformedDataException when it is neither
   */
  public static InfoTable parse(InfoPtr address, long... standardPart) {
    int length = standardPart.length;
    if (length != STANDARD_PART_WORDS && length != PROFILED_PART_WORDS) {
      throw new MalformedDataException(
          "info table of " + address, 0, length + " words; expected 2 (vanilla) or 4 (profiled)");
    }
    long typeAndSrt = standardPart[length - 1];
    return new InfoTable(
        address, (int) typeAndSrt, standardPart[length - 2], (int) (typeAndSrt >>> 32));
  }

  /**
   * The words that {@link #parse} reads. In a profiled program they begin with the offsets of two
   * strings, which are 0 here.
   */
  public long[] standardPart(ProfilingMode profiling) {
    long typeAndSrt = Integer.toUnsignedLong(typeNumber) | (long) srtField << 32;
    return profiling == ProfilingMode.VANILLA
        ? new long[] {layout, typeAndSrt}
        : new long[] {0, 0, layout, typeAndSrt};
  }

  /** {@link ClosureType#UNKNOWN} for a number that no supported GHC uses. O(1). */
  public ClosureType type() {
    return ClosureType.ofNumber(typeNumber);
  }

  /**
   * Pointers in the payload, for types whose layout says so. A count that no heap could hold is
   * given as {@link Integer#MAX_VALUE}.
   */
  public int pointers() {
    return (int) Math.min(layout & 0xffff_ffffL, Integer.MAX_VALUE);
  }

  /** Non-pointer words in the payload; see {@link #pointers}. */
  public int nonPointers() {
    return (int) Math.min(layout >>> 32, Integer.MAX_VALUE);
  }

  /** Which payload word of its constructor a THUNK_SELECTOR selects. */
  public long selectorField() {
    return layout;
  }

  /** Number of a constructor in its data type, from 0. */
  public int constructorNumber() {
    return srtField;
  }

  /** Where the large bitmap of a RET_BIG frame is. */
  public long largeBitmapAddr() {
    return address.address() + (int) layout;
  }

  /** Address of the static reference table; 0 when there is none or the type cannot have one. */
  public long srtAddr() {
    return srtField != 0 && type().isCode() ? address.address() + srtField : 0;
  }

  /**
   * Whether the debuggee may be asked for the constructor's name. Not for {@code stg_dummy_ret},
   * which looks like a constructor without any payload and has no name: the ghc-debug stub 0.7
   * kills its program when asked for it.
   */
  public boolean hasConstructorName() {
    return type().isConstructor() && layout != 0;
  }
}
