package org.ghcdebug.client.value;

import java.util.HashMap;
import java.util.Map;
import org.ghcdebug.client.heap.Heap;
import org.ghcdebug.client.index.HeapCopy;
import org.ghcdebug.client.index.HeapCursor;
import org.ghcdebug.protocol.closure.ClosureType;
import org.ghcdebug.protocol.closure.ConstructorName;
import org.ghcdebug.protocol.closure.InfoTable;
import org.ghcdebug.protocol.target.GhcVersion;
import org.ghcdebug.protocol.target.Target;
import org.jspecify.annotations.Nullable;

/** Finds the contents of strings in a copy, without decoding closures. */
public final class StringReader {
  /** The longest String that is told apart from others. */
  public static final int MAX_CELLS = 1 << 20;

  private static final int MAX_INDIRECTIONS = 1000;

  private final Heap heap;
  private final HeapCopy copy;
  private final int maxCells;
  private final HeapCursor cell;
  private final HeapCursor other;
  private final Map<Long, @Nullable StringKind> kinds = new HashMap<>(); // by info address
  private final Map<Long, String> constructors = new HashMap<>(); // by info address

  /**
   * @param maxCells of a String, how many are read
   */
  public StringReader(Heap heap, HeapCopy copy, int maxCells) {
    this.maxCells = maxCells;
    this.heap = heap;
    this.copy = copy;
    this.cell = copy.cursor();
    this.other = copy.cursor();
  }

  /** To be read into. */
  public StringData newData() {
    return new StringData(copy.cursor());
  }

  /** The kind of string that closures with that info table are; {@code null} when none. */
  public @Nullable StringKind kind(InfoTable info) {
    GhcVersion ghc = copy.target().ghc();
    return kinds.computeIfAbsent(
        info.address().address(),
        _ ->
            heap.findConstructorName(info)
                .map(name -> StringKind.find(name, info.pointers(), info.nonPointers(), ghc))
                .orElse(null));
  }

  /**
   * Reads the string that begins at a closure.
   *
   * @return false when its contents are not on the heap, or cannot be read
   */
  public boolean read(HeapCursor closure, StringKind kind, StringData into) {
    into.begin(kind);
    int h = closure.headerWords();
    int data = h + closure.pointerCount();
    return switch (kind) {
      case TEXT -> into.bytes(closure.pointer(0), closure.word(data), closure.word(data + 1));
      case UTF_16_TEXT ->
          into.bytes(closure.pointer(0), 2 * closure.word(data), 2 * closure.word(data + 1));
      case SHORT_BYTE_STRING ->
          other.moveTo(closure.pointer(0))
              && other.info().type() == ClosureType.ARR_WORDS
              && into.bytes(closure.pointer(0), 0, other.word(h));
      case BYTE_STRING -> bytes(closure, closure.word(data), closure.word(data + 1), into);
      case OFFSET_BYTE_STRING ->
          bytes(closure, closure.word(data) + closure.word(data + 1), closure.word(data + 2), into);
      case LIST -> list(closure, into);
    };
  }

  /** Bytes at an address in the array that the contents keep. */
  private boolean bytes(HeapCursor closure, long addr, long count, StringData into) {
    if (count == 0) {
      return true;
    }
    if (!moveToValue(other, closure.pointer(0))
        || !other.info().type().isConstructor()
        || other.pointerCount() == 0) {
      return false;
    }
    long contentsAddr = other.address();
    long array = other.pointer(0);
    long dataAddr = Target.untag(array) + (other.headerWords() + 1L) * Target.WORD_BYTES;
    if (!into.bytes(array, addr - dataAddr, count)) {
      return false;
    }
    into.parts().add(contentsAddr);
    return true;
  }

  private boolean list(HeapCursor first, StringData into) {
    long next = first.address();
    while (into.length() < maxCells) {
      if (!moveToValue(cell, next)) {
        into.leaveOpen();
        break;
      }
      if (!isNamed(cell.info(), "GHC.Types.:") || !isCharacter(cell.pointer(0))) {
        if (!isNamed(cell.info(), "GHC.Types.[]")) {
          into.leaveOpen();
        }
        break;
      }
      if (into.length() > 0) {
        into.parts().add(cell.address());
      }
      into.parts().add(other.address());
      into.append((int) other.word(other.headerWords()));
      next = cell.pointer(1);
    }
    return into.length() > 0;
  }

  /** Whether it is an evaluated character; then the other cursor is there. */
  private boolean isCharacter(long pointer) {
    return moveToValue(other, pointer) && isNamed(other.info(), "GHC.Types.C#");
  }

  /** Whether the closure is a cell of a String; then {@link #tail} is where it goes on. */
  public boolean isStringCell(HeapCursor closure) {
    return isCharacter(closure.pointer(0));
  }

  /** The address of the value that a cell goes on with; 0 when there is none. */
  public long tail(HeapCursor closure) {
    return moveToValue(cell, closure.pointer(1)) ? cell.address() : 0;
  }

  private boolean isNamed(InfoTable info, String name) {
    return constructors
        .computeIfAbsent(
            info.address().address(),
            _ -> heap.findConstructorName(info).map(ConstructorName::qualifiedName).orElse(""))
        .equals(name);
  }

  /** Moves to what a pointer stands for, through indirections. */
  public static boolean moveToValue(HeapCursor cursor, long pointer) {
    long next = pointer;
    for (int step = 0; step < MAX_INDIRECTIONS && cursor.moveTo(next); step++) {
      ClosureType type = cursor.info().type();
      boolean isIndirection = type == ClosureType.IND || type == ClosureType.IND_STATIC;
      boolean isValue = type == ClosureType.BLACKHOLE && (cursor.pointer(0) & Target.TAG_MASK) != 0;
      if (!isIndirection && !isValue) {
        return true;
      }
      next = cursor.pointer(0);
    }
    return false;
  }
}
