package org.ghcdebug.client.index;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.ghcdebug.client.collections.LongIntMap;
import org.ghcdebug.protocol.closure.InfoTable;
import org.ghcdebug.protocol.target.Target;

/**
 * All closures that are reachable, by dense ids, and what refers to what, in both directions.
 *
 * <p>Ids run from 0 to {@link #size}, first the closures in blocks as they lie in the image, then
 * the static ones. They are good for this graph only.
 *
 * <p>Edges are those along which closures keep others alive: every pointer, from code to its static
 * reference table, from what is inside a compact region to the region. A closure that refers to
 * another twice has two edges. Edges of weak pointers lead from the key to value and finalizer
 * (from the weak pointer itself where the key is static, and so alive anyway): following all edges
 * from {@link #roots} reaches every closure; following those that are not {@link #isEphemeron
 * ephemeron} edges, every closure that is not held by a key alone. An edge has a number; those of
 * one closure have adjacent numbers:
 *
 * <pre>{@code
 * for (int edge = graph.firstSuccessor(id); edge < graph.firstSuccessor(id + 1); edge++) {
 *   int successor = graph.successor(edge);
 * }
 * }</pre>
 *
 * <pre>
 *   closure id -->  place      4 bytes   word in the image
 *                   info       4         info id
 *                   size       4         words
 *                   successors 4         number of its first edge
 *                   predecessors 4       likewise
 *   edge       -->  target 4, and in the other direction source 4; the complement for an ephemeron
 *   image word -->  one bit; per 64 words the id of the first closure, 4 bytes
 * </pre>
 *
 * <p>Memory: 12 bytes per closure plus 1.5 bytes per 64 bytes of blocks, so at most 16 per closure
 * where they fill their blocks; with the edges at most 24 per closure and 8 per edge. All methods
 * are O(1) unless they say otherwise. Immutable and safe to share; needs no I/O and nothing of the
 * copy that it was built from.
 */
public final class HeapGraph {
  /** What {@link #id} answers where there is no closure. */
  public static final int NONE = -1;

  /**
   * A closure that is alive by itself.
   *
   * @param closureId which one
   */
  public record Root(RootKind kind, int closureId) {}

  private final HeapImage image;
  final long[] marks; // bit per word of the image
  private final int[] ranks; // mark word -> id of its first closure
  private final int[] places; // closure id -> word of the image, unsigned
  final long[] outsideAddrs; // closure id - places.length -> address
  private final LongIntMap outsideIds; // address -> closure id
  final List<InfoTable> infos; // info id -> table
  final int[] infoIds; // closure id -> info id
  final int[] sizesWords; // closure id -> size
  final int[] successorStarts; // closure id -> its first edge; one more at the end
  final int[] successors; // edge -> closure id, or ~id for an ephemeron
  private final int[] predecessorStarts;
  private final int[] predecessors;
  private final List<Root> roots;
  private final HeapTally.Missing missing;
  private final long totalBytes;

  HeapGraph(GraphBuilder from) {
    image = from.image;
    marks = from.marks;
    ranks = from.ranks;
    places = from.places;
    outsideAddrs = from.outsideAddrs;
    outsideIds = from.outsideIds;
    infos = List.copyOf(from.infos);
    infoIds = from.infoIds;
    sizesWords = from.sizesWords;
    successorStarts = from.successorStarts;
    successors = from.successors;
    predecessorStarts = from.predecessorStarts;
    predecessors = from.predecessors;
    roots = List.copyOf(from.roots);
    missing = from.tally.missing();
    totalBytes = from.tally.totalBytes();
  }

  /** From what a file kept; the rest follows from it. */
  HeapGraph(
      HeapImage image,
      long[] marks,
      long[] outsideAddrs,
      List<InfoTable> infos,
      int[] infoIds,
      int[] sizesWords,
      int[] successorStarts,
      int[] successors,
      List<Root> roots,
      HeapTally tally) {
    this.image = image;
    this.marks = marks;
    this.outsideAddrs = outsideAddrs;
    this.infos = List.copyOf(infos);
    this.infoIds = infoIds;
    this.sizesWords = sizesWords;
    this.successorStarts = successorStarts;
    this.successors = successors;
    this.roots = List.copyOf(roots);
    missing = tally.missing();
    totalBytes = tally.totalBytes();
    ranks = new int[marks.length];
    places = new int[infoIds.length - outsideAddrs.length];
    int id = 0;
    for (int markWord = 0; markWord < marks.length; markWord++) {
      ranks[markWord] = id;
      for (long bits = marks[markWord]; bits != 0; bits &= bits - 1) {
        places[id++] = (markWord << 6) + Long.numberOfTrailingZeros(bits);
      }
    }
    outsideIds = new LongIntMap();
    for (long addr : outsideAddrs) {
      outsideIds.put(addr, id++);
    }
    var reversal = new EdgeReversal(successorStarts, successors, () -> {});
    predecessorStarts = reversal.starts;
    predecessors = reversal.sources;
  }

  /** Number of closures. */
  public int size() {
    return infoIds.length;
  }

  /** Bytes of all closures. */
  public long totalBytes() {
    return totalBytes;
  }

  /** What is missing from the graph, as from a tally of the same heap. */
  public HeapTally.Missing missing() {
    return missing;
  }

  /** The closure at an address, whose tag is ignored; {@link #NONE} when none was reached there. */
  public int id(long pointer) {
    long addr = Target.untag(pointer);
    long offset = image.offset(addr);
    if (offset == HeapImage.OUTSIDE) {
      return addr == 0 ? NONE : outsideIds.get(addr);
    }
    int markWord = (int) (offset >>> 9);
    long bit = 1L << (offset >>> 3);
    return (marks[markWord] & bit) == 0
        ? NONE
        : ranks[markWord] + Long.bitCount(marks[markWord] & (bit - 1));
  }

  /** The address of a closure, without tag. */
  public long address(int id) {
    return id < places.length
        ? image.address(Integer.toUnsignedLong(places[id]) << 3)
        : outsideAddrs[id - places.length];
  }

  /** Whether it lies outside the blocks, which is where static closures are. */
  public boolean isOutsideBlocks(int id) {
    return id >= places.length;
  }

  /** Size of a closure, header included. */
  public long sizeBytes(int id) {
    return (long) sizesWords[id] << 3;
  }

  /** What a closure is: its info table's number. */
  public int infoId(int id) {
    return infoIds[id];
  }

  /** Info ids run from 0 up to here; each is that of some closure. */
  public int infoCount() {
    return infos.size();
  }

  /** The info table of an info id. */
  public InfoTable info(int infoId) {
    return infos.get(infoId);
  }

  /** The info table of a closure. */
  public InfoTable infoOf(int id) {
    return infos.get(infoIds[id]);
  }

  /** Number of edges. */
  public int edgeCount() {
    return successors.length;
  }

  /** The first edge out of a closure; those of closure {@link #size} would begin at the end. */
  public int firstSuccessor(int id) {
    return successorStarts[id];
  }

  /** Where an edge leads. */
  public int successor(int edge) {
    int closure = successors[edge];
    return closure ^ closure >> 31;
  }

  /** Whether an edge out of a closure leads from a weak pointer's key to what that keeps. */
  public boolean isEphemeron(int edge) {
    return successors[edge] < 0;
  }

  /** The first edge into a closure; those of closure {@link #size} would begin at the end. */
  public int firstPredecessor(int id) {
    return predecessorStarts[id];
  }

  /** Where an edge into a closure comes from. */
  public int predecessor(int edge) {
    int closure = predecessors[edge];
    return closure ^ closure >> 31;
  }

  /** Whether an edge into a closure comes from the key of a weak pointer. */
  public boolean isFromEphemeron(int edge) {
    return predecessors[edge] < 0;
  }

  /** What a closure refers to, each once, ephemerons included. O(its edges). */
  public int[] successorsOf(int id) {
    return distinct(successors, successorStarts[id], successorStarts[id + 1]);
  }

  /** What refers to a closure, each once, ephemerons included. O(its edges). */
  public int[] predecessorsOf(int id) {
    return distinct(predecessors, predecessorStarts[id], predecessorStarts[id + 1]);
  }

  private static int[] distinct(int[] edges, int from, int to) {
    return Arrays.stream(edges, from, to).map(id -> id ^ id >> 31).distinct().toArray();
  }

  /** All roots: threads, stable pointers, saved closures and CAFs; a closure can be several. */
  public List<Root> roots() {
    return roots;
  }

  /** Why a closure is alive by itself; empty when it is not. O(roots). */
  public List<RootKind> rootKinds(int id) {
    List<RootKind> kinds = new ArrayList<>();
    for (Root root : roots) {
      if (root.closureId() == id) {
        kinds.add(root.kind());
      }
    }
    return kinds;
  }
}
