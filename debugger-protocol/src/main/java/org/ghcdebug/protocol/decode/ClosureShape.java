package org.ghcdebug.protocol.decode;

import org.ghcdebug.protocol.closure.InfoTable;
import org.ghcdebug.protocol.layout.ClosureLayout;

/**
 * What can be said of all closures with the same info table, worked out once so that a traversal
 * can treat the common types inline.
 *
 * <p>Unless {@link #needsWalker}, the references of a closure are exactly the {@code pointerCount}
 * words from {@code firstPointerIndex} on and, if {@code srtAddr} is not 0, that one. All of them
 * are {@linkplain org.ghcdebug.protocol.closure.EdgeKind#isRetaining retaining}; {@link EdgeWalker}
 * tells their kinds.
 *
 * @param info the info table
 * @param fixedSizeWords words of every such closure, header included, or {@link
 *     ClosureSize#VARIABLE}; up to {@link Integer#MAX_VALUE} for hostile tables. Never less than
 *     {@code firstPointerIndex + pointerCount}
 * @param firstPointerIndex word index of the first pointer, header included
 * @param pointerCount number of pointers; 0 when the walker is needed
 * @param srtAddr static reference table, 0 for none
 * @param needsWalker whether only {@link EdgeWalker} finds the references
 */
public record ClosureShape(
    InfoTable info,
    int fixedSizeWords,
    int firstPointerIndex,
    int pointerCount,
    long srtAddr,
    boolean needsWalker) {
  /** Works it out. O(1). */
  public static ClosureShape of(ClosureLayout layout, InfoTable info) {
    int h = layout.headerWords();
    return switch (layout.typeOf(info)) {
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
          inline(layout, info, h, info.pointers());
      case THUNK, THUNK_1_0, THUNK_0_1, THUNK_2_0, THUNK_1_1, THUNK_0_2 ->
          inline(layout, info, h + 1, info.pointers());
      case THUNK_SELECTOR -> inline(layout, info, h + 1, 1);
      case IND, IND_STATIC, BLACKHOLE, MUT_VAR_CLEAN, MUT_VAR_DIRTY -> inline(layout, info, h, 1);
      case MVAR_CLEAN, MVAR_DIRTY -> inline(layout, info, h, 3);
      case TVAR -> inline(layout, info, h, 2);
      case BLOCKING_QUEUE -> inline(layout, info, h, 4);
      case ARR_WORDS, COMPACT_NFDATA -> inline(layout, info, h, 0);
      case AP,
          PAP,
          AP_STACK,
          BCO,
          MUT_ARR_PTRS_CLEAN,
          MUT_ARR_PTRS_DIRTY,
          MUT_ARR_PTRS_FROZEN_DIRTY,
          MUT_ARR_PTRS_FROZEN_CLEAN,
          SMALL_MUT_ARR_PTRS_CLEAN,
          SMALL_MUT_ARR_PTRS_DIRTY,
          SMALL_MUT_ARR_PTRS_FROZEN_DIRTY,
          SMALL_MUT_ARR_PTRS_FROZEN_CLEAN,
          WEAK,
          TSO,
          STACK,
          TREC_CHUNK,
          CONTINUATION,
          INVALID_OBJECT,
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
          new ClosureShape(info, ClosureSize.fixedSizeWords(layout, info), h, 0, 0, true);
    };
  }

  private static ClosureShape inline(
      ClosureLayout layout, InfoTable info, int firstPointerIndex, int pointerCount) {
    return new ClosureShape(
        info,
        ClosureSize.fixedSizeWords(layout, info),
        firstPointerIndex,
        pointerCount,
        info.srtAddr(),
        false);
  }
}
