package org.ghcdebug.stub.heap;

import java.util.List;
import org.ghcdebug.protocol.closure.PointerBitmap;
import org.ghcdebug.protocol.target.AddressList;
import org.ghcdebug.protocol.target.Target;
import org.ghcdebug.protocol.wire.Response;
import org.jspecify.annotations.Nullable;

/**
 * The heap of a Haskell program that does not run: what a debuggee's stub would find in memory.
 *
 * <p>Addresses are unsigned. Any address may be asked for; where there is nothing of the kind asked
 * for, the answer is {@code null} (0 for an {@linkplain #srt SRT}). Immutable and safe to share.
 */
public interface StubHeap {
  /** Compiler and way of the program. */
  Target target();

  /** Threads first, untagged; then what stable names and stable pointers refer to, maybe tagged. */
  AddressList roots();

  /** Untagged pointers to the closures that the program registered, in its order. */
  AddressList savedObjects();

  /**
   * The memory of a closure in the size that the RTS computes for it.
   *
   * @param closureAddr a pointer to its first word; a tag is ignored
   * @return its words, the info pointer first
   */
  long @Nullable [] closure(long closureAddr);

  /**
   * The standard part of an info table: 2 words, 4 when profiled.
   *
   * @param infoAddr an info pointer
   */
  long @Nullable [] infoTable(long infoAddr);

  /** Address of the static reference table of an info pointer; 0 when it has none. */
  long srt(long infoAddr);

  /**
   * Which words of a stack frame's payload are pointers.
   *
   * @param frameAddr address of the frame's info pointer
   */
  @Nullable PointerBitmap stackBitmap(long frameAddr);

  /**
   * Which of a function's first arguments are pointers.
   *
   * @param funAddr a pointer to the function; a tag is ignored
   */
  @Nullable PointerBitmap funBitmap(long funAddr, int arguments);

  /** What the info table of a constructor says it is called, such as {@code main:Main.Rec}. */
  @Nullable String constructorDescription(long infoAddr);

  /** The info-table map's entry of an info pointer. */
  Response.@Nullable SourceInfo sourceInfo(long infoAddr);

  /** All block groups by ascending address, each once. */
  List<BlockGroup> blocks();

  /** The block group that contains an address, listed in {@link #blocks} or not. */
  @Nullable BlockGroup block(long address);

  /** The cost-centre stack at an address. */
  Response.@Nullable Ccs costCentreStack(long ccsAddr);

  /** The cost centre at an address. */
  Response.@Nullable CostCentre costCentre(long address);

  /** The entry of a cost-centre stack's list of children at an address. */
  Response.@Nullable IndexTable indexTable(long address);

  /** The root of the cost-centre stacks; {@code null} when the program is not profiled. */
  Response.@Nullable CcsMain mainCostCentreStack();
}
