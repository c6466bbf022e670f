package org.ghcdebug.protocol.decode;

import org.ghcdebug.protocol.closure.BlockReason;
import org.ghcdebug.protocol.closure.EdgeKind;
import org.ghcdebug.protocol.closure.InfoTable;
import org.ghcdebug.protocol.closure.PointerBitmap;
import org.ghcdebug.protocol.layout.ClosureLayout;
import org.ghcdebug.protocol.layout.TsoLayout;
import org.ghcdebug.protocol.target.Target;

/**
 * Finds the references of closures, in the order of the words that hold them, static reference
 * table first.
 *
 * <p>Allocates nothing but one small object for a closure that contains stack frames, unless
 * something is {@linkplain EdgeSink#unresolved unresolved}. Time is O(words of the closure).
 * Immutable and safe to share between threads.
 *
 * <p>References follow the RTS's own ideas of them (rts/sm/Scav.c, GHC 9.2 to 9.14), except that a
 * weak pointer's fields are all reported, with kinds that say what they keep alive, and that the
 * static reference table counts as one reference of each closure whose code has one.
 */
public final class EdgeWalker {
  private final ClosureLayout layout;
  private final int h;

  public EdgeWalker(ClosureLayout layout) {
    this.layout = layout;
    this.h = layout.headerWords();
  }

  /**
   * Reports every reference of a closure.
   *
   * @param info the info table of the closure's first word
   * @param closureAddr where the closure is, without tag
   * @param words the closure, at least as long as its size
   */
  public void walk(
      InfoTable info, long closureAddr, ClosureWords words, CodeTables tables, EdgeSink sink) {
    long size = ClosureSize.sizeWords(layout, info, words);
    if (size == ClosureSize.UNKNOWN || size > words.length()) {
      sink.unresolved(noSize(info, closureAddr, words, size));
      return;
    }
    long srtAddr = info.srtAddr();
    if (srtAddr != 0) {
      sink.edge(EdgeKind.SRT, 0, srtAddr);
    }
    int end = (int) size;
    switch (layout.typeOf(info)) {
      case CONSTR,
          CONSTR_1_0,
          CONSTR_0_1,
          CONSTR_2_0,
          CONSTR_1_1,
          CONSTR_0_2,
          CONSTR_NOCAF,
          FUN,
          FUN_1_0,
          FUN_0_1,
          FUN_2_0,
          FUN_1_1,
          FUN_0_2,
          FUN_STATIC,
          THUNK_STATIC,
          PRIM,
          MUT_PRIM,
          UNKNOWN ->
          run(EdgeKind.PAYLOAD, words, h, info.pointers(), sink);
      case THUNK, THUNK_1_0, THUNK_0_1, THUNK_2_0, THUNK_1_1, THUNK_0_2 ->
          run(EdgeKind.PAYLOAD, words, h + 1, info.pointers(), sink);
      case THUNK_SELECTOR -> sink.edge(EdgeKind.SELECTEE, 0, words.word(h + 1));
      case IND, IND_STATIC, BLACKHOLE -> sink.edge(EdgeKind.INDIRECTEE, 0, words.word(h));
      case MUT_VAR_CLEAN, MUT_VAR_DIRTY -> sink.edge(EdgeKind.MUT_VAR_VALUE, 0, words.word(h));
      case MVAR_CLEAN, MVAR_DIRTY -> {
        sink.edge(EdgeKind.MVAR_HEAD, 0, words.word(h));
        sink.edge(EdgeKind.MVAR_TAIL, 0, words.word(h + 1));
        sink.edge(EdgeKind.MVAR_VALUE, 0, words.word(h + 2));
      }
      case TVAR -> {
        sink.edge(EdgeKind.TVAR_VALUE, 0, words.word(h));
        sink.edge(EdgeKind.TVAR_WATCH_QUEUE, 0, words.word(h + 1));
      }
      case BLOCKING_QUEUE -> {
        sink.edge(EdgeKind.BLOCKING_QUEUE_LINK, 0, words.word(h));
        sink.edge(EdgeKind.BLOCKING_QUEUE_BLACK_HOLE, 0, words.word(h + 1));
        sink.edge(EdgeKind.BLOCKING_QUEUE_OWNER, 0, words.word(h + 2));
        sink.edge(EdgeKind.BLOCKING_QUEUE_QUEUE, 0, words.word(h + 3));
      }
      case MUT_ARR_PTRS_CLEAN,
          MUT_ARR_PTRS_DIRTY,
          MUT_ARR_PTRS_FROZEN_DIRTY,
          MUT_ARR_PTRS_FROZEN_CLEAN -> {
        long elements = words.word(h);
        if (Long.compareUnsigned(elements, end - (h + 2)) > 0) {
          sink.unresolved(
              malformed(
                  info,
                  closureAddr,
                  Long.toUnsignedString(elements) + " elements in " + (end - (h + 2)) + " words"));
        } else {
          run(EdgeKind.ELEMENT, words, h + 2, (int) elements, sink);
        }
      }
      case SMALL_MUT_ARR_PTRS_CLEAN,
          SMALL_MUT_ARR_PTRS_DIRTY,
          SMALL_MUT_ARR_PTRS_FROZEN_DIRTY,
          SMALL_MUT_ARR_PTRS_FROZEN_CLEAN ->
          run(EdgeKind.ELEMENT, words, h + 1, end - (h + 1), sink);
      case PAP -> application(info, closureAddr, words, h + 1, end, tables, sink);
      case AP -> application(info, closureAddr, words, h + 2, end, tables, sink);
      case AP_STACK -> {
        sink.edge(EdgeKind.FUN, 0, words.word(h + 2));
        new FrameWalk(layout, closureAddr, words, h + 3, end, tables, sink).run();
      }
      case CONTINUATION ->
          new FrameWalk(layout, closureAddr, words, h + 3, end, tables, sink).run();
      case STACK -> {
        int top = StackArea.topIndex(closureAddr, words.word(h + 1), h + 2, end);
        if (top < 0) {
          sink.unresolved(StackArea.badStackPointer(closureAddr, words.word(h + 1), h + 2, end));
        } else {
          new FrameWalk(layout, closureAddr, words, top, end, tables, sink).run();
        }
      }
      case BCO -> {
        if (BcoBitmap.size(h, words, end) < 0) {
          sink.unresolved(malformed(info, closureAddr, "the bitmap is longer than the BCO"));
        } else {
          sink.edge(EdgeKind.BCO_INSTRUCTIONS, 0, words.word(h));
          sink.edge(EdgeKind.BCO_LITERALS, 0, words.word(h + 1));
          sink.edge(EdgeKind.BCO_POINTERS, 0, words.word(h + 2));
        }
      }
      case WEAK -> {
        sink.edge(EdgeKind.WEAK_C_FINALIZERS, 0, words.word(h));
        sink.edge(EdgeKind.WEAK_KEY, 0, words.word(h + 1));
        sink.edge(EdgeKind.WEAK_VALUE, 0, words.word(h + 2));
        sink.edge(EdgeKind.WEAK_FINALIZER, 0, words.word(h + 3));
        unlessZero(EdgeKind.WEAK_LINK, words.word(h + 4), sink);
      }
      case TSO -> thread(words, sink);
      case TREC_CHUNK -> {
        sink.edge(EdgeKind.TREC_PREVIOUS, 0, words.word(h));
        long used = words.word(h + 1);
        if (Long.compareUnsigned(used, ClosureLayout.TREC_CHUNK_ENTRIES) > 0) {
          sink.unresolved(
              malformed(info, closureAddr, Long.toUnsignedString(used) + " of 16 entries in use"));
        } else {
          for (int i = 0; i < used; i++) {
            int entry = h + 2 + i * ClosureLayout.TREC_ENTRY_WORDS;
            sink.edge(EdgeKind.TREC_TVAR, i, words.word(entry));
            sink.edge(EdgeKind.TREC_EXPECTED, i, words.word(entry + 1));
            sink.edge(EdgeKind.TREC_NEW, i, words.word(entry + 2));
          }
        }
      }
      case ARR_WORDS, COMPACT_NFDATA -> {}
      case INVALID_OBJECT,
          WHITEHOLE,
          RET_BCO,
          RET_SMALL,
          RET_BIG,
          RET_FUN,
          UPDATE_FRAME,
          CATCH_FRAME,
          UNDERFLOW_FRAME,
          STOP_FRAME,
          ATOMICALLY_FRAME,
          CATCH_RETRY_FRAME,
          CATCH_STM_FRAME,
          ANN_FRAME ->
          throw new AssertionError("a size was found for " + info.type());
    }
  }

  private static void run(
      EdgeKind kind, ClosureWords words, int firstIndex, int count, EdgeSink sink) {
    for (int i = 0; i < count; i++) {
      sink.edge(kind, i, words.word(firstIndex + i));
    }
  }

  private static void unlessZero(EdgeKind kind, long pointer, EdgeSink sink) {
    if (pointer != 0) {
      sink.edge(kind, 0, pointer);
    }
  }

  /** PAP and AP from the function on: its pointer, then arguments up to the end. */
  private static void application(
      InfoTable info,
      long closureAddr,
      ClosureWords words,
      int funIndex,
      int end,
      CodeTables tables,
      EdgeSink sink) {
    long fun = words.word(funIndex);
    int arguments = end - (funIndex + 1);
    sink.edge(EdgeKind.FUN, 0, fun);
    PointerBitmap bitmap = tables.funBitmap(Target.untag(fun), arguments);
    if (bitmap == null) {
      sink.unresolved(new Unresolved.NoFunBitmap(Target.untag(fun), arguments));
    } else if (bitmap.size() < arguments) {
      sink.unresolved(
          malformed(
              info, closureAddr, arguments + " arguments for a function of " + bitmap.size()));
    } else {
      for (int i = 0; i < arguments; i++) {
        if (bitmap.isPointer(i)) {
          sink.edge(EdgeKind.ARGUMENT, i, words.word(funIndex + 1 + i));
        }
      }
    }
  }

  private static Unresolved noSize(
      InfoTable info, long closureAddr, ClosureWords words, long size) {
    return malformed(
        info,
        closureAddr,
        size == ClosureSize.UNKNOWN
            ? "no size can be told"
            : size + " words, but its memory ends after " + words.length());
  }

  static Unresolved.Malformed malformed(InfoTable info, long closureAddr, String problem) {
    return new Unresolved.Malformed(
        "closure at 0x%016x, type %s (%d): %s"
            .formatted(closureAddr, info.type(), info.typeNumber(), problem));
  }

  private void thread(ClosureWords words, EdgeSink sink) {
    TsoLayout tso = layout.tso();
    sink.edge(EdgeKind.TSO_LINK, 0, words.word(h + TsoLayout.LINK_WORD));
    sink.edge(EdgeKind.TSO_STACK, 0, words.word(h + TsoLayout.STACK_WORD));
    if (BlockReason.ofNumber(ThreadFields.whyBlocked(layout, words)).hasPointer()) {
      sink.edge(EdgeKind.TSO_BLOCK_INFO, 0, words.word(h + tso.blockInfoWord()));
    }
    sink.edge(EdgeKind.TSO_TREC, 0, words.word(h + tso.transactionWord()));
    if (tso.hasLabel()) {
      unlessZero(EdgeKind.TSO_LABEL, words.word(h + tso.labelWord()), sink);
    }
    sink.edge(EdgeKind.TSO_BLOCKED_EXCEPTIONS, 0, words.word(h + tso.blockedExceptionsWord()));
    sink.edge(EdgeKind.TSO_BLOCKING_QUEUES, 0, words.word(h + tso.blockingQueuesWord()));
  }
}
