package org.ghcdebug.client.index;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.ghcdebug.client.collections.LongIntMap;
import org.ghcdebug.client.collections.LongList;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.protocol.closure.BlockFlag;
import org.ghcdebug.protocol.closure.ClosureType;
import org.ghcdebug.protocol.closure.EdgeKind;
import org.ghcdebug.protocol.closure.InfoTable;
import org.ghcdebug.protocol.decode.ClosureSize;
import org.ghcdebug.protocol.decode.EdgeSink;
import org.ghcdebug.protocol.decode.EdgeWalker;
import org.ghcdebug.protocol.decode.Unresolved;
import org.ghcdebug.protocol.error.LimitExceededException;
import org.ghcdebug.protocol.layout.ClosureLayout;
import org.ghcdebug.protocol.target.AddressList;
import org.ghcdebug.protocol.target.Target;
import org.jspecify.annotations.Nullable;

/**
 * Turns a marked heap into a {@link HeapGraph}, in three passes over its closures in the order of
 * their ids: what they are and how many edges they have at most; the edges; the edges backwards.
 */
final class GraphBuilder implements EdgeSink {
  private static final int INTERVAL =
      1 << 16; // closures from one question whether to stop to the next
  private static final long MAX_ELEMENTS = Integer.MAX_VALUE - 8;

  final HeapImage image;
  final HeapTally tally;
  private final Marker marker;
  private final EdgeWalker walker;
  private final ClosureLayout layout;
  private final Work work;

  final long[] marks;
  int[] ranks = {};
  int[] places = {};
  long[] outsideAddrs = {};
  LongIntMap outsideIds = new LongIntMap();
  final List<InfoTable> infos = new ArrayList<>();
  int[] infoIds = {};
  int[] sizesWords = {};
  int[] successorStarts = {};
  int[] successors = {};
  int[] predecessorStarts = {};
  int[] predecessors = {};
  final Set<HeapGraph.Root> roots = new LinkedHashSet<>();

  private final int[] infoIdOfRegistered; // registry's id -> graph's info id + 1
  private int[] registered = {}; // graph's info id -> registry's id
  private long edgeBound;
  private boolean isFilling; // else edges are counted only
  private int edge; // where the next one goes
  private long done;

  GraphBuilder(HeapImage image, Marker marker, ClosureLayout layout, HeapTally tally, Work work) {
    this.image = image;
    this.marker = marker;
    this.walker = new EdgeWalker(layout);
    this.layout = layout;
    this.tally = tally;
    this.work = work;
    this.marks = marker.marks;
    this.infoIdOfRegistered = new int[marker.infos.size()];
  }

  HeapGraph build(AddressList rootAddrs, AddressList weakAddrs, AddressList savedAddrs) {
    number();
    describe();
    long[] ephemerons = ephemerons();
    connect(ephemerons);
    reverse();
    addRoots(rootAddrs);
    addRoots(weakAddrs, RootKind.WEAK);
    addRoots(savedAddrs, RootKind.SAVED);
    addCafs();
    return new HeapGraph(this);
  }

  private void number() {
    ranks = new int[marks.length];
    long count = 0;
    for (int markWord = 0; markWord < marks.length; markWord++) {
      ranks[markWord] = (int) count;
      count += Long.bitCount(marks[markWord]);
      limit("closures", count);
    }
    LongList outside = new LongList();
    for (int outsideId = 0; outsideId < marker.outside.size(); outsideId++) {
      if (marker.outside.words(outsideId) != null && isUsable(~outsideId)) {
        long addr = marker.outside.address(outsideId);
        outsideIds.put(addr, (int) (count + outside.size()));
        outside.add(addr);
        limit("closures", count + outside.size());
      }
    }
    limit("bytes of blocks", image.sizeBytes(), 1L << 35);
    outsideAddrs = outside.toArray();
    places = new int[(int) count];
    infoIds = new int[(int) count + outsideAddrs.length];
    sizesWords = new int[infoIds.length];
    successorStarts = new int[infoIds.length + 1];
  }

  private boolean isUsable(long entry) {
    marker.cursor.moveTo(entry);
    int registeredId = marker.infos.id(marker.cursor.word(0));
    InfoTable info = registeredId == LongIntMap.MISSING ? null : marker.infos.table(registeredId);
    return info != null && marker.sizeWords(registeredId, info) != ClosureSize.UNKNOWN;
  }

  private static void limit(String what, long wanted) {
    limit(what, wanted, MAX_ELEMENTS);
  }

  private static void limit(String what, long wanted, long allowed) {
    if (wanted > allowed) {
      throw new LimitExceededException(
          "graph of the heap, " + what,
          wanted,
          allowed,
          "census, count and diff work on heaps of any size");
    }
  }

  private void describe() {
    int id = 0;
    for (int markWord = 0; markWord < marks.length; markWord++) {
      for (long bits = marks[markWord]; bits != 0; bits &= bits - 1) {
        int place = (markWord << 6) + Long.numberOfTrailingZeros(bits);
        places[id] = place;
        describe(id++, Integer.toUnsignedLong(place) << 3);
      }
    }
    for (long addr : outsideAddrs) {
      describe(id++, ~marker.outside.id(addr));
    }
    limit("edges", edgeBound);
  }

  private void describe(int id, long entry) {
    step();
    Marker.Cursor cursor = marker.cursor;
    cursor.moveTo(entry);
    int registeredId = marker.infos.id(cursor.word(0));
    int infoId = infoIdOfRegistered[registeredId] - 1;
    if (infoId < 0) {
      infoId = register(registeredId);
    }
    infoIds[id] = infoId;
    long sizeWords = marker.infos.fixedSizeWords[registeredId];
    if (sizeWords == ClosureSize.VARIABLE) {
      sizeWords = ClosureSize.sizeWords(layout, infos.get(infoId), cursor);
    }
    limit("words of one closure", sizeWords);
    sizesWords[id] = (int) sizeWords;
    if (marker.infos.needsWalker[registeredId]) {
      walk(entry, infos.get(infoId));
    } else {
      edgeBound += marker.infos.pointerCount[registeredId];
      edgeBound += marker.infos.srtAddr[registeredId] == 0 ? 0 : 1;
    }
    if (image.hasCompactRegions() && entry >= 0 && regionAddr(entry) != 0) {
      edgeBound++;
    }
  }

  private int register(int registeredId) {
    InfoTable info = marker.infos.table(registeredId);
    int infoId = infos.size();
    if (info == null) {
      throw new AssertionError("a closure without info table was counted");
    }
    infos.add(info);
    infoIdOfRegistered[registeredId] = infoId + 1;
    if (infoId == registered.length) {
      registered = Arrays.copyOf(registered, Math.max(64, 2 * infoId));
    }
    registered[infoId] = registeredId;
    return infoId;
  }

  private void step() {
    if ((done++ & (INTERVAL - 1)) == 0) {
      work.progress("indexing (closures)", done / 3, infoIds.length);
      work.checkStopped();
    }
  }

  private void walk(long entry, InfoTable info) {
    long addr = entry >= 0 ? image.address(entry) : marker.outside.address((int) ~entry);
    walker.walk(info, addr, marker.cursor, marker, this);
  }

  @Override
  public void edge(EdgeKind kind, int index, long pointer) {
    if (!kind.isRetaining()) {
      return;
    }
    if (isFilling) {
      add(pointer);
    } else {
      edgeBound++;
    }
  }

  /** Marking has counted it as incomplete. */
  @Override
  public void unresolved(Unresolved what) {}

  /** The region that the block group of a place belongs to; 0 when it belongs to none. */
  private long regionAddr(long offset) {
    return !BlockFlag.COMPACT.isSet(image.groupFlags(offset))
        ? 0
        : image.word(image.groupStart(offset) + Long.BYTES);
  }

  /**
   * Edges from keys, sorted: key's id in the high half, what it keeps in the low half. A static key
   * is alive even where nothing but what it keeps refers to it: there the weak pointer alone
   * decides.
   */
  private long[] ephemerons() {
    LongList pairs = new LongList();
    int keyIndex = layout.headerWords() + 1;
    for (int i = 0; i < marker.releasedWeaks.size(); i++) {
      long entry = marker.releasedWeaks.get(i);
      marker.cursor.moveTo(entry);
      int key = id(marker.cursor.word(keyIndex));
      long from =
          key != HeapGraph.NONE && key < places.length
              ? key
              : id(entry >= 0 ? image.address(entry) : marker.outside.address((int) ~entry));
      for (int field = keyIndex + 1; field <= keyIndex + 2; field++) {
        int kept = id(marker.cursor.word(field));
        if (kept != HeapGraph.NONE) {
          pairs.add(from << 32 | kept);
        }
      }
    }
    edgeBound += pairs.size();
    limit("edges", edgeBound);
    long[] sorted = pairs.toArray();
    Arrays.sort(sorted);
    return sorted;
  }

  private void connect(long[] ephemerons) {
    isFilling = true;
    successors = new int[(int) edgeBound];
    int nextEphemeron = 0;
    for (int id = 0; id < infoIds.length; id++) {
      step();
      successorStarts[id] = edge;
      long entry =
          id < places.length
              ? Integer.toUnsignedLong(places[id]) << 3
              : ~marker.outside.id(outsideAddrs[id - places.length]);
      connect(entry, registered[infoIds[id]], infos.get(infoIds[id]));
      while (nextEphemeron < ephemerons.length && ephemerons[nextEphemeron] >>> 32 == id) {
        successors[edge++] = ~(int) ephemerons[nextEphemeron++];
      }
    }
    successorStarts[infoIds.length] = edge;
    if (edge < successors.length) {
      successors = Arrays.copyOf(successors, edge);
    }
  }

  private void connect(long entry, int registeredId, InfoTable info) {
    Marker.Cursor cursor = marker.cursor;
    cursor.moveTo(entry);
    if (marker.infos.needsWalker[registeredId]) {
      walk(entry, info);
    } else {
      int index = marker.infos.firstPointerIndex[registeredId];
      for (int end = index + marker.infos.pointerCount[registeredId]; index < end; index++) {
        add(cursor.word(index));
      }
      if (marker.infos.srtAddr[registeredId] != 0) {
        add(marker.infos.srtAddr[registeredId]);
      }
    }
    if (image.hasCompactRegions() && entry >= 0) {
      long regionAddr = regionAddr(entry);
      if (regionAddr != 0) {
        add(regionAddr);
      }
    }
  }

  private void add(long pointer) {
    int target = id(pointer);
    if (target != HeapGraph.NONE) {
      successors[edge++] = target;
    }
  }

  private int id(long pointer) {
    long addr = Target.untag(pointer);
    long offset = image.offset(addr);
    if (offset == HeapImage.OUTSIDE) {
      return addr == 0 ? HeapGraph.NONE : outsideIds.get(addr);
    }
    int markWord = (int) (offset >>> 9);
    long bit = 1L << (offset >>> 3);
    return (marks[markWord] & bit) == 0
        ? HeapGraph.NONE
        : ranks[markWord] + Long.bitCount(marks[markWord] & (bit - 1));
  }

  private void reverse() {
    var reversal = new EdgeReversal(successorStarts, successors, this::step);
    predecessorStarts = reversal.starts;
    predecessors = reversal.sources;
  }

  private void addRoots(AddressList rootAddrs) {
    for (int i = 0; i < rootAddrs.size(); i++) {
      int id = id(rootAddrs.get(i));
      InfoTable info = infoOf(id);
      if (info != null) {
        boolean isThread = info.type() == ClosureType.TSO;
        roots.add(new HeapGraph.Root(isThread ? RootKind.THREAD : RootKind.STABLE_POINTER, id));
      }
    }
  }

  private void addRoots(AddressList addresses, RootKind kind) {
    for (int i = 0; i < addresses.size(); i++) {
      int id = id(addresses.get(i));
      if (id != HeapGraph.NONE) {
        roots.add(new HeapGraph.Root(kind, id));
      }
    }
  }

  private void addCafs() {
    for (int id = places.length; id < infoIds.length; id++) {
      switch (infos.get(infoIds[id]).type()) {
        case IND_STATIC, THUNK_STATIC -> roots.add(new HeapGraph.Root(RootKind.CAF, id));
        default -> {} // Alive by what refers to it.
      }
    }
  }

  private @Nullable InfoTable infoOf(int id) {
    return id == HeapGraph.NONE ? null : infos.get(infoIds[id]);
  }
}
