package org.ghcdebug.client.source.socket;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import java.util.function.LongUnaryOperator;
import org.ghcdebug.client.source.ForwardingSource;
import org.ghcdebug.client.source.HeapSource;
import org.ghcdebug.client.source.ProgramCode;
import org.ghcdebug.protocol.closure.ConstructorName;
import org.ghcdebug.protocol.closure.InfoTable;
import org.ghcdebug.protocol.closure.PointerBitmap;
import org.ghcdebug.protocol.decode.ClosureSize;
import org.ghcdebug.protocol.decode.ClosureWords;
import org.ghcdebug.protocol.decode.Layouts;
import org.ghcdebug.protocol.layout.ClosureLayout;
import org.ghcdebug.protocol.target.AddressList;
import org.ghcdebug.protocol.target.Target;
import org.jspecify.annotations.Nullable;

/** Static closures and code of a program that runs, as they were at one moment. Not thread-safe. */
final class DetachedSource extends ForwardingSource {
  private final StaticMemory memory;
  private final ProgramCode code;
  private final ClosureLayout layout;
  private final LongUnaryOperator infoAddrs;

  /**
   * @param memory closed with this
   * @param infoAddrs from the address of a closure or frame in blocks to its info pointer, 0 where
   *     there is none
   */
  DetachedSource(HeapSource source, StaticMemory memory, LongUnaryOperator infoAddrs) {
    super(source);
    this.infoAddrs = infoAddrs;
    this.memory = memory;
    this.code = new ProgramCode(memory, source.target());
    this.layout = Layouts.of(source.target());
  }

  @Override
  public List<long @Nullable []> closures(AddressList addresses) {
    return each(addresses, addr -> findClosure(Target.untag(addr)));
  }

  private long @Nullable [] findClosure(long addr) {
    ClosureWords words = memory.find(addr);
    return words == null
        ? null
        : ClosureSize.copy(layout, code.findInfoTable(words.word(0)), words);
  }

  @Override
  public List<@Nullable InfoTable> infoTables(AddressList infoAddrs) {
    return each(infoAddrs, code::findInfoTable);
  }

  @Override
  public AddressList srts(AddressList infoAddrs) {
    long[] srts = new long[infoAddrs.size()];
    for (int i = 0; i < srts.length; i++) {
      InfoTable info = code.findInfoTable(infoAddrs.get(i));
      srts[i] = info == null ? 0 : info.srtAddr();
    }
    return AddressList.of(srts);
  }

  private long infoAddrAt(long addr) {
    long infoAddr = infoAddrs.applyAsLong(addr);
    ClosureWords words = infoAddr == 0 ? memory.find(addr) : null;
    return words == null ? infoAddr : words.word(0);
  }

  @Override
  public List<@Nullable PointerBitmap> funBitmaps(List<FunArguments> functions) {
    List<@Nullable PointerBitmap> bitmaps = new ArrayList<>(functions.size());
    for (FunArguments function : functions) {
      bitmaps.add(
          code.findFunBitmap(infoAddrAt(Target.untag(function.funAddr())), function.arguments()));
    }
    return bitmaps;
  }

  @Override
  public List<@Nullable PointerBitmap> stackBitmaps(List<FrameAddress> frames) {
    List<@Nullable PointerBitmap> bitmaps = new ArrayList<>(frames.size());
    for (FrameAddress frame : frames) {
      bitmaps.add(code.findBigFrameBitmap(infoAddrAt(frame.address())));
    }
    return bitmaps;
  }

  @Override
  public List<@Nullable ConstructorName> constructorNames(AddressList infoAddrs) {
    return each(infoAddrs, code::findConstructorName);
  }

  private static <V> List<@Nullable V> each(
      AddressList addresses, LongFunction<@Nullable V> lookUp) {
    List<@Nullable V> values = new ArrayList<>(addresses.size());
    for (int i = 0; i < addresses.size(); i++) {
      values.add(lookUp.apply(addresses.get(i)));
    }
    return values;
  }

  /** Releases what it holds; the source it was detached from stays open. */
  @Override
  public void close() {
    memory.close();
  }
}
