package org.ghcdebug.client.analysis.caf;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.ghcdebug.client.heap.Heap;
import org.ghcdebug.client.index.ClosureSelection;
import org.ghcdebug.client.index.ClosureTest;
import org.ghcdebug.client.index.HeapCopy;
import org.ghcdebug.client.index.HeapGraph;
import org.ghcdebug.client.index.RetainedSizes;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.protocol.closure.Closure;
import org.ghcdebug.protocol.closure.ClosureType;
import org.ghcdebug.protocol.target.AddressList;
import org.ghcdebug.protocol.target.Target;
import org.jspecify.annotations.Nullable;

/**
 * A top-level value that is computed once and then kept.
 *
 * @param address of the static closure
 * @param name of its code; empty once evaluation has begun, since the RTS then replaces the code
 * @param value name of what it was evaluated to, or of who evaluates it; empty before
 * @param valueAddr where that is, 0 before
 * @param retainedBytes what would be free without it, itself included
 */
public record Caf(
    long address, String name, State state, String value, long valueAddr, long retainedBytes) {
  /** How far the evaluation is. */
  public enum State {
    NOT_EVALUATED("not evaluated"),
    UNDER_EVALUATION("under evaluation"),
    EVALUATED("evaluated");

    private final String label;

    State(String label) {
      this.label = label;
    }

    /** For display. */
    public String label() {
      return label;
    }
  }

  /** {@code null} before it is evaluated. */
  public @Nullable Long findValueAddr() {
    return valueAddr == 0 ? null : valueAddr;
  }

  /**
   * All CAFs that can be reached and are wanted, those that retain most first. O(closures).
   *
   * @param sizes of the copy's graph
   */
  public static List<Caf> list(
      Heap heap,
      HeapCopy copy,
      HeapGraph graph,
      RetainedSizes sizes,
      ClosureSelection selection,
      Work work) {
    List<Long> addresses = new ArrayList<>();
    copy.each(
        info ->
            info.type() == ClosureType.IND_STATIC || info.type() == ClosureType.THUNK_STATIC
                ? selection.of(info)
                : ClosureTest.NEVER,
        caf -> addresses.add(caf.address()),
        work);
    AddressList all = addressList(addresses);
    AddressList values = heap.resolve(all);
    heap.closures(values);
    List<Caf> cafs = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      Closure closure = heap.closure(all.get(i));
      long retained = sizes.retainedBytes(graph.id(all.get(i)));
      cafs.add(
          closure instanceof Closure.Thunk
              ? notEvaluated(heap, closure, retained)
              : begun(heap, closure, Target.untag(values.get(i)), retained));
    }
    cafs.sort(Comparator.comparingLong(Caf::retainedBytes).reversed());
    return cafs;
  }

  private static AddressList addressList(List<Long> addresses) {
    return AddressList.of(addresses.stream().mapToLong(Long::longValue).toArray());
  }

  private static Caf notEvaluated(Heap heap, Closure caf, long retained) {
    String name = heap.findCodeName(caf.info()).orElse("");
    return new Caf(caf.address().address(), name, State.NOT_EVALUATED, "", 0, retained);
  }

  private static Caf begun(Heap heap, Closure caf, long valueAddr, long retained) {
    Closure value = heap.closures(AddressList.of(valueAddr)).getFirst();
    boolean isEvaluated = !(value instanceof Closure.BlackHole);
    return new Caf(
        caf.address().address(),
        "",
        isEvaluated ? State.EVALUATED : State.UNDER_EVALUATION,
        value == null ? "" : heap.displayName(value),
        valueAddr,
        retained);
  }
}
