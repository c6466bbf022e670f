package org.ghcdebug.client.heap;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.protocol.closure.Closure;
import org.ghcdebug.protocol.closure.Edge;
import org.ghcdebug.protocol.target.AddressList;
import org.ghcdebug.protocol.target.Target;
import org.jspecify.annotations.Nullable;

/**
 * A closure of a {@link Heap}: its address and where to read it. Small, costs nothing until it is
 * asked, and keeps nothing in memory; what was read is in the heap's bounded cache.
 *
 * <pre>{@code
 * ClosureHandle cell = heap.handle(saved);
 * while (cell.name().equals("GHC.Types.:")) {
 *   cell = cell.child(1).value();
 * }
 * }</pre>
 *
 * <p>Good as long as its heap is: when the program goes on, every call that reads is refused with a
 * {@link org.ghcdebug.protocol.error.SourceUnavailableException}. Not thread-safe, as its heap is
 * not.
 *
 * @param heap where it is
 * @param address without tag
 */
public record ClosureHandle(Heap heap, long address) {
  /** How many closures {@link #reachable} reads in one batch. */
  private static final int BATCH = 4096;

  /**
   * The closure, decoded.
   *
   * @throws org.ghcdebug.protocol.error.MalformedDataException when there is none
   */
  public Closure closure() {
    return heap.closure(address);
  }

  /** See {@link Heap#displayName}. */
  public String name() {
    return heap.displayName(closure());
  }

  /** What it refers to, labelled; see {@link Closure#edges}. */
  public List<Edge> edges() {
    return closure().edges();
  }

  /**
   * What it refers to, in the order of {@link #edges}. All of them are read in one batch, so that
   * asking each costs nothing more.
   */
  public List<ClosureHandle> children() {
    long[] addresses = targets(closure());
    heap.closures(AddressList.of(addresses));
    List<ClosureHandle> children = new ArrayList<>(addresses.length);
    for (long child : addresses) {
      children.add(new ClosureHandle(heap, child));
    }
    return children;
  }

  /**
   * The target of one edge; only that one is read, when it is asked.
   *
   * @throws IndexOutOfBoundsException when it has fewer edges
   */
  public ClosureHandle child(int index) {
    return heap.handle(edges().get(index).pointer());
  }

  /** What it stands for: itself, or what an indirection or evaluated black hole leads to. */
  public ClosureHandle value() {
    return heap.handle(heap.resolve(address));
  }

  /**
   * Everything that can be reached from here along retaining edges, this closure first, each once,
   * breadth first. Lazy: read in batches as the stream is consumed; 50 bytes or so per closure met
   * are kept to know it again.
   *
   * @param work asked before each batch whether to go on
   */
  public Stream<ClosureHandle> reachable(Work work) {
    return StreamSupport.stream(new Reachable(work), false);
  }

  private static long[] targets(Closure closure) {
    return closure.edges().stream().mapToLong(edge -> Target.untag(edge.pointer())).toArray();
  }

  private final class Reachable extends Spliterators.AbstractSpliterator<ClosureHandle> {
    private final Work work;
    private final Set<Long> met = new HashSet<>(Set.of(address));
    private final ArrayDeque<Long> unread = new ArrayDeque<>(Set.of(address));
    private final ArrayDeque<Long> read = new ArrayDeque<>();

    Reachable(Work work) {
      super(Long.MAX_VALUE, Spliterator.DISTINCT | Spliterator.NONNULL | Spliterator.ORDERED);
      this.work = work;
    }

    @Override
    public boolean tryAdvance(Consumer<? super ClosureHandle> action) {
      if (read.isEmpty()) {
        readBatch();
      }
      Long next = read.poll();
      if (next == null) {
        return false;
      }
      action.accept(new ClosureHandle(heap, next));
      return true;
    }

    private void readBatch() {
      work.checkStopped();
      long[] batch = new long[Math.min(BATCH, unread.size())];
      for (int i = 0; i < batch.length; i++) {
        batch[i] = unread.remove();
        read.add(batch[i]);
      }
      for (@Nullable Closure closure : heap.closures(AddressList.of(batch))) {
        if (closure != null) {
          closure.edges().stream()
              .filter(edge -> edge.kind().isRetaining())
              .map(edge -> Target.untag(edge.pointer()))
              .filter(met::add)
              .forEach(unread::add);
        }
      }
    }
  }
}
