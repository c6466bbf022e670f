package org.ghcdebug.protocol.wire;

import org.ghcdebug.protocol.target.AddressList;
import org.ghcdebug.protocol.target.CcsPtr;
import org.ghcdebug.protocol.target.InfoPtr;

/**
 * What a client asks. Immutable.
 *
 * <p>Each says in which state of the program the reference stub answers it, and with which {@link
 * Response}. Send only addresses that came from the debuggee: stub 0.7 follows any pointer, and a
 * wild one crashes the program.
 */
public sealed interface Request {
  /** The most addresses in one request; their count is 16 bits wide. */
  int MAX_ADDRESSES = 0xffff;

  /** The command that carries this request. */
  Command command();

  /** Which GHC, which way? In any state; {@link Response.Version}. */
  record Version() implements Request {
    @Override
    public Command command() {
      return Command.VERSION;
    }
  }

  /**
   * Stop all Haskell execution. While running only; {@link Response.Done}.
   *
   * @param mode 0 pauses in place, 1 to 255 asks for a paused fork. Stub 0.7 stores the mode before
   *     it looks at the state: a non-zero mode sent to a paused program makes RESUME end the
   *     program
   */
  record Pause(int mode) implements Request {
    /** Pause in place. */
    public Pause() {
      this(0);
    }

    /**
     * @throws IllegalArgumentException when the mode is not a byte
     */
    public Pause {
      requireUnsigned("mode", mode, 0xff);
    }

    @Override
    public Command command() {
      return Command.PAUSE;
    }
  }

  /** Let the program go on. While paused only; {@link Response.Done}. */
  record Resume() implements Request {
    @Override
    public Command command() {
      return Command.RESUME;
    }
  }

  /**
   * All threads, then stable names and stable pointers. While paused only; {@link
   * Response.Addresses}, of which those of the second group may be tagged.
   */
  record Roots() implements Request {
    @Override
    public Command command() {
      return Command.ROOTS;
    }
  }

  /**
   * The memory of closures. While paused only; {@link Response.MemoryChunks}, one a closure.
   *
   * @param closures addresses of closures, tagged or not; at most {@link #MAX_ADDRESSES}
   */
  record Closures(AddressList closures) implements Request {
    /**
     * @throws IllegalArgumentException when there are too many addresses
     */
    public Closures {
      requireUnsigned("number of closures", closures.size(), MAX_ADDRESSES);
    }

    @Override
    public Command command() {
      return Command.CLOSURES;
    }
  }

  /**
   * The standard part of info tables: the 16 (profiled: 32) bytes before the info pointer. While
   * paused only; {@link Response.MemoryChunks}, one an info table.
   *
   * @param infoPointers at most {@link #MAX_ADDRESSES}
   */
  record InfoTables(AddressList infoPointers) implements Request {
    /**
     * @throws IllegalArgumentException when there are too many addresses
     */
    public InfoTables {
      requireUnsigned("number of info pointers", infoPointers.size(), MAX_ADDRESSES);
    }

    @Override
    public Command command() {
      return Command.INFO_TABLES;
    }
  }

  /**
   * Which payload words of a stack frame are pointers. Meaningful while paused; {@link
   * Response.Bitmap} or {@link Status#BAD_STACK}.
   *
   * @param baseAddr usually the stack's {@code sp}
   * @param offsetBytes unsigned distance of the frame from the base
   */
  record StackBitmap(long baseAddr, int offsetBytes) implements Request {
    @Override
    public Command command() {
      return Command.STACK_BITMAP;
    }
  }

  /**
   * Tell when the program pauses itself. While running only; a {@link Response.Done} at that time.
   * With stub 0.7 no RESUME works afterwards.
   */
  record Poll() implements Request {
    @Override
    public Command command() {
      return Command.POLL;
    }
  }

  /**
   * The closures that the program registered. In any state; untagged {@link Response.Addresses}.
   */
  record SavedObjects() implements Request {
    @Override
    public Command command() {
      return Command.SAVED_OBJECTS;
    }
  }

  /**
   * The name of a constructor. In any state; {@link Response.Text} such as {@code
   * ghc-prim:GHC.Types.I#}.
   *
   * @param constructor info pointer of a constructor with at least one payload word
   */
  record ConDescr(InfoPtr constructor) implements Request {
    @Override
    public Command command() {
      return Command.CON_DESCR;
    }
  }

  /** The source location of an info table. In any state; {@link Response.SourceInfo} or none. */
  record SourceInfo(InfoPtr infoTable) implements Request {
    @Override
    public Command command() {
      return Command.SOURCE_INFO;
    }
  }

  /**
   * All memory of the heap. Meaningful while paused; {@link Response.Blocks}, as large as the heap
   * and some of them more than once: read them with {@link BlockStreamDecoder}.
   */
  record AllBlocks() implements Request {
    @Override
    public Command command() {
      return Command.ALL_BLOCKS;
    }
  }

  /**
   * The block that contains an address of the heap. Meaningful while paused; {@link
   * Response.Blocks} with one block.
   */
  record Block(long addr) implements Request {
    @Override
    public Command command() {
      return Command.BLOCK;
    }
  }

  /**
   * Which of a function's first argument words are pointers. Meaningful while paused; {@link
   * Response.Bitmap}.
   *
   * @param funAddr a function closure, tagged or not
   * @param arguments 0 to 65,535
   */
  record FunBitmap(long funAddr, int arguments) implements Request {
    /**
     * @throws IllegalArgumentException when {@code arguments} does not fit
     */
    public FunBitmap {
      requireUnsigned("arguments", arguments, 0xffff);
    }

    @Override
    public Command command() {
      return Command.FUN_BITMAP;
    }
  }

  /**
   * Static reference tables. While paused only, stub 0.4 and newer; {@link Response.Addresses}, one
   * for each info pointer, 0 where there is none.
   *
   * @param infoPointers at most {@link #MAX_ADDRESSES}
   */
  record Srt(AddressList infoPointers) implements Request {
    /**
     * @throws IllegalArgumentException when there are too many addresses
     */
    public Srt {
      requireUnsigned("number of info pointers", infoPointers.size(), MAX_ADDRESSES);
    }

    @Override
    public Command command() {
      return Command.SRT;
    }
  }

  /** A cost-centre stack. Profiled programs, stub 0.6 and newer; {@link Response.Ccs}. */
  record Ccs(CcsPtr stack) implements Request {
    @Override
    public Command command() {
      return Command.CCS;
    }
  }

  /** A cost centre. Profiled programs, stub 0.6 and newer; {@link Response.CostCentre}. */
  record CostCentre(long addr) implements Request {
    @Override
    public Command command() {
      return Command.CC;
    }
  }

  /**
   * An entry of the list of a cost-centre stack's children. Profiled programs, stub 0.6 and newer;
   * {@link Response.IndexTable}.
   */
  record IndexTable(long addr) implements Request {
    @Override
    public Command command() {
      return Command.INDEX_TABLE;
    }
  }

  /** The root of the cost-centre stacks. Profiled programs, stub 0.6 and newer. */
  record CcsMain() implements Request {
    @Override
    public Command command() {
      return Command.CCS_MAIN;
    }
  }

  private static void requireUnsigned(String what, int value, int max) {
    if (value < 0 || value > max) {
      throw new IllegalArgumentException("%s %d, expected 0 to %d".formatted(what, value, max));
    }
  }
}
