package org.ghcdebug.client.analysis.dominator;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.function.IntUnaryOperator;
import org.ghcdebug.client.index.HeapGraph;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.protocol.closure.ClosureType;

/**
 * Finds where memory accumulates.
 *
 * <p>From the top of the dominator tree it goes down along closures that retain a large share of
 * the heap, until it comes to one below which what is retained is spread over many: the head of a
 * list, map or chain of thunks, below which the same kind of closure comes again and again; an
 * array; or a closure that is large itself. What is spread over a few parts, none of which has a
 * large share, as in the record of a program's state, is no suspect.
 *
 * <p>Closures of one kind at the top of the tree that are many, and together have a large share,
 * are one suspect: several places hold each of them.
 */
public final class Suspects {
  private static final Limits LIMITS = new Limits(10, 256 << 10, 50);

  private final Dominators dominators;
  private final HeapGraph graph;
  private final IntUnaryOperator kindOfInfo;
  private final Work work;
  private final int leastElements;
  private final long threshold;
  private final int[] firstLarge; // closure id -> first of the large ones it dominates; last: root
  private final int[] nextLarge; // large closure's id -> the next with the same dominator

  /**
   * An accumulation.
   *
   * @param closureId its head; the largest one where there are several
   * @param heads how many closures of that kind it begins with, 1 unless several places hold each
   * @param elements closures of the head's kind that it retains, heads included; for an array, what
   *     it dominates
   * @param retainedBytes of all heads
   */
  public record Suspect(int closureId, long heads, long elements, long retainedBytes) {}

  /**
   * From where on something has accumulated.
   *
   * @param share the least share of a heap, as one part of so many
   * @param leastBytes likewise, of a small heap
   * @param leastElements unless a single closure has such a share
   */
  record Limits(int share, long leastBytes, int leastElements) {}

  private Suspects(Dominators dominators, IntUnaryOperator kindOfInfo, Limits limits, Work work) {
    this.dominators = dominators;
    this.graph = dominators.graph();
    this.kindOfInfo = kindOfInfo;
    this.work = work;
    this.leastElements = limits.leastElements();
    this.threshold = Math.max(limits.leastBytes(), graph.totalBytes() / limits.share());
    this.firstLarge = new int[graph.size() + 1];
    this.nextLarge = new int[graph.size()];
    Arrays.fill(firstLarge, HeapGraph.NONE);
    for (int id = 0; id < graph.size(); id++) {
      if (dominators.retainedBytes(id) >= threshold) {
        int above = dominators.dominator(id);
        int slot = above == Dominators.ROOT ? graph.size() : above;
        nextLarge[id] = firstLarge[slot];
        firstLarge[slot] = id;
      }
    }
  }

  /**
   * The accumulations that have a tenth of the heap and 256 KiB at least, largest first. O(closures
   * × kinds of closures above an accumulation); 8 bytes per closure while it runs.
   *
   * @param kindOfInfo a number for each info id, the same for closures of one kind
   */
  public static List<Suspect> of(Dominators dominators, IntUnaryOperator kindOfInfo, Work work) {
    return of(dominators, kindOfInfo, LIMITS, work);
  }

  /** Likewise, with other limits. */
  static List<Suspect> of(
      Dominators dominators, IntUnaryOperator kindOfInfo, Limits limits, Work work) {
    var search = new Suspects(dominators, kindOfInfo, limits, work);
    List<Suspect> found = search.structures();
    search.addGroups(found);
    found.sort(Comparator.comparingLong(Suspect::retainedBytes).reversed());
    return List.copyOf(found);
  }

  private List<Suspect> structures() {
    List<Suspect> found = new ArrayList<>();
    Deque<Integer> pending = new ArrayDeque<>();
    pushLarge(graph.size(), pending);
    while (!pending.isEmpty()) {
      work.checkStopped();
      int id = pending.pop();
      long elements = elements(id);
      if (elements >= leastElements || graph.sizeBytes(id) >= threshold) {
        found.add(new Suspect(id, 1, elements, dominators.retainedBytes(id)));
      } else {
        pushLarge(id, pending);
      }
    }
    return found;
  }

  private void pushLarge(int slot, Deque<Integer> pending) {
    for (int id = firstLarge[slot]; id != HeapGraph.NONE; id = nextLarge[id]) {
      pending.push(id);
    }
  }

  private long elements(int id) {
    return isArray(graph.infoOf(id).type())
        ? dominators.dominatedBy(id).length
        : sameKind(dominators.retainedSet(id), kind(id));
  }

  private static boolean isArray(ClosureType type) {
    return switch (type) {
      case MUT_ARR_PTRS_CLEAN,
          MUT_ARR_PTRS_DIRTY,
          MUT_ARR_PTRS_FROZEN_DIRTY,
          MUT_ARR_PTRS_FROZEN_CLEAN,
          SMALL_MUT_ARR_PTRS_CLEAN,
          SMALL_MUT_ARR_PTRS_DIRTY,
          SMALL_MUT_ARR_PTRS_FROZEN_DIRTY,
          SMALL_MUT_ARR_PTRS_FROZEN_CLEAN ->
          true;
      default -> false;
    };
  }

  private int kind(int id) {
    return kindOfInfo.applyAsInt(graph.infoId(id));
  }

  private long sameKind(BitSet closures, int kind) {
    long count = 0;
    for (int id = closures.nextSetBit(0); id >= 0; id = closures.nextSetBit(id + 1)) {
      count += kind(id) == kind ? 1 : 0;
    }
    return count;
  }

  private void addGroups(List<Suspect> found) {
    int kinds = 0;
    for (int infoId = 0; infoId < graph.infoCount(); infoId++) {
      kinds = Math.max(kinds, kindOfInfo.applyAsInt(infoId) + 1);
    }
    long[] counts = new long[kinds];
    long[] bytes = new long[kinds];
    int[] largest = new int[kinds];
    Arrays.fill(largest, HeapGraph.NONE);
    for (int id = 0; id < graph.size(); id++) {
      long retained = dominators.retainedBytes(id);
      if (dominators.dominator(id) == Dominators.ROOT && retained < threshold) {
        int kind = kind(id);
        counts[kind]++;
        bytes[kind] += retained;
        if (largest[kind] == HeapGraph.NONE || retained > dominators.retainedBytes(largest[kind])) {
          largest[kind] = id;
        }
      }
    }
    for (int kind = 0; kind < kinds; kind++) {
      if (counts[kind] >= leastElements && bytes[kind] >= threshold) {
        found.add(new Suspect(largest[kind], counts[kind], counts[kind], bytes[kind]));
      }
    }
  }
}
