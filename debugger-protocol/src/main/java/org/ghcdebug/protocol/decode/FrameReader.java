package org.ghcdebug.protocol.decode;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.ghcdebug.protocol.closure.FrameHeader;
import org.ghcdebug.protocol.closure.FrameList;
import org.ghcdebug.protocol.closure.InfoTable;
import org.ghcdebug.protocol.closure.PointerBitmap;
import org.ghcdebug.protocol.closure.Slots;
import org.ghcdebug.protocol.closure.StackFrame;
import org.ghcdebug.protocol.closure.Words;
import org.ghcdebug.protocol.layout.ClosureLayout;
import org.ghcdebug.protocol.target.Target;
import org.jspecify.annotations.Nullable;

/** Makes values of one closure's stack frames; what {@link ClosureDecoder} uses for them. */
final class FrameReader {
  private final ClosureLayout layout;
  private final long closureAddr;
  private final ClosureWords words;
  private final int start;
  private final int end;
  private final CodeTables tables;
  private final Consumer<Unresolved> lacking;
  private final List<StackFrame> frames = new ArrayList<>();
  private String problem = "";
  private boolean isStuck; // the last frame's size is not known

  /** Frames stand from word {@code start} of the closure to word {@code end}, not included. */
  FrameReader(
      ClosureLayout layout,
      long closureAddr,
      ClosureWords words,
      int start,
      int end,
      CodeTables tables,
      Consumer<Unresolved> lacking) {
    this.layout = layout;
    this.closureAddr = closureAddr;
    this.words = words;
    this.start = start;
    this.end = end;
    this.tables = tables;
    this.lacking = lacking;
  }

  FrameList read() {
    int index = start;
    while (index < end && !isStuck) {
      StackFrame frame = readFrame(index);
      if (frame == null) {
        break;
      }
      frames.add(frame);
      index += frame.sizeWords();
      if (index < end
          && (frame instanceof StackFrame.Stop || frame instanceof StackFrame.Underflow)) {
        problem(index, "words follow the last frame of the stack");
        break;
      }
    }
    return new FrameList(frames, problem);
  }

  /** Returns {@code null} after having stated the problem. */
  private @Nullable StackFrame readFrame(int index) {
    InfoTable info = tables.infoTable(words.word(index));
    if (info == null) {
      return lack(index, new Unresolved.NoInfoTable(words.word(index)));
    }
    return switch (layout.typeOf(info)) {
      case RET_SMALL,
          UPDATE_FRAME,
          CATCH_FRAME,
          UNDERFLOW_FRAME,
          STOP_FRAME,
          ATOMICALLY_FRAME,
          CATCH_RETRY_FRAME,
          CATCH_STM_FRAME,
          ANN_FRAME ->
          smallFrame(index, info);
      case RET_BIG -> {
        PointerBitmap bitmap =
            tables.stackBitmap(closureAddr + 8L * index, info.address().address());
        yield bitmap == null
            ? lack(index, noStackBitmap(index, info))
            : plainFrame(index, info, bitmap);
      }
      case RET_FUN -> funFrame(index, info);
      case RET_BCO -> bcoFrame(index, info);
      default -> problem(index, "not a stack frame: closure type " + info.typeNumber());
    };
  }

  private @Nullable StackFrame smallFrame(int index, InfoTable info) {
    int size = PointerBitmap.smallBitmapSize(info.layout());
    return size > PointerBitmap.SMALL_BITMAP_LIMIT
        ? problem(index, size + " words in a small bitmap")
        : plainFrame(index, info, PointerBitmap.ofSmallBitmap(info.layout()));
  }

  private @Nullable StackFrame plainFrame(int index, InfoTable info, PointerBitmap bitmap) {
    Slots slots = slots(index, index + 1, bitmap);
    if (slots == null) {
      return null;
    }
    FrameHeader header = new FrameHeader(index, info, 1 + bitmap.size());
    return switch (layout.typeOf(info)) {
      case UPDATE_FRAME -> new StackFrame.Update(header, slots);
      case CATCH_FRAME -> new StackFrame.Catch(header, slots);
      case UNDERFLOW_FRAME -> new StackFrame.Underflow(header, slots);
      case STOP_FRAME -> new StackFrame.Stop(header, slots);
      case ATOMICALLY_FRAME -> new StackFrame.Atomically(header, slots);
      case CATCH_RETRY_FRAME -> new StackFrame.CatchRetry(header, slots);
      case CATCH_STM_FRAME -> new StackFrame.CatchStm(header, slots);
      case ANN_FRAME -> new StackFrame.Annotation(header, slots);
      default -> new StackFrame.Return(header, slots);
    };
  }

  private @Nullable StackFrame funFrame(int index, InfoTable info) {
    if (end - index < 3) {
      return problem(index, "no room for a function");
    }
    long size = words.word(index + 1);
    if (size < 0 || size > end - (index + 3)) {
      return problem(index, Long.toUnsignedString(size) + " argument words");
    }
    int arguments = (int) size;
    long fun = words.word(index + 2);
    FrameHeader header = new FrameHeader(index, info, 3 + arguments);
    return new StackFrame.Fun(
        header, fun, slots(index, index + 3, argumentBitmap(index, info, fun, arguments)));
  }

  /** The bitmap of a RET_FUN frame's arguments; one without pointers when it is not known. */
  private PointerBitmap argumentBitmap(int index, InfoTable info, long fun, int arguments) {
    long funAddr = Target.untag(fun);
    PointerBitmap bitmap = tables.funBitmap(funAddr, arguments);
    if (bitmap == null) {
      bitmap = tables.stackBitmap(closureAddr + 8L * index, info.address().address());
    }
    if (bitmap == null) {
      lack(index, new Unresolved.NoFunBitmap(funAddr, arguments));
      lack(index, noStackBitmap(index, info));
    } else if (bitmap.size() < arguments) {
      problem(index, arguments + " arguments for a function of " + bitmap.size());
    } else {
      return bitmap.prefix(arguments);
    }
    return PointerBitmap.allOf(arguments, false);
  }

  /** A frame whose bitmap is not known has no slots, and ends the reading. */
  private @Nullable StackFrame bcoFrame(int index, InfoTable info) {
    if (end - index < 2) {
      return problem(index, "no room for a BCO");
    }
    long bco = words.word(index + 1);
    PointerBitmap bitmap = tables.bcoBitmap(Target.untag(bco));
    if (bitmap == null) {
      lack(index, new Unresolved.NoBcoBitmap(Target.untag(bco)));
    }
    Slots slots = bitmap == null ? null : slots(index, index + 2, bitmap);
    return slots == null
        ? stuckAfter(new StackFrame.Bco(new FrameHeader(index, info, 2), bco, Slots.NONE))
        : new StackFrame.Bco(new FrameHeader(index, info, 2 + slots.words().size()), bco, slots);
  }

  private StackFrame stuckAfter(StackFrame frame) {
    isStuck = true;
    return frame;
  }

  private @Nullable Slots slots(int frameIndex, int firstSlot, PointerBitmap bitmap) {
    if (bitmap.size() > end - firstSlot) {
      problem(frameIndex, bitmap.size() + " slots reach beyond the end of the stack");
      return null;
    }
    long[] slots = new long[bitmap.size()];
    for (int i = 0; i < slots.length; i++) {
      slots[i] = words.word(firstSlot + i);
    }
    return new Slots(Words.of(slots), bitmap);
  }

  private Unresolved noStackBitmap(int index, InfoTable info) {
    return Unresolved.NoStackBitmap.of(
        closureAddr + 8L * start, closureAddr + 8L * index, info.address().address());
  }

  private @Nullable StackFrame lack(int index, Unresolved what) {
    lacking.accept(what);
    return problem(index, what.toString());
  }

  /** States the first problem; later ones follow from it. */
  private @Nullable StackFrame problem(int index, String what) {
    if (problem.isEmpty()) {
      problem = "frame at 0x%016x: %s".formatted(closureAddr + 8L * index, what);
    }
    return null;
  }
}
