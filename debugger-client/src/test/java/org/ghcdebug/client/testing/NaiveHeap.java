package org.ghcdebug.client.testing;

import java.util.List;
import java.util.Objects;
import org.ghcdebug.client.collections.LongList;
import org.ghcdebug.client.heap.Heap;
import org.ghcdebug.client.index.HeapCopy;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.protocol.closure.Closure;
import org.ghcdebug.protocol.target.AddressList;
import org.ghcdebug.protocol.target.Target;
import org.ghcdebug.stub.heap.RandomHeap;
import org.ghcdebug.stub.heap.StubHeap;

/**
 * A heap twice: as a copy for what is tested, and as all its reachable closures, decoded, to count
 * them the slow way.
 */
public final class NaiveHeap implements AutoCloseable {
  private final HeapCopy copy;
  private final Heap heap;
  private final List<Closure> closures;

  /** Takes a built heap. */
  public NaiveHeap(StubHeap built) {
    copy = HeapCopy.take(new StubHeapSource(built), Work.UNATTENDED);
    heap = new Heap(copy);
    LongList reachable = new LongList();
    copy.eachReachable(reachable::add);
    closures =
        heap.closures(AddressList.of(reachable.toArray())).stream()
            .filter(Objects::nonNull)
            .toList();
  }

  /** Makes a random heap. */
  public static NaiveHeap random(Target target, long seed, int closures) {
    return new NaiveHeap(RandomHeap.of(target, seed, closures));
  }

  public HeapCopy copy() {
    return copy;
  }

  public Heap heap() {
    return heap;
  }

  /** All reachable closures. */
  public List<Closure> closures() {
    return closures;
  }

  @Override
  public void close() {
    copy.close();
  }
}
