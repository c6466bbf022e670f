package org.ghcdebug.protocol.wire;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import org.ghcdebug.protocol.error.DebuggeeRefusedException;
import org.ghcdebug.protocol.target.AddressList;
import org.ghcdebug.protocol.target.CcsPtr;
import org.ghcdebug.protocol.target.GhcVersion;
import org.ghcdebug.protocol.target.ProfilingMode;
import org.ghcdebug.protocol.target.Target;
import org.jspecify.annotations.Nullable;

/**
 * What a debuggee answers, one type for each shape. Immutable; they hold copies of the bytes.
 *
 * <p>Nothing in an answer has been checked against the heap: addresses may be wild, tagged or dead.
 */
public sealed interface Response {
  /**
   * The compiler and way of the program.
   *
   * @param ghc the compiler, its series and patch level not negative; 9.2.0 when the stub does not
   *     say
   * @param profiling {@link ProfilingMode#VANILLA} when the stub does not say
   * @param tablesNextToCode true in practice
   * @param payloadBytes 10; or 8 from an older stub, which does not tell the last two; or 4 from
   *     stub 0.2, which tells nothing and must not be reconnected to
   */
  record Version(
      GhcVersion ghc, ProfilingMode profiling, boolean tablesNextToCode, int payloadBytes)
      implements Response {
    /**
     * @throws IllegalArgumentException when {@code payloadBytes} is another number
     */
    public Version {
      if (payloadBytes != 4 && payloadBytes != 8 && payloadBytes != 10) {
        throw new IllegalArgumentException("VERSION of " + payloadBytes + " bytes");
      }
    }

    /** An answer of stub 0.6 and newer. */
    public static Version of(Target target) {
      return new Version(target.ghc(), target.profiling(), true, 10);
    }

    /** What must be known to read the program's heap. */
    public Target target() {
      return new Target(ghc, profiling);
    }
  }

  /** The request was carried out; there is nothing to tell. */
  record Done() implements Response {}

  /** Addresses; their order and tags are those of the request's description. */
  record Addresses(AddressList addresses) implements Response {}

  /**
   * A piece of memory for each address that was asked for, in that order.
   *
   * <p>All words are in one array: 8 bytes a word and 4 bytes a chunk.
   */
  final class MemoryChunks implements Response {
    private final long[] words;
    private final int[] ends; // chunk -> index after its last word

    MemoryChunks(long[] words, int[] ends) {
      this.words = words;
      this.ends = ends;
    }

    /** These chunks; the arrays are copied. */
    public static MemoryChunks of(List<long[]> chunks) {
      int[] ends = new int[chunks.size()];
      int end = 0;
      for (int i = 0; i < ends.length; i++) {
        end = Math.addExact(end, chunks.get(i).length);
        ends[i] = end;
      }
      long[] words = new long[end];
      for (int i = 0; i < ends.length; i++) {
        long[] chunk = chunks.get(i);
        System.arraycopy(chunk, 0, words, ends[i] - chunk.length, chunk.length);
      }
      return new MemoryChunks(words, ends);
    }

    /** The number of chunks: that of the addresses in the request. */
    public int size() {
      return ends.length;
    }

    /**
     * Words in a chunk; 0 says that there is nothing to be read at that address.
     *
     * @throws IndexOutOfBoundsException when there is no such chunk
     */
    public int sizeWords(int chunk) {
      return ends[chunk] - start(chunk);
    }

    /**
     * A word of a chunk. O(1).
     *
     * @throws IndexOutOfBoundsException when there is no such chunk or word
     */
    public long word(int chunk, int index) {
      int start = start(chunk);
      return words[start + Objects.checkIndex(index, ends[chunk] - start)];
    }

    /** A new array of a chunk's words. */
    public long[] words(int chunk) {
      return Arrays.copyOfRange(words, start(chunk), ends[chunk]);
    }

    /** Copies a chunk's words into {@code destination} from {@code offset} on. */
    public void copyTo(int chunk, long[] destination, int offset) {
      int start = start(chunk);
      System.arraycopy(words, start, destination, offset, ends[chunk] - start);
    }

    private int start(int chunk) {
      return chunk == 0 ? 0 : ends[chunk - 1];
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof MemoryChunks that
          && Arrays.equals(words, that.words)
          && Arrays.equals(ends, that.ends);
    }

    @Override
    public int hashCode() {
      return 31 * Arrays.hashCode(words) + Arrays.hashCode(ends);
    }

    @Override
    public String toString() {
      return "MemoryChunks[" + ends.length + " chunks, " + words.length + " words]";
    }
  }

  /** Which of a row of words are pointers. */
  final class Bitmap implements Response {
    private final int size;
    private final BitSet pointers;

    /**
     * @param size number of words
     * @param pointers the indexes of those that are pointers; copied
     * @throws IllegalArgumentException when an index is not below {@code size}
     */
    public Bitmap(int size, BitSet pointers) {
      if (pointers.length() > size) {
        throw new IllegalArgumentException(
            "bit %d in a bitmap of %d".formatted(pointers.length() - 1, size));
      }
      this.size = size;
      this.pointers = (BitSet) pointers.clone();
    }

    /** The number of words. */
    public int size() {
      return size;
    }

    /**
     * Whether a word is a pointer.
     *
     * @throws IndexOutOfBoundsException when {@code index} is not below {@link #size}
     */
    public boolean isPointer(int index) {
      return pointers.get(Objects.checkIndex(index, size));
    }

    /** The indexes of the pointers, as a new set. */
    public BitSet pointers() {
      return (BitSet) pointers.clone();
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Bitmap that && size == that.size && pointers.equals(that.pointers);
    }

    @Override
    public int hashCode() {
      return 31 * size + pointers.hashCode();
    }

    @Override
    public String toString() {
      return "Bitmap[" + size + ", pointers " + pointers + "]";
    }
  }

  /** A text; bytes that were not UTF-8 are U+FFFD in it. */
  record Text(String text) implements Response {}

  /**
   * What the compiler's info table map says about an info table; any of them may be empty.
   *
   * @param closureType decimal number; compilers before 9.10 write 0 for every constructor
   * @param label the enclosing bindings
   * @param position file and span; {@code :} when unknown
   */
  record SourceInfo(
      String tableName,
      String closureType,
      String typeDescription,
      String label,
      String module,
      String position)
      implements Response {}

  /** The info table map has no entry for the info table. */
  record NoSourceInfo() implements Response {}

  /** Heap blocks, whole, in the order of the RTS's lists. */
  record Blocks(List<Block> blocks) implements Response {
    public Blocks {
      blocks = List.copyOf(blocks);
    }
  }

  /** The memory of a group of heap blocks. */
  final class Block {
    private final int flags;
    private final long startAddr;
    private final long[] words;

    Block(int flags, long startAddr, long[] words) {
      if (flags < 0 || flags > 0xffff) {
        throw new IllegalArgumentException("block flags 0x%x, expected 16 bits".formatted(flags));
      }
      this.flags = flags;
      this.startAddr = startAddr;
      this.words = words;
    }

    /**
     * @param flags the 16 bits of the block descriptor's flags
     * @param startAddr address of the first byte
     * @param words the memory; copied
     * @throws IllegalArgumentException when the flags do not fit
     */
    public static Block of(int flags, long startAddr, long... words) {
      return new Block(flags, startAddr, words.clone());
    }

    /** The RTS's {@code BF_…} bits. */
    public int flags() {
      return flags;
    }

    public long startAddr() {
      return startAddr;
    }

    /** 512 words for every block of the group; 0 when the address was in none of its heads. */
    public int sizeWords() {
      return words.length;
    }

    /**
     * @throws IndexOutOfBoundsException when {@code index} is not below {@link #sizeWords}
     */
    public long word(int index) {
      return words[index];
    }

    /** A new array of the memory. */
    public long[] words() {
      return words.clone();
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Block that
          && flags == that.flags
          && startAddr == that.startAddr
          && Arrays.equals(words, that.words);
    }

    @Override
    public int hashCode() {
      return (31 * flags + Long.hashCode(startAddr)) * 31 + Arrays.hashCode(words);
    }

    @Override
    public String toString() {
      return "Block[0x%016x, flags 0x%x, %d words]".formatted(startAddr, flags, words.length);
    }
  }

  /**
   * A cost-centre stack (RTS {@code CostCentreStack}, rts/include/rts/prof/CCS.h).
   *
   * @param costCentreAddr the cost centre on top
   * @param previousAddr the rest of the stack, 0 for none
   * @param indexTableAddr the first child's entry, 0 for none
   * @param rootAddr 0 for none
   * @param sccCount times it was entered
   * @param selected non-zero when heap profiles select it
   * @param inheritedTicks with those of the children; computed by the RTS at the program's end
   */
  record Ccs(
      long id,
      long costCentreAddr,
      long previousAddr,
      long indexTableAddr,
      long rootAddr,
      long depth,
      long sccCount,
      long selected,
      long timeTicks,
      long allocatedWords,
      long inheritedAllocatedWords,
      long inheritedTicks)
      implements Response {}

  /**
   * A cost centre (RTS {@code CostCentre}, rts/include/rts/prof/CCS.h).
   *
   * @param nextAddr the next one of the program's list, 0 at its end
   */
  record CostCentre(
      long id,
      String label,
      String module,
      String location,
      long allocatedWords,
      long timeTicks,
      boolean isCaf,
      long nextAddr)
      implements Response {}

  /**
   * A child of a cost-centre stack (RTS {@code IndexTable}, rts/include/rts/prof/CCS.h).
   *
   * @param nextAddr the next child's entry, 0 at the end
   * @param isBackEdge whether the child is an ancestor: a recursion
   */
  record IndexTable(long costCentreAddr, long ccsAddr, long nextAddr, boolean isBackEdge)
      implements Response {}

  /** The root of the cost-centre stacks. */
  record CcsMain(CcsPtr root) implements Response {}

  /**
   * The request was not carried out; the connection stays usable.
   *
   * @param status an error
   */
  record Refused(Status status) implements Response {
    /**
     * @throws IllegalArgumentException when the status is no error
     */
    public Refused {
      if (!status.isError()) {
        throw new IllegalArgumentException(status + " refuses nothing");
      }
    }

    /** This refusal of {@code request} as an exception to throw. */
    public DebuggeeRefusedException toException(Request request) {
      return new DebuggeeRefusedException(
          request.command().name(), status.code(), status.meaning());
    }
  }
}
