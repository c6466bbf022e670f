package org.ghcdebug.client.index;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import org.ghcdebug.client.collections.LongIntMap;
import org.ghcdebug.client.collections.LongList;
import org.ghcdebug.client.source.BlockSink;
import org.ghcdebug.client.source.Detachable;
import org.ghcdebug.client.source.ForwardingSource;
import org.ghcdebug.client.source.HeapSource;
import org.ghcdebug.client.source.RecordableHeap;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.protocol.closure.CostCentreStack;
import org.ghcdebug.protocol.closure.InfoTable;
import org.ghcdebug.protocol.closure.PointerBitmap;
import org.ghcdebug.protocol.decode.ClosureDecoder;
import org.ghcdebug.protocol.decode.ClosureSize;
import org.ghcdebug.protocol.decode.ClosureWords;
import org.ghcdebug.protocol.decode.Layouts;
import org.ghcdebug.protocol.layout.ClosureLayout;
import org.ghcdebug.protocol.target.AddressList;
import org.ghcdebug.protocol.target.ProfilingMode;
import org.jspecify.annotations.Nullable;

/**
 * A heap as it was at one moment: its blocks, and everything outside them that is reachable.
 *
 * <p>It answers from memory, so the debuggee can run on. Only {@link #constructorNames}, {@link
 * #sourceInfos} and {@link #symbols}, which do not change while a program runs, are passed on to
 * the source that it was taken from; closing the copy does not close that source. Closures that are
 * not reachable can be read as long as their info table is also that of a reachable one.
 */
public final class HeapCopy extends ForwardingSource implements RecordableHeap {
  private final ClosureLayout layout;
  private final Roots roots;
  private final HeapImage image;
  private final Marker marker;
  private final HeapTally tally;
  private final Map<Long, CostCentreStack> costCentreStacks;
  private final boolean ownsSource; // it was detached from the caller's

  /** What the source says is alive by itself. */
  private record Roots(
      AddressList closures,
      AddressList weakPointers,
      AddressList savedObjects,
      List<String> savedObjectNames) {
    static Roots of(HeapSource source) {
      return new Roots(
          source.roots(), source.weakPointers(), source.savedObjects(), source.savedObjectNames());
    }

    static Roots of(AddressList closures, AddressList weakPointers) {
      return new Roots(closures, weakPointers, AddressList.of(), List.of());
    }
  }

  private HeapCopy(
      HeapSource source,
      ClosureLayout layout,
      Roots roots,
      HeapImage image,
      Marker marker,
      HeapTally tally,
      Map<Long, CostCentreStack> costCentreStacks,
      boolean ownsSource) {
    super(source);
    this.layout = layout;
    this.roots = roots;
    this.image = image;
    this.marker = marker;
    this.tally = tally;
    this.costCentreStacks = costCentreStacks;
    this.ownsSource = ownsSource;
  }

  /**
   * Copies and marks the heap of a source that holds still. When this returns the source may go on.
   *
   * @throws org.ghcdebug.protocol.error.CanceledException when {@code work} says so
   * @throws org.ghcdebug.protocol.error.TimeLimitException when {@code work} says so
   */
  public static HeapCopy take(HeapSource source, Work work) {
    return take(source, new ImageMemory(ImageMemory.DEFAULT_BUDGET), () -> {}, work);
  }

  /**
   * Likewise.
   *
   * @param memory for the blocks; it belongs to the copy from now on, also when taking it fails
   * @param goOn called once, as soon as the source need not hold still any more: when the blocks
   *     have been copied, if it is {@link Detachable}, else after marking
   */
  public static HeapCopy take(HeapSource source, ImageMemory memory, Runnable goOn, Work work) {
    ClosureLayout layout = Layouts.of(source.target());
    HeapImage image = HeapImage.read(source, work, memory);
    HeapSource detached = null;
    try {
      Roots roots = Roots.of(source);
      if (source instanceof Detachable live) {
        detached = live.detach(addr -> infoAddr(image, addr));
      }
      if (detached != null) {
        goOn.run();
      }
      HeapSource rest = detached == null ? source : detached;
      Marker marker = new Marker(rest, image, layout, work);
      HeapTally tally = marker.mark(roots.weakPointers(), roots.closures(), roots.savedObjects());
      HeapCopy copy =
          new HeapCopy(
              rest,
              layout,
              roots,
              image,
              marker,
              tally,
              costCentreStacks(rest, marker),
              detached != null);
      if (detached == null) {
        goOn.run();
      }
      return copy;
    } catch (Throwable failure) {
      image.close();
      if (detached != null) {
        detached.close();
      }
      throw failure;
    }
  }

  private static long infoAddr(HeapImage image, long addr) {
    long offset = image.offset(addr);
    return offset == HeapImage.OUTSIDE || offset % Long.BYTES != 0 ? 0 : image.word(offset);
  }

  /** Whether the source could go on before marking. */
  public boolean isDetached() {
    return ownsSource;
  }

  /** Those in the headers of the closures reached, and those below them; none if not profiled. */
  private static Map<Long, CostCentreStack> costCentreStacks(HeapSource source, Marker marker) {
    Map<Long, CostCentreStack> known = new HashMap<>();
    if (source.target().profiling() == ProfilingMode.VANILLA) {
      return known;
    }
    Set<Long> wanted = marker.costCentreStackAddrs();
    while (!wanted.isEmpty()) {
      AddressList addresses = AddressList.of(wanted.stream().mapToLong(Long::longValue).toArray());
      wanted = new LinkedHashSet<>();
      for (CostCentreStack stack : source.costCentreStacks(addresses)) {
        if (stack != null) {
          known.put(stack.address(), stack);
          wanted.add(stack.parentAddr());
        }
      }
      wanted.removeAll(known.keySet());
      wanted.remove(0L);
    }
    return known;
  }

  /** What is reachable, counted. */
  public HeapTally tally() {
    return tally;
  }

  /**
   * Hands out the address of every closure that was reached: those in blocks as they lie in the
   * image, then the others. O(words of the image).
   */
  public void eachReachable(LongConsumer sink) {
    marker.eachMarked(offset -> sink.accept(image.address(offset)));
    for (int id = 0; id < marker.outside.size(); id++) {
      if (marker.outside.words(id) != null) {
        sink.accept(marker.outside.address(id));
      }
    }
  }

  /**
   * Gives the reachable closures that are wanted to {@code sink} until it answers false, in the
   * order of {@link #eachReachable}: exactly those that the tally counts. O(words of the image),
   * nothing is allocated per closure.
   */
  public void each(ClosureSelection selection, Predicate<? super HeapCursor> sink, Work work) {
    marker.scan(selection, sink, work);
  }

  /** A new cursor, which is nowhere yet. Good as long as this copy is open; not thread-safe. */
  public HeapCursor cursor() {
    return marker.cursor();
  }

  /**
   * The reachable closures that are wanted, counted. Free where the selection decides by info table
   * alone, else O(words of the image).
   */
  public HeapTally tally(ClosureSelection selection, Work work) {
    return tally
        .findPart(selection)
        .orElseGet(() -> marker.count(selection, tally.missing(), work));
  }

  /**
   * What can be reached from these closures alone, as a heap of its own whose roots they are. It
   * shares the blocks, so that closing either ends both. O(its closures and edges), no I/O; costs
   * one bit per word of the blocks.
   *
   * @param from addresses of closures that are reachable in this heap
   */
  public HeapCopy reachableFrom(AddressList from, Work work) {
    Marker part = new Marker(this, image, layout, work);
    HeapTally partTally = part.mark(roots.weakPointers(), from);
    return new HeapCopy(
        source,
        layout,
        Roots.of(from, roots.weakPointers()),
        image,
        part,
        partTally,
        costCentreStacks,
        false);
  }

  /**
   * The closures that were reached and what refers to what, in flat arrays. O(closures and edges),
   * no I/O; the graph does not need the copy any more.
   *
   * @throws org.ghcdebug.protocol.error.LimitExceededException when it is too large for arrays
   */
  public HeapGraph graph(Work work) {
    return new GraphBuilder(image, marker, layout, tally, work)
        .build(roots.closures(), roots.weakPointers(), roots.savedObjects());
  }

  /**
   * The same heap without contents: every word that tells neither a size nor a reference of what is
   * reachable is 0. O(closures and edges), one bit per word of the blocks; closing this ends both.
   */
  public RecordableHeap redacted(Work work) {
    return new RedactedHeap(this, marker, layout, work);
  }

  /** The addresses of the closures that were reached and have one of these info pointers. */
  public AddressList reachableWith(Set<Long> infoAddrs) {
    LongList found = new LongList();
    eachReachable(
        addr -> {
          long offset = image.offset(addr);
          long infoAddr =
              offset == HeapImage.OUTSIDE ? marker.infoAddrAt(addr) : image.word(offset);
          if (infoAddrs.contains(infoAddr)) {
            found.add(addr);
          }
        });
    return AddressList.of(found.toArray());
  }

  @Override
  public boolean isInMemory() {
    return true;
  }

  /** The blocks. */
  public HeapImage image() {
    return image;
  }

  @Override
  public int groupCount() {
    return image.groupCount();
  }

  @Override
  public AddressList infoAddrs() {
    return marker.infos.known();
  }

  @Override
  public AddressList outsideAddrs() {
    return marker.outside.readable();
  }

  @Override
  public void codeBitmaps(CodeBitmapSink sink) {
    marker.codeBitmaps(sink);
  }

  @Override
  public void bitmaps(BitmapSink sink) {
    eachReachable(new BitmapCollector(this, marker, new ClosureDecoder(layout), sink)::closure);
  }

  @Override
  public AddressList costCentreStackAddrs() {
    return AddressList.of(costCentreStacks.keySet().stream().mapToLong(Long::longValue).toArray());
  }

  @Override
  public List<@Nullable CostCentreStack> costCentreStacks(AddressList addresses) {
    List<@Nullable CostCentreStack> stacks = new ArrayList<>(addresses.size());
    for (int i = 0; i < addresses.size(); i++) {
      stacks.add(costCentreStacks.get(addresses.get(i)));
    }
    return stacks;
  }

  @Override
  public Map<String, String> summary() {
    HeapTally.Missing missing = tally.missing();
    Map<String, String> summary = new LinkedHashMap<>();
    summary.put("complete", Boolean.toString(missing.isNone()));
    summary.put("reachable.closures", Long.toString(tally.totalCount()));
    summary.put("reachable.bytes", Long.toString(tally.totalBytes()));
    summary.put("blocks.bytes", Long.toString(image.sizeBytes()));
    summary.put("missing.closuresWithoutInfo", Long.toString(missing.closuresWithoutInfo()));
    summary.put("missing.unreadableClosures", Long.toString(missing.unreadableClosures()));
    summary.put("missing.incompleteClosures", Long.toString(missing.incompleteClosures()));
    return summary;
  }

  @Override
  public AddressList roots() {
    return roots.closures();
  }

  /** {@inheritDoc} Only those whose key is alive: the others are about to be finalized. */
  @Override
  public AddressList weakPointers() {
    return AddressList.of(
        Arrays.stream(roots.weakPointers().toArray()).filter(marker::isReached).toArray());
  }

  @Override
  public AddressList savedObjects() {
    return roots.savedObjects();
  }

  @Override
  public List<String> savedObjectNames() {
    return roots.savedObjectNames();
  }

  @Override
  public long blocks(BlockSink sink) {
    image.handOut(sink);
    return image.sizeBytes();
  }

  @Override
  public List<long @Nullable []> closures(AddressList addresses) {
    List<long @Nullable []> closures = new ArrayList<>(addresses.size());
    for (int i = 0; i < addresses.size(); i++) {
      closures.add(closure(addresses.get(i)));
    }
    return closures;
  }

  private long @Nullable [] closure(long addr) {
    long offset = image.offset(addr);
    if (offset == HeapImage.OUTSIDE) {
      int id = marker.outside.id(addr);
      long[] words = id == LongIntMap.MISSING ? null : marker.outside.words(id);
      return words == null ? null : words.clone();
    }
    if (offset % Long.BYTES != 0) {
      return null;
    }
    ImageWords words = new ImageWords(image, offset);
    return ClosureSize.copy(layout, marker.infos.find(words.word(0)), words);
  }

  private record ImageWords(HeapImage image, long offset) implements ClosureWords {
    @Override
    public long word(int index) {
      return image.word(offset + ((long) index << 3));
    }

    @Override
    public int length() {
      return (int) Math.min(image.groupEnd(offset) - offset >>> 3, Integer.MAX_VALUE);
    }
  }

  @Override
  public List<@Nullable InfoTable> infoTables(AddressList infoAddrs) {
    List<@Nullable InfoTable> tables = new ArrayList<>(infoAddrs.size());
    for (int i = 0; i < infoAddrs.size(); i++) {
      tables.add(marker.infos.find(infoAddrs.get(i)));
    }
    return tables;
  }

  @Override
  public AddressList srts(AddressList infoAddrs) {
    long[] srts = new long[infoAddrs.size()];
    for (int i = 0; i < srts.length; i++) {
      InfoTable info = marker.infos.find(infoAddrs.get(i));
      srts[i] = info == null ? 0 : info.srtAddr();
    }
    return AddressList.of(srts);
  }

  @Override
  public List<@Nullable PointerBitmap> stackBitmaps(List<FrameAddress> frames) {
    List<@Nullable PointerBitmap> bitmaps = new ArrayList<>(frames.size());
    for (FrameAddress frame : frames) {
      long offset = image.offset(frame.address());
      bitmaps.add(
          offset == HeapImage.OUTSIDE || offset % Long.BYTES != 0
              ? null
              : marker.stackBitmap(frame.address(), image.word(offset)));
    }
    return bitmaps;
  }

  @Override
  public List<@Nullable PointerBitmap> funBitmaps(List<FunArguments> functions) {
    List<@Nullable PointerBitmap> bitmaps = new ArrayList<>(functions.size());
    for (FunArguments function : functions) {
      bitmaps.add(marker.funBitmap(function.funAddr(), function.arguments()));
    }
    return bitmaps;
  }

  /** Frees the blocks; afterwards nothing can be read. */
  @Override
  public void close() {
    image.close();
    if (ownsSource) {
      source.close();
    }
  }
}
