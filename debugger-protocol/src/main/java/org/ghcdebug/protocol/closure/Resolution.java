package org.ghcdebug.protocol.closure;

import org.ghcdebug.protocol.target.Target;
import org.jspecify.annotations.Nullable;

/**
 * What a closure stands for: indirections stand for another closure, and black holes for their
 * value once they have one.
 *
 * <p>This is one step. The closure that it leads to can stand for yet another one; a hostile heap
 * can have cycles of them, so bound the number of steps.
 */
public sealed interface Resolution {
  /** The closure is what it is. */
  record Itself() implements Resolution {}

  /**
   * It stands for another closure.
   *
   * @param pointer as stored, maybe tagged
   */
  record StandsFor(long pointer) implements Resolution {}

  /**
   * It is a thunk that is being evaluated.
   *
   * @param thread the evaluating TSO, 0 when that cannot be told for the moment
   * @param queue the BLOCKING_QUEUE of the threads that wait for it, 0 for none
   */
  record UnderEvaluation(long thread, long queue) implements Resolution {}

  /**
   * The pointer whose closure {@link #of} needs; 0 when it needs none. A tag proves that the
   * pointer leads to a value. O(1).
   */
  static long neededPointer(Closure closure) {
    return closure instanceof Closure.BlackHole(_, long indirectee)
            && (indirectee & Target.TAG_MASK) == 0
        ? indirectee
        : 0;
  }

  /**
   * Tells what a closure stands for.
   *
   * @param needed the closure at {@link #neededPointer}; {@code null} when none is needed or none
   *     could be read there
   */
  static Resolution of(Closure closure, @Nullable Closure needed) {
    return switch (closure) {
      case Closure.Ind(_, long indirectee) -> new StandsFor(indirectee);
      case Closure.BlackHole(_, long indirectee) ->
          neededPointer(closure) == 0 ? new StandsFor(indirectee) : ofOwner(indirectee, needed);
      default -> new Itself();
    };
  }

  private static Resolution ofOwner(long indirectee, @Nullable Closure owner) {
    return switch (owner) {
      case Closure.Tso _ -> new UnderEvaluation(indirectee, 0);
      case Closure.BlockingQueue queue -> new UnderEvaluation(queue.owner(), indirectee);
      // The owner is just changing, or a message to it is on its way.
      case Closure.Ind _, Closure.BlackHole _, Closure.Prim _ -> new UnderEvaluation(0, 0);
      case null -> new UnderEvaluation(0, 0);
      default -> new StandsFor(indirectee);
    };
  }
}
