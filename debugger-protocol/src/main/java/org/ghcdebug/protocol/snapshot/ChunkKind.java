package org.ghcdebug.protocol.snapshot;

import java.util.Arrays;
import java.util.Optional;

/** What a chunk holds. */
public enum ChunkKind {
  /** Texts by key: what was recorded, when, by whom. The first chunk. */
  METADATA(1),
  /** Heap blocks. */
  BLOCKS(2),
  /** Closures that are in no block, one an extent (or one and its continuations). */
  CLOSURES(3),
  /** Other memory of the program: static data, code with its info tables. */
  MEMORY(4),
  /** Where the garbage collector starts. */
  ROOTS(5),
  /** Closures that the program registered. */
  SAVED_OBJECTS(6),
  /** Info tables with their SRTs. */
  INFO_TABLES(7),
  /** Names of constructors. */
  CONSTRUCTOR_NAMES(8),
  /** What the program's info-table map says. */
  SOURCE_INFOS(9),
  /** Arguments of functions. */
  FUN_BITMAPS(10),
  /** Payloads of stack frames. */
  FRAME_BITMAPS(11),
  /** Texts by key: what is complete and what is missing. */
  SUMMARY(12),
  /** The headers and descriptors of the chunks above. */
  DIRECTORY(13),
  /** Cost-centre stacks of a profiled program. */
  COST_CENTRE_STACKS(14),
  /** What the symbols of the executable say about code. */
  CODE_SYMBOLS(15),
  /** What block descriptors say: how much of each group is in use, its generation. */
  BLOCK_GROUPS(16),
  /** What was computed from a snapshot; in files of their own. */
  INDEX(17);

  private final int number;

  ChunkKind(int number) {
    this.number = number;
  }

  /** Its number in files. */
  public int number() {
    return number;
  }

  /** Whether its payload is memory, with extents that say where it was. */
  public boolean isMemory() {
    return this == BLOCKS || this == CLOSURES || this == MEMORY;
  }

  static Optional<ChunkKind> findByNumber(int number) {
    return Arrays.stream(values()).filter(kind -> kind.number == number).findFirst();
  }
}
