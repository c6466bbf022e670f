package org.ghcdebug.client.source;

import java.util.List;
import org.ghcdebug.protocol.closure.CodeSymbol;
import org.ghcdebug.protocol.closure.ConstructorName;
import org.ghcdebug.protocol.closure.CostCentreStack;
import org.ghcdebug.protocol.closure.InfoTable;
import org.ghcdebug.protocol.closure.PointerBitmap;
import org.ghcdebug.protocol.closure.SourceInfo;
import org.ghcdebug.protocol.target.AddressList;
import org.ghcdebug.protocol.target.Target;
import org.jspecify.annotations.Nullable;

/**
 * A Haskell heap that can be read: live, copied or recorded.
 *
 * <p>Methods that take a list answer every entry, in order, in as few round trips as the source
 * allows; an entry that the source cannot answer is {@code null} (or 0 for {@link #srts}), and the
 * others are answered all the same. A live source must be paused for everything except {@link
 * #target}, {@link #description}, {@link #constructorNames}, {@link #sourceInfos} and {@link
 * #symbols}.
 *
 * <p>Addresses are unsigned. Closure addresses are given and returned without pointer tags. Info
 * pointers are the words that stand in closures. Not thread-safe.
 *
 * <p>Every method can throw {@link org.ghcdebug.protocol.error.SourceUnavailableException} when the
 * source is lost, {@link org.ghcdebug.protocol.error.MalformedDataException} when it answers
 * nonsense, {@link org.ghcdebug.protocol.error.TimeLimitException} when it does not answer in time,
 * and {@link org.ghcdebug.protocol.error.DebuggeeRefusedException} when it is live and not paused.
 */
public interface HeapSource extends AutoCloseable {
  /** No I/O. */
  Target target();

  /** What this is, for messages: a socket's path, a file's name. No I/O. */
  String description();

  /** Whether closures are in this process's memory, so that reading ahead gains nothing. No I/O. */
  default boolean isInMemory() {
    return false;
  }

  /** Threads first, then stable names and stable pointers; duplicates are kept. */
  AddressList roots();

  /** The closures that the program registered, in its order. */
  AddressList savedObjects();

  /** What the program calls them, in that order; empty texts where it gave no name. */
  List<String> savedObjectNames();

  /**
   * The weak pointers that the RTS knows of, whether anything refers to them or not; none when the
   * source cannot tell. Those made since the last collection are not among them.
   */
  AddressList weakPointers();

  /**
   * Hands out every block group of the heap once.
   *
   * @return the number of bytes handed out
   */
  long blocks(BlockSink sink);

  /**
   * Copies closures.
   *
   * @return per address the words of the closure, word 0 being its info pointer; {@code null} where
   *     there is no closure
   */
  List<long @Nullable []> closures(AddressList addresses);

  /** The info tables of info pointers. */
  List<@Nullable InfoTable> infoTables(AddressList infoAddrs);

  /** The static reference tables of info pointers; 0 where there is none. */
  AddressList srts(AddressList infoAddrs);

  /**
   * Which payload words of stack frames are pointers.
   *
   * @param frames each frame's address, with its place relative to the stack it stands on
   */
  List<@Nullable PointerBitmap> stackBitmaps(List<FrameAddress> frames);

  /** Which of a function's first arguments are pointers. */
  List<@Nullable PointerBitmap> funBitmaps(List<FunArguments> functions);

  /** The names of constructors by info pointer; {@code null} where there is none. */
  List<@Nullable ConstructorName> constructorNames(AddressList infoAddrs);

  /** What the program's info-table map says; {@code null} where it says nothing. */
  List<@Nullable SourceInfo> sourceInfos(AddressList infoAddrs);

  /**
   * What the symbols of the executable and its libraries say about code; {@code null} where they
   * say nothing, or cannot be read from here.
   */
  List<@Nullable CodeSymbol> symbols(AddressList infoAddrs);

  /**
   * The cost-centre stacks at addresses; {@code null} where there is none, and for all of them when
   * the program is not profiled.
   */
  List<@Nullable CostCentreStack> costCentreStacks(AddressList addresses);

  /** Releases the source; a debuggee that this source paused goes on. Idempotent. */
  @Override
  void close();

  /**
   * A stack frame.
   *
   * @param baseAddr the stack's {@code sp}, or the address of an AP_STACK's payload
   * @param offsetBytes from there to the frame
   */
  record FrameAddress(long baseAddr, int offsetBytes) {
    /** Address of the frame's first word. */
    public long address() {
      return baseAddr + Integer.toUnsignedLong(offsetBytes);
    }
  }

  /**
   * A function and how many of its arguments are asked about.
   *
   * @param funAddr address of the function closure
   */
  record FunArguments(long funAddr, int arguments) {}
}
