package org.ghcdebug.client.value;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.ghcdebug.client.heap.Heap;
import org.ghcdebug.protocol.closure.Closure;
import org.ghcdebug.protocol.closure.Words;
import org.ghcdebug.protocol.target.AddressList;
import org.ghcdebug.protocol.target.Target;
import org.jspecify.annotations.Nullable;

/**
 * Reads values ahead: a closure that is not there yet is fetched together with those below it,
 * level by level, so that a value costs a round trip a level and not one a closure. Of a heap in
 * memory nothing is read ahead.
 */
final class Lookahead {
  /** Closures fetched for one that was missing. */
  private static final int MAX_CLOSURES = 400;

  private static final int MAX_LEVELS = 16;

  private final Heap heap;
  private final int maxElements;
  private final Set<Long> fetched = new HashSet<>(); // addresses

  /**
   * @param maxElements of an array, how many are of interest
   */
  Lookahead(Heap heap, int maxElements) {
    this.heap = heap;
    this.maxElements = maxElements;
  }

  /** What a pointer stands for, indirections followed; {@code null} when that cannot be read. */
  @Nullable Closure closure(long pointer) {
    if (!heap.isInMemory() && !fetched.contains(Target.untag(pointer))) {
      fetch(pointer);
    }
    return heap.closures(AddressList.of(heap.resolve(pointer))).getFirst();
  }

  private void fetch(long pointer) {
    AddressList level = AddressList.of(pointer);
    int count = 0;
    for (int depth = 0; depth < MAX_LEVELS && !level.isEmpty() && count < MAX_CLOSURES; depth++) {
      AddressList targets = heap.resolve(level);
      List<Closure> closures = heap.closures(targets).stream().filter(Objects::nonNull).toList();
      heap.prefetchNames(closures.stream().map(Closure::info).distinct().toList());
      for (int i = 0; i < level.size(); i++) {
        fetched.add(Target.untag(level.get(i)));
        fetched.add(Target.untag(targets.get(i)));
      }
      count += level.size();
      level = below(closures, MAX_CLOSURES - count);
    }
  }

  private AddressList below(List<Closure> closures, int limit) {
    Set<Long> seen = new HashSet<>();
    List<Long> pointers = new ArrayList<>();
    for (Closure closure : closures) {
      Words fields = fields(closure);
      int count = Math.min(fields.size(), maxElements);
      for (int i = 0; i < count && pointers.size() < limit; i++) {
        long addr = Target.untag(fields.get(i));
        if (!fetched.contains(addr) && seen.add(addr)) {
          pointers.add(fields.get(i));
        }
      }
    }
    return AddressList.of(pointers.stream().mapToLong(Long::longValue).toArray());
  }

  /** The pointers of a closure that are values inside a value. */
  private static Words fields(Closure closure) {
    return switch (closure) {
      case Closure.Constr constr -> constr.pointers();
      case Closure.MutVar variable -> Words.of(variable.value());
      case Closure.MVar variable -> Words.of(variable.value());
      case Closure.TVar variable -> Words.of(variable.currentValue());
      case Closure.MutArrPtrs array -> array.elements();
      case Closure.SmallMutArrPtrs array -> array.elements();
      case Closure.Pap application -> Words.of(application.fun());
      case Closure.Fun _,
          Closure.Thunk _,
          Closure.Selector _,
          Closure.Ap _,
          Closure.ApStack _,
          Closure.Bco _,
          Closure.Ind _,
          Closure.BlackHole _,
          Closure.BlockingQueue _,
          Closure.ArrWords _,
          Closure.Weak _,
          Closure.Prim _,
          Closure.Tso _,
          Closure.Stack _,
          Closure.Continuation _,
          Closure.TrecChunk _,
          Closure.CompactNfData _,
          Closure.Unknown _ ->
          Words.NONE;
    };
  }
}
