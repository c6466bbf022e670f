package org.ghcdebug.client.index;

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
import org.ghcdebug.client.source.HeapSource;
import org.ghcdebug.client.source.RecordableHeap.CodeBitmapSink;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.protocol.closure.BlockFlag;
import org.ghcdebug.protocol.closure.ClosureType;
import org.ghcdebug.protocol.closure.EdgeKind;
import org.ghcdebug.protocol.closure.InfoTable;
import org.ghcdebug.protocol.closure.PointerBitmap;
import org.ghcdebug.protocol.decode.BcoBitmap;
import org.ghcdebug.protocol.decode.ClosureSize;
import org.ghcdebug.protocol.decode.ClosureWords;
import org.ghcdebug.protocol.decode.CodeTables;
import org.ghcdebug.protocol.decode.EdgeSink;
import org.ghcdebug.protocol.decode.EdgeWalker;
import org.ghcdebug.protocol.decode.Unresolved;
import org.ghcdebug.protocol.layout.ClosureLayout;
import org.ghcdebug.protocol.target.AddressList;
import org.ghcdebug.protocol.target.Target;
import org.jspecify.annotations.Nullable;

/**
 * Depth-first marking from the roots over a heap image.
 *
 * <p>One bit per word of the image says what was reached; nothing is allocated per closure. What
 * the image lacks (info tables, static closures, bitmaps) is noted while marking goes on with the
 * rest, then fetched in batches, and what waited for it is taken up again; there are as many round
 * trips as the longest chain of such surprises, not as many as there are closures.
 *
 * <p>On a scattered heap nearly every closure's first word is far away in memory. A processor waits
 * for many such words at once, but only as far as it sees ahead, which is some hundred
 * instructions; therefore closures are worked on in batches, and words that may be far are read in
 * loops that do nothing else.
 *
 * <p>Weak pointers are ephemerons: value and finalizer are reached once the key is, whoever reached
 * it. The RTS counts static keys as always alive, and so does this.
 */
final class Marker implements EdgeSink, CodeTables {
  private static final int PROGRESS_INTERVAL = 1 << 16;

  /** So many closures are taken off the stack at once, see {@link #drain}. */
  private static final int BATCH = 64;

  /** When so many closures wait for info tables, these are fetched at once. */
  private static final int MOST_WAITING = 1 << 12;

  private final HeapSource source;
  private final HeapImage image;
  private final ClosureLayout layout;
  private final EdgeWalker walker;
  private final Work work;

  final InfoRegistry infos;
  final OutsideClosures outside = new OutsideClosures();
  final Map<FunKey, @Nullable PointerBitmap> funBitmaps = new HashMap<>();
  final Map<Long, @Nullable PointerBitmap> frameBitmaps = new HashMap<>(); // see frameKey

  /** How many arguments of a function with that info pointer. */
  record FunKey(long infoAddr, int arguments) {}

  final long[] marks; // bit per word of the image; once marked, of closures that were counted

  // To be scanned: offset of a closure in the image, or ~id of an outside one.
  private final LongList stack = new LongList();
  private final long[] batch = new long[BATCH];
  private final long[] batchInfoAddrs = new long[BATCH]; // index in batch -> info pointer
  private long[] pointerPlaces = new long[4 * BATCH]; // where the batch's pointers are
  private int pointerPlaceCount;
  private final LongList waitingForInfo = new LongList(); // scan again when it has been fetched
  private final LongList waitingForBitmap = new LongList(); // counted, but walk again
  private final LongList wantedInfos = new LongList();
  private LongIntMap wantedInfoIndexes = new LongIntMap(); // info address -> index in wantedInfos
  private final Map<FunKey, HeapSource.FunArguments> wantedFunBitmaps = new LinkedHashMap<>();
  private final Map<Long, HeapSource.FrameAddress> wantedFrameBitmaps = new LinkedHashMap<>();
  private final LongList leftOut = new LongList(); // entries met but not counted
  private final LongList weaks = new LongList(); // entries of weak pointers not yet released
  private final LongList listedWeaks = new LongList(); // offsets of weak pointers not yet reached

  final LongList releasedWeaks = new LongList(); // entries of those whose key was reached

  final Cursor cursor = new Cursor();
  private final Cursor otherCursor = new Cursor();
  private boolean walkStopped; // something was unresolved
  private boolean walkMalformed; // and fetching will not help

  private long counted;
  private long closuresWithoutInfo;
  private long unreadableClosures;
  private long incompleteClosures;

  Marker(HeapSource source, HeapImage image, ClosureLayout layout, Work work) {
    this.source = source;
    this.image = image;
    this.layout = layout;
    this.walker = new EdgeWalker(layout);
    this.work = work;
    this.infos = new InfoRegistry(layout);
    this.marks = new long[Math.toIntExact((image.sizeBytes() >>> 9) + 1)];
  }

  /**
   * Marks everything that is reachable from the pointers given; can be called once.
   *
   * @param weakPointers alive, though nothing refers to them, once their keys are
   */
  HeapTally mark(AddressList weakPointers, AddressList... roots) {
    for (int i = 0; i < weakPointers.size(); i++) {
      long offset = image.offset(weakPointers.get(i));
      if (offset != HeapImage.OUTSIDE && offset % Long.BYTES == 0) {
        listedWeaks.add(offset);
        wantInfo(image.word(offset));
      }
    }
    for (AddressList list : roots) {
      for (int i = 0; i < list.size(); i++) {
        visit(list.get(i));
      }
    }
    do {
      drain();
    } while (fetch() || releaseWeaks() || reachListedWeaks());
    incompleteClosures += waitingForBitmap.size();
    for (int i = 0; i < leftOut.size(); i++) {
      long entry = leftOut.get(i);
      if (entry >= 0) {
        marks[(int) (entry >>> 9)] &= ~(1L << (entry >>> 3));
      }
    }
    return new HeapTally(
        infos.counts.entries(infos),
        new HeapTally.Missing(closuresWithoutInfo, unreadableClosures, incompleteClosures));
  }

  private void visit(long pointer) {
    long addr = Target.untag(pointer);
    long offset = image.offset(addr);
    if (offset == HeapImage.OUTSIDE) {
      visitOutside(addr);
    } else {
      visitPlace(offset);
    }
  }

  private void visitPlace(long offset) {
    int markWord = (int) (offset >>> 9);
    long bit = 1L << (offset >>> 3);
    if ((marks[markWord] & bit) == 0) {
      marks[markWord] |= bit;
      stack.add(offset);
    }
  }

  private void visitOutside(long addr) {
    if (addr == 0) {
      unreadableClosures++;
    } else if (outside.id(addr) == LongIntMap.MISSING) {
      outside.add(addr);
    }
  }

  private void drain() {
    while (!stack.isEmpty()) {
      int size = Math.min(BATCH, stack.size());
      for (int i = 0; i < size; i++) {
        batch[i] = stack.pop();
      }
      readInfoAddrs(size);
      for (int i = 0; i < size; i++) {
        scan(batch[i], batchInfoAddrs[i]);
      }
      visitPointerPlaces();
      if (waitingForInfo.size() >= MOST_WAITING) {
        fetchInfos();
      }
    }
  }

  private void readInfoAddrs(int size) {
    for (int i = 0; i < size; i++) {
      batchInfoAddrs[i] = batch[i] >= 0 ? image.word(batch[i]) : 0;
    }
    for (int i = 0; i < size; i++) {
      if (batch[i] < 0) {
        batchInfoAddrs[i] = infoAddrOutside((int) ~batch[i]);
      }
    }
  }

  private void visitPointerPlaces() {
    long[] pointers = pointerPlaces; // each is replaced by what is found there
    int count = pointerPlaceCount;
    pointerPlaceCount = 0;
    for (int i = 0; i < count; i++) {
      pointers[i] = image.word(pointers[i]);
    }
    int inside = 0;
    for (int i = 0; i < count; i++) {
      long addr = Target.untag(pointers[i]);
      long offset = image.offset(addr);
      if (offset == HeapImage.OUTSIDE) {
        visitOutside(addr);
      } else {
        pointers[inside++] = offset;
      }
    }
    for (int i = 0; i < inside; i++) {
      visitPlace(pointers[i]);
    }
  }

  private long infoAddrOutside(int id) {
    long[] words = outside.words(id);
    return words == null ? 0 : words[0];
  }

  private void scan(long entry, long infoAddr) {
    int id = infos.id(infoAddr);
    if (id == LongIntMap.MISSING) {
      if (infoAddr == 0) {
        leaveOut(entry);
      } else {
        wantInfo(infoAddr);
        waitingForInfo.add(entry);
      }
      return;
    }
    cursor.moveTo(entry);
    InfoTable info = infos.table(id);
    long sizeWords = info == null ? ClosureSize.UNKNOWN : sizeWords(id, info);
    if (info == null || sizeWords == ClosureSize.UNKNOWN) {
      leaveOut(entry);
      return;
    }
    if (infos.counts.wantsSample(id)) {
      infos.counts.sample(id, address(entry));
    }
    infos.counts.count(id, sizeWords);
    if ((++counted & (PROGRESS_INTERVAL - 1)) == 0) {
      work.progress("marking (closures)", counted, -1);
      work.checkStopped();
    }
    if (image.hasCompactRegions() && entry >= 0) {
      visitRegion(entry);
    }
    if (infos.needsWalker[id]) {
      walk(entry, info);
      return;
    }
    if (entry >= 0) {
      notePointers(entry + (long) infos.firstPointerIndex[id] * Long.BYTES, infos.pointerCount[id]);
    } else {
      int first = infos.firstPointerIndex[id];
      for (int end = first + infos.pointerCount[id]; first < end; first++) {
        visit(cursor.word(first));
      }
    }
    if (infos.hasUnvisitedSrt[id]) {
      infos.hasUnvisitedSrt[id] = false; // once is enough
      visit(infos.srtAddr[id]);
    }
  }

  private void notePointers(long firstPlace, int count) {
    int needed = Math.addExact(pointerPlaceCount, count);
    if (needed > pointerPlaces.length) {
      pointerPlaces = Arrays.copyOf(pointerPlaces, Math.max(needed, 2 * pointerPlaceCount));
    }
    for (int i = 0; i < count; i++) {
      pointerPlaces[pointerPlaceCount + i] = firstPlace + (long) i * Long.BYTES;
    }
    pointerPlaceCount = needed;
  }

  /** Of the closure at the cursor; {@link ClosureSize#UNKNOWN} if it is not one. */
  long sizeWords(int infoId, InfoTable info) {
    long sizeWords = infos.fixedSizeWords[infoId];
    if (sizeWords == ClosureSize.VARIABLE) {
      sizeWords = ClosureSize.sizeWords(layout, info, cursor);
    }
    return sizeWords != ClosureSize.UNKNOWN && cursor.holds(sizeWords)
        ? sizeWords
        : ClosureSize.UNKNOWN;
  }

  private void leaveOut(long entry) {
    closuresWithoutInfo++;
    leftOut.add(entry);
  }

  private void visitRegion(long offset) {
    if (BlockFlag.COMPACT.isSet(image.groupFlags(offset))) {
      // RTS StgCompactNFDataBlock: self, owner, next.
      visit(image.word(image.groupStart(offset) + Long.BYTES));
    }
  }

  private void walk(long entry, InfoTable info) {
    if (info.type() == ClosureType.WEAK) {
      weaks.add(entry);
    }
    walkStopped = false;
    walkMalformed = false;
    walker.walk(info, address(entry), cursor, this, this);
    if (walkMalformed) {
      incompleteClosures++;
    } else if (walkStopped) {
      waitingForBitmap.add(entry);
    }
  }

  private long address(long entry) {
    return entry >= 0 ? image.address(entry) : outside.address((int) ~entry);
  }

  @Override
  public void edge(EdgeKind kind, int index, long pointer) {
    if (kind.isRetaining()) {
      visit(pointer);
    }
  }

  @Override
  public void unresolved(Unresolved what) {
    walkStopped = true;
    switch (what) {
      case Unresolved.NoInfoTable(long infoAddr) -> wantInfo(infoAddr);
      case Unresolved.NoFunBitmap(long funAddr, int arguments) -> {
        long infoAddr = infoAddrAt(funAddr);
        FunKey key = new FunKey(infoAddr, arguments);
        if (infos.find(infoAddr) != null && !funBitmaps.containsKey(key)) {
          wantedFunBitmaps.put(key, new HeapSource.FunArguments(funAddr, arguments));
        } else {
          wantInfo(infoAddr);
        }
      }
      case Unresolved.NoStackBitmap(long baseAddr, int offsetBytes, long infoAddr) -> {
        HeapSource.FrameAddress frame = new HeapSource.FrameAddress(baseAddr, offsetBytes);
        long key = frameKey(frame.address(), infoAddr);
        if (!frameBitmaps.containsKey(key)) {
          wantedFrameBitmaps.put(key, frame);
        }
      }
      case Unresolved.NoBcoBitmap _ -> {} // The BCO is reached by an edge, and read then.
      case Unresolved.Malformed _ -> walkMalformed = true;
    }
  }

  private void wantInfo(long infoAddr) {
    if (infoAddr != 0
        && infos.id(infoAddr) == LongIntMap.MISSING
        && wantedInfoIndexes.get(infoAddr) == LongIntMap.MISSING) {
      wantedInfoIndexes.put(infoAddr, wantedInfos.size());
      wantedInfos.add(infoAddr);
    }
  }

  /** A RET_BIG frame's bitmap depends on its code only, a RET_FUN frame's on the frame. */
  private long frameKey(long frameAddr, long infoAddr) {
    InfoTable info = infos.find(infoAddr);
    return info != null && info.type() == ClosureType.RET_BIG ? infoAddr : frameAddr;
  }

  @Override
  public @Nullable InfoTable infoTable(long infoAddr) {
    return infos.find(infoAddr);
  }

  @Override
  public @Nullable PointerBitmap funBitmap(long funAddr, int arguments) {
    long infoAddr = infoAddrAt(funAddr);
    InfoTable info = infos.find(infoAddr);
    if (info == null) {
      return null;
    }
    return info.type() == ClosureType.BCO
        ? bcoBitmap(funAddr)
        : funBitmaps.get(new FunKey(infoAddr, arguments));
  }

  @Override
  public @Nullable PointerBitmap stackBitmap(long frameAddr, long infoAddr) {
    return frameBitmaps.get(frameKey(frameAddr, infoAddr));
  }

  @Override
  public @Nullable PointerBitmap bcoBitmap(long bcoAddr) {
    return otherCursor.moveToAddress(bcoAddr)
        ? BcoBitmap.read(layout.headerWords(), otherCursor)
        : null;
  }

  /** 0 when there is no closure, or it has not been fetched. */
  long infoAddrAt(long closureAddr) {
    return otherCursor.moveToAddress(closureAddr) ? otherCursor.word(0) : 0;
  }

  /** Fetches what was wanted; false when nothing was. */
  private boolean fetch() {
    work.checkStopped();
    boolean fetched = fetchInfos() | fetchOutside() | fetchFunBitmaps() | fetchFrameBitmaps();
    if (fetched) {
      long[] walkAgain = waitingForBitmap.toArray();
      waitingForBitmap.clear();
      for (long entry : walkAgain) {
        cursor.moveTo(entry);
        InfoTable info = infos.find(cursor.word(0));
        if (info != null) {
          walk(entry, info);
        }
      }
    }
    return fetched;
  }

  private boolean fetchInfos() {
    if (wantedInfos.isEmpty()) {
      return false;
    }
    long[] infoAddrs = wantedInfos.toArray();
    wantedInfos.clear();
    wantedInfoIndexes = new LongIntMap();
    List<@Nullable InfoTable> tables = source.infoTables(AddressList.of(infoAddrs));
    for (int i = 0; i < infoAddrs.length; i++) {
      infos.register(infoAddrs[i], tables.get(i));
    }
    while (!waitingForInfo.isEmpty()) {
      stack.add(waitingForInfo.pop());
    }
    return true;
  }

  private boolean fetchOutside() {
    int first = outside.fetch(source);
    for (int id = first; id < outside.size(); id++) {
      if (outside.words(id) == null) {
        unreadableClosures++;
      } else {
        stack.add(~id);
      }
    }
    return first < outside.size();
  }

  private boolean fetchFunBitmaps() {
    List<FunKey> keys = List.copyOf(wantedFunBitmaps.keySet());
    List<@Nullable PointerBitmap> bitmaps =
        source.funBitmaps(List.copyOf(wantedFunBitmaps.values()));
    wantedFunBitmaps.clear();
    for (int i = 0; i < keys.size(); i++) {
      funBitmaps.put(keys.get(i), bitmaps.get(i));
    }
    return !keys.isEmpty();
  }

  private boolean fetchFrameBitmaps() {
    List<Long> keys = List.copyOf(wantedFrameBitmaps.keySet());
    List<@Nullable PointerBitmap> bitmaps =
        source.stackBitmaps(List.copyOf(wantedFrameBitmaps.values()));
    wantedFrameBitmaps.clear();
    for (int i = 0; i < keys.size(); i++) {
      frameBitmaps.put(keys.get(i), bitmaps.get(i));
    }
    return !keys.isEmpty();
  }

  /** Reaches value and finalizer of each weak pointer whose key was reached; false if of none. */
  private boolean releaseWeaks() {
    long[] entries = weaks.toArray();
    weaks.clear();
    boolean released = false;
    int key = layout.headerWords() + 1;
    for (long entry : entries) {
      cursor.moveTo(entry);
      if (isReached(cursor.word(key))) {
        visit(cursor.word(key + 1));
        visit(cursor.word(key + 2));
        releasedWeaks.add(entry);
        released = true;
      } else {
        weaks.add(entry);
      }
    }
    return released;
  }

  /** Reaches the weak pointers of the RTS's lists whose key was reached; false if none. */
  private boolean reachListedWeaks() {
    long[] offsets = listedWeaks.toArray();
    listedWeaks.clear();
    boolean reached = false;
    for (long offset : offsets) {
      InfoTable info = infos.find(image.word(offset));
      boolean isDead = info == null || info.type() != ClosureType.WEAK;
      if (!isDead && !isMarked(offset)) {
        if (isReached(image.word(offset + (layout.headerWords() + 1L) * Long.BYTES))) {
          visit(image.address(offset));
          reached = true;
        } else {
          listedWeaks.add(offset);
        }
      }
    }
    return reached;
  }

  /** Whether what it points to was reached; always so outside of blocks. */
  boolean isReached(long pointer) {
    long offset = image.offset(Target.untag(pointer));
    return offset == HeapImage.OUTSIDE || isMarked(offset);
  }

  /** Hands out the bitmaps that were fetched. */
  void codeBitmaps(CodeBitmapSink sink) {
    funBitmaps.forEach(
        (key, bitmap) -> {
          if (bitmap != null) {
            sink.function(key.infoAddr(), key.arguments(), bitmap);
          }
        });
    frameBitmaps.forEach(
        (key, bitmap) -> {
          if (bitmap != null) {
            sink.frame(key, bitmap);
          }
        });
  }

  /** Whether the closure there is known and a BCO. */
  boolean isByteCode(long closureAddr) {
    InfoTable info = infos.find(infoAddrAt(closureAddr));
    return info != null && info.type() == ClosureType.BCO;
  }

  private boolean isMarked(long offset) {
    return (marks[(int) (offset >>> 9)] & 1L << (offset >>> 3)) != 0;
  }

  /** The second header words of the closures reached; of a profiled program. */
  Set<Long> costCentreStackAddrs() {
    LongIntMap seen = new LongIntMap();
    Set<Long> addresses = new LinkedHashSet<>();
    LongConsumer add =
        addr -> {
          if (addr != 0 && seen.get(addr) == LongIntMap.MISSING) {
            seen.put(addr, 0);
            addresses.add(addr);
          }
        };
    eachMarked(offset -> add.accept(image.word(offset + Long.BYTES)));
    for (int id = 0; id < outside.size(); id++) {
      long[] words = outside.words(id);
      if (words != null && words.length > 1) {
        add.accept(words[1]);
      }
    }
    return addresses;
  }

  /** Hands out the places of all closures of the image that were reached, in order. */
  void eachMarked(LongConsumer sink) {
    for (int markWord = 0; markWord < marks.length; markWord++) {
      for (long bits = marks[markWord]; bits != 0; bits &= bits - 1) {
        sink.accept(((long) markWord << 9) + ((long) Long.numberOfTrailingZeros(bits) << 3));
      }
    }
  }

  /** A cursor, nowhere yet. */
  ImageCursor cursor() {
    return new ImageCursor(image, outside, infos, layout);
  }

  /** Gives the closures counted that are wanted to {@code sink} until it answers false. */
  void scan(ClosureSelection selection, Predicate<? super HeapCursor> sink, Work scanWork) {
    cursor().scan(marks, selection, sink, scanWork);
  }

  /** Counts those of the closures counted that are wanted. */
  HeapTally count(ClosureSelection selection, HeapTally.Missing missing, Work countWork) {
    InfoCounts counts = new InfoCounts();
    counts.reserve(infos.size());
    ImageCursor counting = cursor();
    counting.scan(
        marks,
        selection,
        closure -> {
          int id = counting.infoId();
          if (counts.wantsSample(id)) {
            counts.sample(id, closure.address());
          }
          counts.count(id, closure.sizeWords());
          return true;
        },
        countWork);
    return new HeapTally(counts.entries(infos), missing);
  }

  /** The words from a closure's first to the end of what it stands in; moved, never allocated. */
  final class Cursor implements ClosureWords {
    private long @Nullable [] array;
    private long offset;

    void moveTo(long entry) {
      array = entry >= 0 ? null : outside.words((int) ~entry);
      offset = entry;
    }

    /** False when no closure is known there. */
    boolean moveToAddress(long addr) {
      long place = image.offset(addr);
      if (place != HeapImage.OUTSIDE) {
        moveTo(place);
        return true;
      }
      int id = outside.id(addr);
      if (id == LongIntMap.MISSING || outside.words(id) == null) {
        return false;
      }
      moveTo(~id);
      return true;
    }

    boolean holds(long sizeWords) {
      boolean staysInBlock =
          array == null
              && sizeWords <= HeapImage.BLOCK_BYTES - (offset & (HeapImage.BLOCK_BYTES - 1)) >>> 3;
      return staysInBlock || sizeWords <= length();
    }

    @Override
    public long word(int index) {
      return array == null ? image.word(offset + ((long) index << 3)) : array[index];
    }

    @Override
    public int length() {
      return array == null
          ? (int) Math.min(image.groupEnd(offset) - offset >>> 3, Integer.MAX_VALUE)
          : array.length;
    }
  }
}
