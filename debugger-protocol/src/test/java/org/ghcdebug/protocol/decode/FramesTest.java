package org.ghcdebug.protocol.decode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.ghcdebug.protocol.closure.Closure;
import org.ghcdebug.protocol.closure.ClosureType;
import org.ghcdebug.protocol.closure.Edge;
import org.ghcdebug.protocol.closure.EdgeKind;
import org.ghcdebug.protocol.closure.InfoTable;
import org.ghcdebug.protocol.closure.PointerBitmap;
import org.ghcdebug.protocol.closure.StackFrame;
import org.ghcdebug.protocol.layout.ClosureLayout;
import org.ghcdebug.protocol.target.ClosurePtr;
import org.ghcdebug.protocol.target.GhcVersion;
import org.ghcdebug.protocol.target.InfoPtr;
import org.ghcdebug.protocol.target.ProfilingMode;
import org.ghcdebug.protocol.target.Target;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Stack frames one by one, and what happens where something is not known. */
class FramesTest {
  private static final long ADDRESS = 0x4200100000L;
  private static final long UPDATE = 0x1000;
  private static final long STOP = 0x1010;
  private static final long UNDERFLOW = 0x1020;
  private static final long BIG = 0x1030;
  private static final long FUN = 0x1040;
  private static final long BYTE_CODE = 0x1050;
  private static final long THUNK = 0x4200200000L;

  private final ClosureLayout layout =
      Layouts.of(new Target(new GhcVersion(906, 6), ProfilingMode.VANILLA));
  private final List<Unresolved> lacking = new ArrayList<>();
  private final Known known = new Known();

  /** Knows what a test tells it. */
  private static final class Known implements CodeTables {
    final Map<Long, InfoTable> tables = new HashMap<>();
    final Map<Long, PointerBitmap> bitmaps = new HashMap<>();

    Known() {
      table(UPDATE, ClosureType.UPDATE_FRAME, 1);
      table(STOP, ClosureType.STOP_FRAME, 0);
      table(UNDERFLOW, ClosureType.UNDERFLOW_FRAME, 1);
      table(BIG, ClosureType.RET_BIG, 0);
      table(FUN, ClosureType.RET_FUN, 0);
      table(BYTE_CODE, ClosureType.RET_BCO, 0);
    }

    private void table(long address, ClosureType type, long bitmap) {
      tables.put(address, new InfoTable(new InfoPtr(address), type.number(), bitmap, 0));
    }

    @Override
    public @Nullable InfoTable infoTable(long infoAddr) {
      return tables.get(infoAddr);
    }

    @Override
    public @Nullable PointerBitmap funBitmap(long funAddr, int arguments) {
      return bitmaps.get(funAddr);
    }

    @Override
    public @Nullable PointerBitmap stackBitmap(long frameAddr, long infoAddr) {
      return bitmaps.get(infoAddr);
    }

    @Override
    public @Nullable PointerBitmap bcoBitmap(long bcoAddr) {
      return bitmaps.get(bcoAddr);
    }
  }

  /** A STACK without unused words. */
  private Closure.Stack stack(long... frames) {
    long[] words = new long[3 + frames.length];
    words[1] = frames.length;
    words[2] = ADDRESS + 24;
    System.arraycopy(frames, 0, words, 3, frames.length);
    return (Closure.Stack) decode(ClosureType.STACK, words);
  }

  private Closure decode(ClosureType type, long... words) {
    return new ClosureDecoder(layout)
        .decode(
            new ClosurePtr(ADDRESS),
            new InfoTable(new InfoPtr(0x100), type.number(), 0, 0),
            ClosureWords.of(words),
            known,
            lacking::add);
  }

  @Test
  void anUpdateFrameNamesTheThunkUnderEvaluation() {
    Closure.Stack stack = stack(UPDATE, THUNK, STOP);
    assertTrue(stack.frames().isComplete());
    assertEquals(THUNK, ((StackFrame.Update) stack.frames().frames().getFirst()).updatee());
    assertEquals(List.of(new Edge(EdgeKind.STACK_SLOT, 4, THUNK)), stack.edges());
  }

  @Test
  void anUnderflowFrameLeadsToTheNextChunk() {
    Closure.Stack stack = stack(UPDATE, THUNK, UNDERFLOW, 0x4200300000L);
    assertTrue(stack.frames().isComplete());
    assertEquals(new Edge(EdgeKind.STACK_NEXT_CHUNK, 6, 0x4200300000L), stack.edges().getLast());
  }

  @Test
  void anEmptyStackIsComplete() {
    assertTrue(stack().frames().isComplete());
  }

  @Test
  void wordsAfterTheLastFrameAreAProblem() {
    assertFalse(stack(STOP, UPDATE, THUNK).frames().isComplete());
  }

  @Test
  void aFrameThatReachesBeyondTheEndIsAProblem() {
    Closure.Stack stack = stack(UPDATE, THUNK, UPDATE);
    assertEquals(1, stack.frames().frames().size());
    assertTrue(stack.frames().problem().contains("0x0000004200100028"), stack.frames().problem());
  }

  @Test
  void anUnknownInfoTableEndsTheReading() {
    Closure.Stack stack = stack(UPDATE, THUNK, 0x9999, STOP);
    assertEquals(1, stack.frames().frames().size());
    assertEquals(List.of(new Unresolved.NoInfoTable(0x9999)), lacking);
  }

  @Test
  void aFunctionsArgumentsAreReadByItsBitmap() {
    known.bitmaps.put(0x5000L, PointerBitmap.ofBytes(new byte[] {0, 1}));
    Closure.Stack stack = stack(FUN, 2, 0x5003, 77, THUNK, STOP);
    assertTrue(stack.frames().isComplete());
    assertEquals(
        List.of(new Edge(EdgeKind.FUN, 5, 0x5003), new Edge(EdgeKind.STACK_SLOT, 7, THUNK)),
        stack.edges());
  }

  @Test
  void aFunctionWithoutBitmapDoesNotHideWhatFollows() {
    Closure.Stack stack = stack(FUN, 2, 0x5003, 77, THUNK, UPDATE, THUNK, STOP);
    assertEquals(3, stack.frames().frames().size());
    assertFalse(stack.frames().isComplete());
    assertEquals(
        List.of(
            new Unresolved.NoFunBitmap(0x5000, 2),
            new Unresolved.NoStackBitmap(ADDRESS + 24, 0, FUN)),
        lacking);
    assertEquals(
        List.of(new Edge(EdgeKind.FUN, 5, 0x5003), new Edge(EdgeKind.STACK_SLOT, 9, THUNK)),
        stack.edges());
  }

  @Test
  void aBigFrameIsReadByTheBitmapOfItsCode() {
    known.bitmaps.put(BIG, PointerBitmap.ofBytes(new byte[] {1, 0, 1}));
    Closure.Stack stack = stack(UPDATE, THUNK, BIG, 1, 2, 3, STOP);
    assertTrue(stack.frames().isComplete());
    assertEquals(List.of(4, 6, 8), stack.edges().stream().map(Edge::index).toList());
  }

  @Test
  void aBigFrameWithoutKnownBitmapEndsTheReading() {
    assertFalse(stack(UPDATE, THUNK, BIG, 1, 2, 3, STOP).frames().isComplete());
    assertEquals(List.of(new Unresolved.NoStackBitmap(ADDRESS + 24, 16, BIG)), lacking);
  }

  @Test
  void byteCodeIsReadByTheBitmapOfItsBco() {
    known.bitmaps.put(0x6000L, PointerBitmap.ofBytes(new byte[] {0, 1}));
    Closure.Stack stack = stack(BYTE_CODE, 0x6000, 77, THUNK, STOP);
    assertTrue(stack.frames().isComplete());
    assertEquals(
        List.of(new Edge(EdgeKind.STACK_SLOT, 4, 0x6000), new Edge(EdgeKind.STACK_SLOT, 6, THUNK)),
        stack.edges());
  }

  @Test
  void aBcoWithoutKnownBitmapIsStillReferredTo() {
    Closure.Stack stack = stack(BYTE_CODE, 0x6000, 77, THUNK, STOP);
    assertFalse(stack.frames().isComplete());
    assertEquals(List.of(new Edge(EdgeKind.STACK_SLOT, 4, 0x6000)), stack.edges());
    assertEquals(List.of(new Unresolved.NoBcoBitmap(0x6000)), lacking);
  }

  /** What {@code System.Timeout} leaves behind: its function is {@code stg_dummy_ret_closure}. */
  @Test
  void aSuspendedComputationCanPointToTheDummyReturnClosure() {
    long dummyReturn = 0x701000;
    Closure closure = decode(ClosureType.AP_STACK, 0x100, 0, 2, dummyReturn, UPDATE, THUNK);
    assertEquals(
        List.of(new Edge(EdgeKind.FUN, 0, dummyReturn), new Edge(EdgeKind.STACK_SLOT, 5, THUNK)),
        closure.edges());

    InfoTable dummy = new InfoTable(new InfoPtr(0x200), ClosureType.CONSTR_NOCAF.number(), 0, 0);
    assertFalse(dummy.hasConstructorName());
    assertEquals(1, ClosureSize.sizeWords(layout, dummy, ClosureWords.of(new long[] {0x200})));
  }

  @Test
  void aStackPointerOutsideItsStackIsAProblem() {
    for (long sp : new long[] {0, ADDRESS + 16, ADDRESS + 25, ADDRESS + 48, -8}) {
      var stack = (Closure.Stack) decode(ClosureType.STACK, 0x100, 2, sp, UPDATE, THUNK);
      assertFalse(stack.frames().isComplete());
      assertEquals(List.of(), stack.edges());
    }
  }
}
