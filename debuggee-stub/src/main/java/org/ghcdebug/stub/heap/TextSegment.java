package org.ghcdebug.stub.heap;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.ghcdebug.protocol.closure.ClosureType;
import org.ghcdebug.protocol.closure.PointerBitmap;
import org.ghcdebug.protocol.target.ProfilingMode;
import org.ghcdebug.protocol.target.Target;

/**
 * Info tables as the code generator lays them out with tables next to code
 * (rts/storage/InfoTables.h).
 *
 * <pre>
 *   before the info pointer I, S = 16 vanilla, 32 profiled
 *   I - S - 24   i32 offset of the slow-apply code   functions of type ARG_GEN and ARG_GEN_BIG
 *   I - S - 16   bitmap, or i32 offset of a large one   the same
 *   I - S - 8    u32 function type, u32 arity           functions
 *   I - S - 8    i32 offset of the name                 constructors
 *   I - 32       i32 offset of the type string          profiled
 *   I - 24       i32 offset of the description string   profiled
 *   I - 16       layout
 *   I - 8        u32 closure type
 *   I - 4        i32 offset of the SRT, or constructor number
 * </pre>
 */
final class TextSegment {
  private static final long START_ADDR = 0x400000;

  /** Entry code after each table; never looked at. */
  private static final int CODE_BYTES = 16;

  private static final int FUN_EXTRA_BYTES = 24;
  private static final int CONSTRUCTOR_EXTRA_BYTES = 8;
  private static final int ARG_GEN = 0;
  private static final int ARG_GEN_BIG = 1;

  /** Pointerhood of arguments -> function type (rts/include/rts/storage/FunTypes.h). */
  private static final Map<String, Integer> FUNCTION_TYPES = functionTypes();

  private final Region memory = Region.growing(START_ADDR);
  private final int standardBytes;
  private final List<Code> codes = new ArrayList<>();

  TextSegment(Target target) {
    standardBytes = target.profiling() == ProfilingMode.VANILLA ? 16 : 32;
  }

  /** All code so far. */
  List<Code> codes() {
    return codes;
  }

  Code constructor(
      ClosureType type, String description, int pointers, int nonPointers, int number) {
    long infoAddr = table(CONSTRUCTOR_EXTRA_BYTES, type, layout(pointers, nonPointers), number);
    long nameAddr = memory.putString(description.getBytes(UTF_8));
    memory.putInt(
        infoAddr - standardBytes - CONSTRUCTOR_EXTRA_BYTES, Math.toIntExact(nameAddr - infoAddr));
    return define(
        new Code(infoAddr, type, pointers, nonPointers, number, description, PointerBitmap.EMPTY));
  }

  Code function(ClosureType type, PointerBitmap arguments, int pointers, int nonPointers) {
    long infoAddr = table(FUN_EXTRA_BYTES, type, layout(pointers, nonPointers), 0);
    long extraEnd = infoAddr - standardBytes;
    Integer known = FUNCTION_TYPES.get(arguments.toString());
    boolean small = arguments.size() <= PointerBitmap.SMALL_BITMAP_LIMIT;
    memory.putInt(extraEnd - 4, arguments.size());
    memory.putInt(extraEnd - 8, known != null ? known : small ? ARG_GEN : ARG_GEN_BIG);
    memory.putLong(
        extraEnd - 16, small ? smallBitmap(arguments) : largeBitmap(arguments) - infoAddr);
    return define(new Code(infoAddr, type, pointers, nonPointers, arguments.size(), "", arguments));
  }

  /** A return frame, the RTS's own ones included. */
  Code frame(ClosureType type, PointerBitmap payload) {
    long layout = type == ClosureType.RET_BIG ? 0 : smallBitmap(payload);
    long infoAddr = table(0, type, layout, 0);
    if (type == ClosureType.RET_BIG) {
      memory.putInt(infoAddr - 16, Math.toIntExact(largeBitmap(payload) - infoAddr));
    }
    return define(new Code(infoAddr, type, 0, 0, 0, "", payload));
  }

  /** A selector thunk of a payload word of its constructor. */
  Code selector(int field) {
    return define(
        new Code(
            table(0, ClosureType.THUNK_SELECTOR, field, 0),
            ClosureType.THUNK_SELECTOR,
            0,
            0,
            0,
            "",
            PointerBitmap.EMPTY));
  }

  /** Everything that has only a standard part. */
  Code other(ClosureType type, int pointers, int nonPointers) {
    return define(
        new Code(
            table(0, type, layout(pointers, nonPointers), 0),
            type,
            pointers,
            nonPointers,
            0,
            "",
            PointerBitmap.EMPTY));
  }

  /** The finished segment: closures must have their addresses, for the SRTs. */
  BlockGroup build() {
    for (Code code : codes) {
      Ref srt = code.srt();
      if (srt != null) {
        memory.putInt(
            code.infoAddr() - 4, Math.toIntExact(srt.closure().address() - code.infoAddr()));
      }
    }
    return memory.asGroup();
  }

  private Code define(Code code) {
    codes.add(code);
    return code;
  }

  private long table(int extraBytes, ClosureType type, long layout, int lastField) {
    long startAddr = memory.reserve(extraBytes + standardBytes + CODE_BYTES);
    long infoAddr = startAddr + extraBytes + standardBytes;
    memory.putLong(infoAddr - 16, layout);
    memory.putInt(infoAddr - 8, type.number());
    memory.putInt(infoAddr - 4, lastField);
    if (standardBytes == 32) {
      int name = Math.toIntExact(memory.putString(type.name().getBytes(UTF_8)) - infoAddr);
      memory.putInt(infoAddr - 24, name);
      memory.putInt(infoAddr - 32, name);
    }
    return infoAddr;
  }

  private static long layout(int pointers, int nonPointers) {
    return Integer.toUnsignedLong(pointers) | (long) nonPointers << 32;
  }

  /** The RTS's form, where 1 means not a pointer. */
  private static long smallBitmap(PointerBitmap bitmap) {
    long word = bitmap.size();
    for (int i = 0; i < bitmap.size(); i++) {
      if (!bitmap.isPointer(i)) {
        word |= 1L << (6 + i);
      }
    }
    return word;
  }

  private long largeBitmap(PointerBitmap bitmap) {
    int bitWords = bitmap.bits().size();
    long address = memory.reserve(8 + 8 * bitWords);
    memory.putLong(address, bitmap.size());
    for (int i = 0; i < bitWords; i++) {
      memory.putLong(address + 8 + 8L * i, invertedBits(bitmap, i));
    }
    return address;
  }

  /** A word of a large bitmap in the RTS's form. */
  static long invertedBits(PointerBitmap bitmap, int word) {
    int used = Math.min(64, bitmap.size() - 64 * word);
    long mask = used == 64 ? -1L : (1L << used) - 1;
    return ~bitmap.bits().get(word) & mask;
  }

  private static Map<String, Integer> functionTypes() {
    var types = new HashMap<String, Integer>();
    types.put("", 3);
    types.put("N", 4);
    types.put("P", 5);
    int number = 12;
    for (String arguments :
        "NN NP PN PP NNN NNP NPN NPP PNN PNP PPN PPP PPPP PPPPP PPPPPP PPPPPPP PPPPPPPP"
            .split(" ")) {
      types.put(arguments, number++);
    }
    return Map.copyOf(types);
  }
}
