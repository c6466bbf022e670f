package org.ghcdebug.protocol.decode;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.ghcdebug.protocol.closure.Closure;
import org.ghcdebug.protocol.closure.ClosureHeader;
import org.ghcdebug.protocol.closure.ClosureType;
import org.ghcdebug.protocol.closure.FrameList;
import org.ghcdebug.protocol.closure.InfoTable;
import org.ghcdebug.protocol.closure.PointerBitmap;
import org.ghcdebug.protocol.closure.ProfilingHeader;
import org.ghcdebug.protocol.closure.Slots;
import org.ghcdebug.protocol.closure.Words;
import org.ghcdebug.protocol.layout.ClosureLayout;
import org.ghcdebug.protocol.layout.TsoLayout;
import org.ghcdebug.protocol.target.CcsPtr;
import org.ghcdebug.protocol.target.ClosurePtr;
import org.ghcdebug.protocol.target.Target;

/**
 * Makes values of closures. What is not understood becomes a {@link Closure.Unknown}, or a {@link
 * FrameList} with a problem.
 *
 * <p>Memory and time are O(words of the closure). Immutable and safe to share between threads.
 */
public final class ClosureDecoder {
  /** How much is shown of what has no size: enough to recognize it, not the rest of its block. */
  private static final int WORDS_OF_UNSIZED = 64;

  private final ClosureLayout layout;
  private final int h;

  public ClosureDecoder(ClosureLayout layout) {
    this.layout = layout;
    this.h = layout.headerWords();
  }

  /**
   * Decodes a closure.
   *
   * @param info the info table of the closure's first word
   * @param words the closure, at least as long as its size
   * @param lacking told what {@code tables} did not know and would have been needed
   */
  public Closure decode(
      ClosurePtr address,
      InfoTable info,
      ClosureWords words,
      CodeTables tables,
      Consumer<Unresolved> lacking) {
    return new Reader(address, info, words, tables, lacking).read();
  }

  /** Reads one closure. */
  private final class Reader {
    private final ClosurePtr address;
    private final InfoTable info;
    private final ClosureWords words;
    private final CodeTables tables;
    private final Consumer<Unresolved> lacking;
    private final ClosureHeader header;
    private final long sizeWords;
    private final boolean isWhole; // the size is known and the words hold it
    private final int end;

    Reader(
        ClosurePtr address,
        InfoTable info,
        ClosureWords words,
        CodeTables tables,
        Consumer<Unresolved> lacking) {
      this.address = address;
      this.info = info;
      this.words = words;
      this.tables = tables;
      this.lacking = lacking;
      this.sizeWords = ClosureSize.sizeWords(layout, info, words);
      this.isWhole = sizeWords != ClosureSize.UNKNOWN && sizeWords <= words.length();
      this.end = isWhole ? (int) sizeWords : Math.min(words.length(), WORDS_OF_UNSIZED);
      ProfilingHeader profiling =
          layout.isProfiled() && words.length() >= h
              ? new ProfilingHeader(new CcsPtr(words.word(1)), words.word(2))
              : null;
      this.header = new ClosureHeader(address, info, end, profiling);
    }

    Closure read() {
      if (!isWhole) {
        return unknown(
            Words.NONE,
            sizeWords == ClosureSize.UNKNOWN
                ? "no size can be told"
                : sizeWords + " words, but its memory ends after " + words.length());
      }
      return switch (layout.typeOf(info)) {
        case CONSTR, CONSTR_1_0, CONSTR_0_1, CONSTR_2_0, CONSTR_1_1, CONSTR_0_2, CONSTR_NOCAF ->
            new Closure.Constr(header, pointers(h), nonPointers(h));
        case FUN, FUN_1_0, FUN_0_1, FUN_2_0, FUN_1_1, FUN_0_2, FUN_STATIC ->
            new Closure.Fun(header, pointers(h), nonPointers(h));
        case THUNK, THUNK_1_0, THUNK_0_1, THUNK_2_0, THUNK_1_1, THUNK_0_2 ->
            new Closure.Thunk(header, pointers(h + 1), nonPointers(h + 1));
        case THUNK_STATIC -> new Closure.Thunk(header, pointers(h), nonPointers(h));
        case PRIM, MUT_PRIM -> new Closure.Prim(header, pointers(h), nonPointers(h));
        case THUNK_SELECTOR -> new Closure.Selector(header, words.word(h + 1));
        case PAP -> application(h);
        case AP -> application(h + 1);
        case AP_STACK -> new Closure.ApStack(header, words.word(h + 2), frames(h + 3));
        case BCO -> bco();
        case IND, IND_STATIC -> new Closure.Ind(header, words.word(h));
        case BLACKHOLE -> new Closure.BlackHole(header, words.word(h));
        case BLOCKING_QUEUE ->
            new Closure.BlockingQueue(
                header, words.word(h), words.word(h + 1), words.word(h + 2), words.word(h + 3));
        case MVAR_CLEAN, MVAR_DIRTY ->
            new Closure.MVar(header, words.word(h), words.word(h + 1), words.word(h + 2));
        case TVAR -> new Closure.TVar(header, words.word(h), words.word(h + 1), words.word(h + 2));
        case MUT_VAR_CLEAN, MUT_VAR_DIRTY -> new Closure.MutVar(header, words.word(h));
        case ARR_WORDS -> new Closure.ArrWords(header, words.word(h), copy(h + 1, end));
        case MUT_ARR_PTRS_CLEAN,
            MUT_ARR_PTRS_DIRTY,
            MUT_ARR_PTRS_FROZEN_DIRTY,
            MUT_ARR_PTRS_FROZEN_CLEAN ->
            array();
        case SMALL_MUT_ARR_PTRS_CLEAN,
            SMALL_MUT_ARR_PTRS_DIRTY,
            SMALL_MUT_ARR_PTRS_FROZEN_DIRTY,
            SMALL_MUT_ARR_PTRS_FROZEN_CLEAN ->
            new Closure.SmallMutArrPtrs(header, copy(h + 1, end));
        case WEAK ->
            new Closure.Weak(
                header,
                words.word(h),
                words.word(h + 1),
                words.word(h + 2),
                words.word(h + 3),
                words.word(h + 4));
        case TSO -> thread();
        case STACK -> stack();
        case CONTINUATION ->
            new Closure.Continuation(header, words.word(h), words.word(h + 1), frames(h + 3));
        case TREC_CHUNK -> transactionChunk();
        case COMPACT_NFDATA ->
            new Closure.CompactNfData(
                header,
                words.word(h),
                words.word(h + 1),
                words.word(h + 2),
                words.word(h + 3),
                words.word(h + 4),
                words.word(h + 5),
                words.word(h + 6),
                words.word(h + 7),
                words.word(h + 8));
        case UNKNOWN ->
            unknown(pointers(h), "no supported GHC has closure type " + info.typeNumber());
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
      };
    }

    private Words pointers(int start) {
      return copy(start, start + info.pointers());
    }

    private Words nonPointers(int start) {
      return copy(start + info.pointers(), end);
    }

    private Words copy(int start, int limit) {
      long[] copy = new long[limit - start];
      for (int i = 0; i < copy.length; i++) {
        copy[i] = words.word(start + i);
      }
      return Words.of(copy);
    }

    private Closure unknown(Words pointers, String problem) {
      return new Closure.Unknown(header, pointers, copy(0, end), problem);
    }

    /** PAP and AP, from the word of arity and number of arguments on. */
    private Closure application(int arityIndex) {
      int arity = (int) words.word(arityIndex);
      long fun = words.word(arityIndex + 1);
      Words arguments = copy(arityIndex + 2, end);
      PointerBitmap bitmap = tables.funBitmap(Target.untag(fun), arguments.size());
      if (bitmap == null) {
        var lacks = new Unresolved.NoFunBitmap(Target.untag(fun), arguments.size());
        lacking.accept(lacks);
        return unknown(Words.of(fun), lacks.toString());
      } else if (bitmap.size() < arguments.size()) {
        return unknown(
            Words.of(fun), arguments.size() + " arguments for a function of " + bitmap.size());
      }
      Slots slots = new Slots(arguments, bitmap.prefix(arguments.size()));
      return info.type() == ClosureType.PAP
          ? new Closure.Pap(header, arity, fun, slots)
          : new Closure.Ap(header, arity, fun, slots);
    }

    private Closure bco() {
      PointerBitmap bitmap = BcoBitmap.read(h, words, end);
      return bitmap == null
          ? unknown(Words.NONE, "the bitmap is longer than the BCO")
          : new Closure.Bco(
              header,
              words.word(h),
              words.word(h + 1),
              words.word(h + 2),
              (int) words.word(h + 3),
              bitmap);
    }

    private Closure array() {
      long elements = words.word(h);
      if (Long.compareUnsigned(elements, end - (h + 2)) > 0) {
        return unknown(
            Words.NONE,
            Long.toUnsignedString(elements) + " elements in " + (end - (h + 2)) + " words");
      }
      int cards = h + 2 + (int) elements;
      return new Closure.MutArrPtrs(header, copy(h + 2, cards), copy(cards, end));
    }

    private Closure thread() {
      TsoLayout tso = layout.tso();
      long state = field(TsoLayout.STATE_WORD);
      long errnoAndDirty = field(tso.errnoWord());
      return new Closure.Tso(
          header,
          field(TsoLayout.LINK_WORD),
          field(TsoLayout.GLOBAL_LINK_WORD),
          field(TsoLayout.STACK_WORD),
          (int) state & 0xffff,
          ThreadFields.whyBlocked(layout, words),
          (int) (state >>> 32),
          field(tso.blockInfoWord()),
          field(tso.idWord()),
          (int) errnoAndDirty,
          (int) (errnoAndDirty >>> 32),
          field(tso.boundWord()),
          field(tso.capabilityWord()),
          field(tso.transactionWord()),
          tso.hasLabel() ? field(tso.labelWord()) : 0,
          field(tso.blockedExceptionsWord()),
          field(tso.blockingQueuesWord()),
          field(tso.allocationLimitWord()),
          (int) field(tso.stackSizeWord()),
          layout.isProfiled() ? new CcsPtr(field(tso.ccsWord())) : null);
    }

    private long field(int wordAfterHeader) {
      return words.word(h + wordAfterHeader);
    }

    private Closure transactionChunk() {
      long used = words.word(h + 1);
      if (Long.compareUnsigned(used, ClosureLayout.TREC_CHUNK_ENTRIES) > 0) {
        return unknown(Words.NONE, Long.toUnsignedString(used) + " of 16 entries in use");
      }
      List<Closure.TrecEntry> entries = new ArrayList<>();
      for (int i = h + 2; entries.size() < used; i += ClosureLayout.TREC_ENTRY_WORDS) {
        entries.add(
            new Closure.TrecEntry(
                words.word(i), words.word(i + 1), words.word(i + 2), words.word(i + 3)));
      }
      return new Closure.TrecChunk(header, words.word(h), entries);
    }

    private Closure stack() {
      long state = words.word(h);
      long spAddr = words.word(h + 1);
      int top = StackArea.topIndex(address.address(), spAddr, h + 2, end);
      FrameList frames =
          top < 0
              ? new FrameList(
                  List.of(),
                  StackArea.badStackPointer(address.address(), spAddr, h + 2, end).problem())
              : frames(top);
      return new Closure.Stack(
          header,
          (int) state,
          (int) (state >>> 32) & 0xff,
          (int) (state >>> 40) & 0xff,
          spAddr,
          frames);
    }

    private FrameList frames(int start) {
      return new FrameReader(layout, address.address(), words, start, end, tables, lacking).read();
    }
  }
}
