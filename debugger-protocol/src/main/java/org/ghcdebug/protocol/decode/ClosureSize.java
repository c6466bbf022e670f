package org.ghcdebug.protocol.decode;

import org.ghcdebug.protocol.closure.InfoTable;
import org.ghcdebug.protocol.layout.ClosureLayout;
import org.jspecify.annotations.Nullable;

/**
 * Sizes of closures as the RTS computes them (RTS {@code closure_sizeW_},
 * rts/storage/ClosureMacros.h). Allocation-free, but for {@link #copy}.
 */
public final class ClosureSize {
  /**
   * The type has no size, or the closure's size field is beyond reason or beyond the words given.
   */
  public static final long UNKNOWN = -1;

  /** The size depends on the closure. */
  public static final int VARIABLE = -1;

  /** Limit of size fields: no address space holds more words. */
  private static final long MAX_WORDS = 1L << 45;

  private ClosureSize() {}

  /**
   * The words of a closure out of the memory it stands in.
   *
   * @param info {@code null} when it is not known
   * @return {@code null} when its size is not known, or goes beyond that memory
   */
  public static long @Nullable [] copy(
      ClosureLayout layout, @Nullable InfoTable info, ClosureWords words) {
    long sizeWords = info == null ? UNKNOWN : sizeWords(layout, info, words);
    if (sizeWords == UNKNOWN || sizeWords > words.length()) {
      return null;
    }
    long[] closure = new long[(int) sizeWords];
    for (int i = 0; i < closure.length; i++) {
      closure[i] = words.word(i);
    }
    return closure;
  }

  /**
   * Words of every closure with that info table, header included; {@link #VARIABLE} when it depends
   * on the closure or the type has none. O(1).
   */
  public static int fixedSizeWords(ClosureLayout layout, InfoTable info) {
    int header = layout.headerWords();
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
          plus(header, info);
      case THUNK, THUNK_1_0, THUNK_0_1, THUNK_2_0, THUNK_1_1, THUNK_0_2 -> plus(header + 1, info);
      case THUNK_SELECTOR -> header + 2;
      case IND, IND_STATIC, BLACKHOLE, MUT_VAR_CLEAN, MUT_VAR_DIRTY -> header + 1;
      case BLOCKING_QUEUE -> header + 4;
      case MVAR_CLEAN, MVAR_DIRTY, TVAR -> header + 3;
      case WEAK -> header + 5;
      case TSO -> layout.tsoWords();
      case TREC_CHUNK ->
          header + 2 + ClosureLayout.TREC_CHUNK_ENTRIES * ClosureLayout.TREC_ENTRY_WORDS;
      case COMPACT_NFDATA -> header + 9;
      case AP,
          PAP,
          AP_STACK,
          BCO,
          ARR_WORDS,
          MUT_ARR_PTRS_CLEAN,
          MUT_ARR_PTRS_DIRTY,
          MUT_ARR_PTRS_FROZEN_DIRTY,
          MUT_ARR_PTRS_FROZEN_CLEAN,
          SMALL_MUT_ARR_PTRS_CLEAN,
          SMALL_MUT_ARR_PTRS_DIRTY,
          SMALL_MUT_ARR_PTRS_FROZEN_DIRTY,
          SMALL_MUT_ARR_PTRS_FROZEN_CLEAN,
          STACK,
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
          VARIABLE;
    };
  }

  private static int plus(int words, InfoTable info) {
    return (int) Math.min((long) words + info.pointers() + info.nonPointers(), Integer.MAX_VALUE);
  }

  /**
   * Words of a closure, header included; {@link #UNKNOWN} when it cannot be told. The result can be
   * more than the words given hold: compare before reading on. O(1).
   */
  public static long sizeWords(ClosureLayout layout, InfoTable info, ClosureWords words) {
    int fixed = fixedSizeWords(layout, info);
    return fixed != VARIABLE ? fixed : variableSizeWords(layout, info, words);
  }

  /** As {@link #sizeWords}, for tables whose size is {@link #VARIABLE}. */
  static long variableSizeWords(ClosureLayout layout, InfoTable info, ClosureWords words) {
    int h = layout.headerWords();
    return switch (layout.typeOf(info)) {
      case PAP -> plus(h + 2, highHalf(words, h));
      case AP -> plus(h + 3, highHalf(words, h + 1));
      case AP_STACK -> plus(h + 3, word(words, h + 1));
      case BCO -> plus(0, highHalf(words, h + 3));
      case ARR_WORDS -> plus(h + 1, wordsOfBytes(word(words, h)));
      case MUT_ARR_PTRS_CLEAN,
          MUT_ARR_PTRS_DIRTY,
          MUT_ARR_PTRS_FROZEN_DIRTY,
          MUT_ARR_PTRS_FROZEN_CLEAN ->
          plus(h + 2, word(words, h + 1));
      case SMALL_MUT_ARR_PTRS_CLEAN,
          SMALL_MUT_ARR_PTRS_DIRTY,
          SMALL_MUT_ARR_PTRS_FROZEN_DIRTY,
          SMALL_MUT_ARR_PTRS_FROZEN_CLEAN ->
          plus(h + 1, word(words, h));
      case STACK -> plus(h + 2, lowHalf(words, h));
      case CONTINUATION -> plus(h + 3, word(words, h + 2));
      default -> UNKNOWN;
    };
  }

  private static long plus(int fixedWords, long variableWords) {
    return variableWords < 0 || variableWords > MAX_WORDS ? UNKNOWN : fixedWords + variableWords;
  }

  private static long wordsOfBytes(long bytes) {
    return bytes < 0 ? UNKNOWN : (bytes >>> 3) + ((bytes & 7) != 0 ? 1 : 0);
  }

  private static long word(ClosureWords words, int index) {
    return index < words.length() ? words.word(index) : UNKNOWN;
  }

  private static long lowHalf(ClosureWords words, int index) {
    return index < words.length() ? words.word(index) & 0xffff_ffffL : UNKNOWN;
  }

  private static long highHalf(ClosureWords words, int index) {
    return index < words.length() ? words.word(index) >>> 32 : UNKNOWN;
  }
}
