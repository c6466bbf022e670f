package org.ghcdebug.protocol.decode;

import org.ghcdebug.protocol.closure.EdgeKind;
import org.ghcdebug.protocol.closure.InfoTable;
import org.ghcdebug.protocol.closure.PointerBitmap;
import org.ghcdebug.protocol.layout.ClosureLayout;
import org.ghcdebug.protocol.target.Target;

/** Finds the references of one closure's stack frames; what {@link EdgeWalker} uses for them. */
final class FrameWalk {
  /** Instead of the index of the next frame: the walk cannot go on, and the sink knows why. */
  private static final int STUCK = -1;

  private final ClosureLayout layout;
  private final long closureAddr;
  private final ClosureWords words;
  private final int start;
  private final int end;
  private final CodeTables tables;
  private final EdgeSink sink;

  /** Frames stand from word {@code start} of the closure to word {@code end}, not included. */
  FrameWalk(
      ClosureLayout layout,
      long closureAddr,
      ClosureWords words,
      int start,
      int end,
      CodeTables tables,
      EdgeSink sink) {
    this.layout = layout;
    this.closureAddr = closureAddr;
    this.words = words;
    this.start = start;
    this.end = end;
    this.tables = tables;
    this.sink = sink;
  }

  /** Each step goes on by at least one word, so this ends after at most as many steps as words. */
  void run() {
    int frame = start;
    while (frame < end && frame != STUCK) {
      frame = step(frame);
    }
  }

  private int step(int frame) {
    long infoAddr = words.word(frame);
    InfoTable info = tables.infoTable(infoAddr);
    if (info == null) {
      return stuck(new Unresolved.NoInfoTable(infoAddr));
    }
    return switch (layout.typeOf(info)) {
      case RET_SMALL,
          UPDATE_FRAME,
          CATCH_FRAME,
          ATOMICALLY_FRAME,
          CATCH_RETRY_FRAME,
          CATCH_STM_FRAME,
          ANN_FRAME ->
          small(EdgeKind.STACK_SLOT, info, frame);
      case STOP_FRAME -> last(info, frame, small(EdgeKind.STACK_SLOT, info, frame));
      case UNDERFLOW_FRAME -> last(info, frame, small(EdgeKind.STACK_NEXT_CHUNK, info, frame));
      case RET_BIG -> {
        PointerBitmap bitmap = tables.stackBitmap(closureAddr + 8L * frame, infoAddr);
        yield bitmap == null ? stuck(noStackBitmap(info, frame)) : big(info, frame, bitmap);
      }
      case RET_FUN -> fun(info, frame);
      case RET_BCO -> bco(info, frame);
      default -> stuckAt(info, frame, "not a stack frame");
    };
  }

  /** A frame whose info table holds its bitmap; read without making a {@link PointerBitmap}. */
  private int small(EdgeKind kind, InfoTable info, int frame) {
    int count = PointerBitmap.smallBitmapSize(info.layout());
    if (count > PointerBitmap.SMALL_BITMAP_LIMIT || count > end - (frame + 1)) {
      return stuckAt(info, frame, count + " words of payload");
    }
    srt(info, frame);
    for (long rest = PointerBitmap.smallBitmapPointers(info.layout());
        rest != 0;
        rest &= rest - 1) {
      int index = frame + 1 + Long.numberOfTrailingZeros(rest);
      sink.edge(kind, index, words.word(index));
    }
    return frame + 1 + count;
  }

  private int big(InfoTable info, int frame, PointerBitmap bitmap) {
    if (bitmap.size() > end - (frame + 1)) {
      return stuckAt(info, frame, bitmap.size() + " words of payload");
    }
    srt(info, frame);
    pointers(frame + 1, bitmap.size(), bitmap);
    return frame + 1 + bitmap.size();
  }

  /** Checks that nothing follows a frame that ends a stack chunk. */
  private int last(InfoTable info, int frame, int next) {
    return next == STUCK || next == end
        ? next
        : stuckAt(info, frame, "words follow the last frame of a stack");
  }

  /**
   * A function and its arguments: info pointer, u64 size, function, arguments. Its size does not
   * depend on the bitmap, so the walk goes on when that is not known.
   */
  private int fun(InfoTable info, int frame) {
    if (end - frame < 3 || Long.compareUnsigned(words.word(frame + 1), end - (frame + 3)) > 0) {
      return stuckAt(info, frame, "arguments beyond the end of the stack");
    }
    int arguments = (int) words.word(frame + 1);
    long fun = words.word(frame + 2);
    PointerBitmap bitmap = tables.funBitmap(Target.untag(fun), arguments);
    if (bitmap == null) {
      bitmap = tables.stackBitmap(closureAddr + 8L * frame, info.address().address());
    }
    srt(info, frame);
    sink.edge(EdgeKind.FUN, frame + 2, fun);
    if (bitmap == null) {
      sink.unresolved(new Unresolved.NoFunBitmap(Target.untag(fun), arguments));
      sink.unresolved(noStackBitmap(info, frame));
    } else if (bitmap.size() < arguments) {
      sink.unresolved(
          malformed(info, frame, arguments + " arguments for a function of " + bitmap.size()));
    } else {
      pointers(frame + 3, arguments, bitmap);
    }
    return frame + 3 + arguments;
  }

  /**
   * Byte code: info pointer, BCO, as many words as the BCO's bitmap says. The BCO itself is
   * reported even when its bitmap is not known, so that it can be found and read.
   */
  private int bco(InfoTable info, int frame) {
    if (end - frame < 2) {
      return stuckAt(info, frame, "no room for a BCO");
    }
    long bco = words.word(frame + 1);
    srt(info, frame);
    sink.edge(EdgeKind.STACK_SLOT, frame + 1, bco);
    PointerBitmap bitmap = tables.bcoBitmap(Target.untag(bco));
    if (bitmap == null) {
      return stuck(new Unresolved.NoBcoBitmap(Target.untag(bco)));
    }
    if (bitmap.size() > end - (frame + 2)) {
      return stuckAt(info, frame, bitmap.size() + " words of payload");
    }
    pointers(frame + 2, bitmap.size(), bitmap);
    return frame + 2 + bitmap.size();
  }

  private void pointers(int firstIndex, int count, PointerBitmap bitmap) {
    for (int i = 0; i < count; i++) {
      if (bitmap.isPointer(i)) {
        sink.edge(EdgeKind.STACK_SLOT, firstIndex + i, words.word(firstIndex + i));
      }
    }
  }

  private void srt(InfoTable info, int frame) {
    long srtAddr = info.srtAddr();
    if (srtAddr != 0) {
      sink.edge(EdgeKind.SRT, frame, srtAddr);
    }
  }

  private Unresolved noStackBitmap(InfoTable info, int frame) {
    return Unresolved.NoStackBitmap.of(
        closureAddr + 8L * start, closureAddr + 8L * frame, info.address().address());
  }

  private int stuckAt(InfoTable info, int frame, String problem) {
    return stuck(malformed(info, frame, problem));
  }

  private Unresolved malformed(InfoTable info, int frame, String problem) {
    return EdgeWalker.malformed(info, closureAddr + 8L * frame, "in a stack: " + problem);
  }

  private int stuck(Unresolved why) {
    sink.unresolved(why);
    return STUCK;
  }
}
