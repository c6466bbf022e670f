package org.ghcdebug.protocol.closure;

import java.util.List;
import java.util.Set;
import org.ghcdebug.protocol.target.CcsPtr;
import org.ghcdebug.protocol.target.ClosurePtr;
import org.jspecify.annotations.Nullable;

/**
 * A decoded closure. In the layout pictures H is the number of header words, 1 vanilla and 3
 * profiled, and fields are words unless a width is given. Pointers are as stored, maybe tagged.
 *
 * <p>From rts/storage/Closures.h and TSO.h, GHC 9.2 to 9.14. Immutable.
 */
public sealed interface Closure {
  ClosureHeader header();

  default ClosurePtr address() {
    return header().address();
  }

  default InfoTable info() {
    return header().info();
  }

  /** Size as the RTS computes it, header included. */
  default long sizeWords() {
    return header().sizeWords();
  }

  /** {@code null} unless the program is profiled. */
  default @Nullable ProfilingHeader profiling() {
    return header().profiling();
  }

  /**
   * Every reference to another closure, in the order of the words that hold them, the static
   * reference table first. End markers such as {@code END_TSO_QUEUE} are closures like others.
   * O(size).
   */
  default List<Edge> edges() {
    return EdgeCollector.edges(this);
  }

  /**
   * A value of a data type: {@code CONSTR*}.
   *
   * <pre>
   *   H      pointers, then non-pointers (unboxed fields, packed below word size)
   * </pre>
   *
   * <p>A static nullary constructor shows one non-pointer that is not part of it.
   */
  record Constr(ClosureHeader header, Words pointers, Words nonPointers) implements Closure {}

  /**
   * A function: {@code FUN*}; the payload are its free variables.
   *
   * <pre>
   *   H      pointers, then non-pointers
   * </pre>
   */
  record Fun(ClosureHeader header, Words pointers, Words nonPointers) implements Closure {}

  /**
   * A computation not done yet: {@code THUNK*}; the payload are its free variables.
   *
   * <pre>
   *   H      padding, where the value is put later; THUNK_STATIC ends before it
   *   H+1    pointers, then non-pointers
   * </pre>
   */
  record Thunk(ClosureHeader header, Words pointers, Words nonPointers) implements Closure {}

  /**
   * A field selection not done yet: {@code THUNK_SELECTOR}; {@link InfoTable#selectorField} tells
   * which.
   *
   * <pre>
   *   H      padding
   *   H+1    selectee
   * </pre>
   */
  record Selector(ClosureHeader header, long selectee) implements Closure {}

  /**
   * A function and some of its arguments.
   *
   * <pre>
   *   H      u32 arity that remains, u32 number of arguments
   *   H+1    function
   *   H+2    arguments
   * </pre>
   */
  record Pap(ClosureHeader header, int arity, long fun, Slots arguments) implements Closure {}

  /**
   * A function and all of its arguments, not applied yet.
   *
   * <pre>
   *   H      padding
   *   H+1    u32 arity, u32 number of arguments
   *   H+2    function
   *   H+3    arguments
   * </pre>
   */
  record Ap(ClosureHeader header, int arity, long fun, Slots arguments) implements Closure {}

  /**
   * A computation cut off by an asynchronous exception, to be continued when it is needed.
   *
   * <pre>
   *   H      padding
   *   H+1    words of the frames
   *   H+2    closure to enter first; another AP_STACK when the stack had several chunks
   *   H+3    stack frames
   * </pre>
   */
  record ApStack(ClosureHeader header, long fun, FrameList frames) implements Closure {}

  /**
   * Byte code.
   *
   * <pre>
   *   H      instructions, an ARR_WORDS
   *   H+1    literals, an ARR_WORDS
   *   H+2    pointers, a MUT_ARR_PTRS
   *   H+3    u32 arity, u32 words of the whole closure
   *   H+4    words that the bitmap describes
   *   H+5    bitmap, 0 = pointer
   * </pre>
   */
  record Bco(
      ClosureHeader header,
      long instructions,
      long literals,
      long pointers,
      int arity,
      PointerBitmap bitmap)
      implements Closure {}

  /**
   * An indirection: {@code IND}, and {@code IND_STATIC}, a CAF whose evaluation has begun.
   *
   * <pre>
   *   H      indirectee
   * </pre>
   */
  record Ind(ClosureHeader header, long indirectee) implements Closure {}

  /**
   * A thunk that is or was evaluated.
   *
   * <pre>
   *   H      the value, when tagged or of no type named here; else the evaluating TSO or a
   *          BLOCKING_QUEUE (or, for moments, an IND or a message)
   * </pre>
   */
  record BlackHole(ClosureHeader header, long indirectee) implements Closure {}

  /**
   * Threads that wait for a black hole.
   *
   * <pre>
   *   H      link, the owner's next queue
   *   H+1    the black hole
   *   H+2    owner, the evaluating TSO
   *   H+3    queue of MSG_BLACKHOLE
   * </pre>
   */
  record BlockingQueue(ClosureHeader header, long link, long blackHole, long owner, long queue)
      implements Closure {}

  /**
   * An {@code MVar#}; empty when the value is {@code END_TSO_QUEUE}.
   *
   * <pre>
   *   H      head of the queue of waiting threads
   *   H+1    its tail
   *   H+2    value
   * </pre>
   */
  record MVar(ClosureHeader header, long head, long tail, long value) implements Closure {}

  /**
   * A {@code TVar#}.
   *
   * <pre>
   *   H      current value; a TREC_HEADER while a transaction commits
   *   H+1    watch queue
   *   H+2    number of updates
   * </pre>
   */
  record TVar(ClosureHeader header, long currentValue, long watchQueue, long updates)
      implements Closure {}

  /**
   * A {@code MutVar#}.
   *
   * <pre>
   *   H      value
   * </pre>
   */
  record MutVar(ClosureHeader header, long value) implements Closure {}

  /**
   * A byte array.
   *
   * <pre>
   *   H      bytes
   *   H+1    data, up to 7 bytes of padding at the end
   * </pre>
   */
  record ArrWords(ClosureHeader header, long sizeBytes, Words data) implements Closure {}

  /**
   * A boxed array with a card table: {@code MUT_ARR_PTRS*}.
   *
   * <pre>
   *   H      number of elements
   *   H+1    words of elements and cards
   *   H+2    elements, then cards, one byte for 128 elements
   * </pre>
   */
  record MutArrPtrs(ClosureHeader header, Words elements, Words cards) implements Closure {}

  /**
   * A boxed array without cards: {@code SMALL_MUT_ARR_PTRS*}.
   *
   * <pre>
   *   H      number of elements
   *   H+1    elements
   * </pre>
   */
  record SmallMutArrPtrs(ClosureHeader header, Words elements) implements Closure {}

  /**
   * A weak pointer, alive. Dead ones are constructors named {@code DEAD_WEAK}.
   *
   * <pre>
   *   H      C finalizers
   *   H+1    key
   *   H+2    value
   *   H+3    finalizer
   *   H+4    link of the RTS's list, 0 at its end
   * </pre>
   */
  record Weak(
      ClosureHeader header, long cFinalizers, long key, long value, long finalizer, long link)
      implements Closure {}

  /**
   * An RTS structure: {@code PRIM} and {@code MUT_PRIM}, such as a StableName, a queue cell, a
   * message or a transaction's header.
   *
   * <pre>
   *   H      pointers, then non-pointers
   * </pre>
   */
  record Prim(ClosureHeader header, Words pointers, Words nonPointers) implements Closure {}

  /**
   * A Haskell thread. Offsets are in {@code ClosureLayout}.
   *
   * @param link next in whatever queue it is in
   * @param globalLink next of its generation's threads; not a reference
   * @param stack top chunk of its stack
   * @param whatNextNumber see {@link #whatNext}
   * @param whyBlockedNumber see {@link #blockReason}
   * @param flagBits see {@link #flags}
   * @param blockInfo what it waits for; a pointer for some reasons only
   * @param id the number that {@code show} of a ThreadId gives
   * @param bound the OS thread's Task if it is bound; C memory
   * @param capability C memory
   * @param transaction the running STM transaction
   * @param label an ARR_WORDS with UTF-8 text, 0 for none or when the GHC keeps labels elsewhere
   * @param blockedExceptions exceptions thrown to it that wait
   * @param blockingQueues queues of black holes that it evaluates
   * @param allocationLimitBytes what remains of its limit, negative without one
   * @param stackWords size of all chunks
   * @param ccs current cost-centre stack, {@code null} unless profiled
   */
  record Tso(
      ClosureHeader header,
      long link,
      long globalLink,
      long stack,
      int whatNextNumber,
      int whyBlockedNumber,
      int flagBits,
      long blockInfo,
      long id,
      int savedErrno,
      int dirty,
      long bound,
      long capability,
      long transaction,
      long label,
      long blockedExceptions,
      long blockingQueues,
      long allocationLimitBytes,
      int stackWords,
      @Nullable CcsPtr ccs)
      implements Closure {
    public WhatNext whatNext() {
      return WhatNext.ofNumber(whatNextNumber);
    }

    public BlockReason blockReason() {
      return BlockReason.ofNumber(whyBlockedNumber);
    }

    /** Those that are known, see {@link TsoFlag}. */
    public Set<TsoFlag> flags() {
      return TsoFlag.ofBits(flagBits);
    }
  }

  /**
   * A chunk of a thread's stack.
   *
   * <pre>
   *   H      u32 words of the area, u8 dirty, u8 marking
   *   H+1    address of the top frame
   *   H+2    area; frames from the top frame to its end
   * </pre>
   *
   * @param areaWords size of the area, unused part included
   * @param spAddr address of the top frame
   */
  record Stack(
      ClosureHeader header, int areaWords, int dirty, int marking, long spAddr, FrameList frames)
      implements Closure {}

  /**
   * A slice of a stack captured by {@code control0#}.
   *
   * <pre>
   *   H      info pointer of the mask frame to apply, or 0
   *   H+1    its offset in words
   *   H+2    words of the frames
   *   H+3    frames
   * </pre>
   */
  record Continuation(
      ClosureHeader header, long applyMaskFrame, long maskFrameOffsetWords, FrameList frames)
      implements Closure {}

  /**
   * Part of a transaction's log; always of full size, and entries beyond the next index are
   * leftovers.
   *
   * <pre>
   *   H      previous chunk
   *   H+1    index of the next entry, 0 to 16
   *   H+2    16 entries of 4 words, see {@link TrecEntry}
   * </pre>
   *
   * @param entries those in use
   */
  record TrecChunk(ClosureHeader header, long previous, List<TrecEntry> entries)
      implements Closure {
    public TrecChunk {
      entries = List.copyOf(entries);
    }
  }

  /** A variable that a transaction has read or written. */
  record TrecEntry(long tvar, long expectedValue, long newValue, long updates) {}

  /**
   * The header of a compact region. None of its fields is a reference for the collector.
   *
   * <pre>
   *   H      total words        H+3    hpLim          H+6    hash
   *   H+1    auto block words   H+4    nursery        H+7    result
   *   H+2    hp                 H+5    last           H+8    link
   * </pre>
   */
  record CompactNfData(
      ClosureHeader header,
      long totalWords,
      long autoBlockWords,
      long hpAddr,
      long hpLimAddr,
      long nurseryAddr,
      long lastAddr,
      long hashAddr,
      long result,
      long link)
      implements Closure {}

  /**
   * Something that was not understood.
   *
   * @param pointers words known to be pointers: those of the layout when only the type number is
   *     unknown
   * @param words its words, header included; when its size is not known, the first few of those
   *     that could be read, and that many count as its size
   * @param problem what was found and what was expected
   */
  record Unknown(ClosureHeader header, Words pointers, Words words, String problem)
      implements Closure {}
}
