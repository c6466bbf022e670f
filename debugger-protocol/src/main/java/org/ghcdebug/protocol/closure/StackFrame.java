package org.ghcdebug.protocol.closure;

/**
 * A decoded stack frame. Its first word is the info pointer; the slots follow, at word 1 unless
 * stated otherwise. In a profiled program the slots of frames marked † begin with two non-pointers:
 * a cost-centre stack and a profiling word.
 *
 * <p>From rts/storage/Closures.h, GHC 9.2 to 9.14. Immutable.
 */
public sealed interface StackFrame {
  FrameHeader header();

  /** The words whose pointers a bitmap tells. */
  Slots slots();

  /** Index of the info pointer in the closure that contains the frame. */
  default int wordIndex() {
    return header().wordIndex();
  }

  default InfoTable info() {
    return header().info();
  }

  /** Info pointer included. */
  default int sizeWords() {
    return header().sizeWords();
  }

  /**
   * A return address and what is live after it: {@code RET_SMALL}, {@code RET_BIG}. Most are of
   * compiled code; the RTS has some for generic application, masking, {@code keepAlive#} and so on,
   * which only their symbols tell apart.
   */
  record Return(FrameHeader header, Slots slots) implements StackFrame {}

  /** The thunk below is under evaluation †. One pointer: the thunk. */
  record Update(FrameHeader header, Slots slots) implements StackFrame {
    /** The thunk, 0 when the info table's bitmap has none. */
    public long updatee() {
      return slots.pointer(0);
    }
  }

  /** An exception handler †. */
  record Catch(FrameHeader header, Slots slots) implements StackFrame {
    /** The handler, 0 when the info table's bitmap has none. */
    public long handler() {
      return slots.pointer(0);
    }
  }

  /** The end of a stack chunk that is not the oldest. */
  record Underflow(FrameHeader header, Slots slots) implements StackFrame {
    /** The next older STACK, 0 when the info table's bitmap has none. */
    public long nextChunk() {
      return slots.pointer(0);
    }
  }

  /** The end of a thread's stack †. */
  record Stop(FrameHeader header, Slots slots) implements StackFrame {}

  /** A transaction †. Two pointers: the code, and the result so far. */
  record Atomically(FrameHeader header, Slots slots) implements StackFrame {
    public long code() {
      return slots.pointer(0);
    }

    public long result() {
      return slots.pointer(1);
    }
  }

  /** A transaction with an alternative †: a flag, the first code, the alternative code. */
  record CatchRetry(FrameHeader header, Slots slots) implements StackFrame {
    public long firstCode() {
      return slots.pointer(0);
    }

    public long alternativeCode() {
      return slots.pointer(1);
    }
  }

  /** A transaction with an exception handler †. */
  record CatchStm(FrameHeader header, Slots slots) implements StackFrame {
    public long code() {
      return slots.pointer(0);
    }

    public long handler() {
      return slots.pointer(1);
    }
  }

  /** A stack annotation †; GHC 9.14 and newer. */
  record Annotation(FrameHeader header, Slots slots) implements StackFrame {
    public long annotation() {
      return slots.pointer(0);
    }
  }

  /**
   * A function that was about to run: {@code RET_FUN}.
   *
   * <pre>
   *   0      info pointer
   *   1      number of argument words
   *   2      function
   *   3      arguments
   * </pre>
   *
   * <p>When it is not known which arguments are pointers, none counts as one, and the {@link
   * FrameList} says so.
   */
  record Fun(FrameHeader header, long fun, Slots slots) implements StackFrame {}

  /**
   * Byte code that runs: {@code RET_BCO}.
   *
   * <pre>
   *   0      info pointer
   *   1      BCO
   *   2      slots
   * </pre>
   *
   * <p>When the BCO's bitmap is not known, it has no slots and is the last of its {@link
   * FrameList}, which says so.
   */
  record Bco(FrameHeader header, long bco, Slots slots) implements StackFrame {}
}
