package org.ghcdebug.protocol.decode;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Random;
import org.ghcdebug.protocol.closure.Closure;
import org.ghcdebug.protocol.closure.ClosureType;
import org.ghcdebug.protocol.closure.Resolution;
import org.ghcdebug.protocol.target.GhcVersion;
import org.ghcdebug.protocol.target.ProfilingMode;
import org.ghcdebug.protocol.target.Target;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ResolutionTest {
  private static final long POINTER = 0x4200100200L;

  private final SyntheticClosures closures =
      new SyntheticClosures(
          new Random(1), Layouts.of(new Target(new GhcVersion(910, 3), ProfilingMode.VANILLA)));

  private Closure closure(ClosureType type) {
    return closures.closure(type).closure();
  }

  private Closure blackHole(long indirectee) {
    return new Closure.BlackHole(closure(ClosureType.BLACKHOLE).header(), indirectee);
  }

  @Test
  void anIndirectionStandsForItsIndirectee() {
    Closure.Ind ind = (Closure.Ind) closure(ClosureType.IND_STATIC);
    assertEquals(0, Resolution.neededPointer(ind));
    assertEquals(new Resolution.StandsFor(ind.indirectee()), Resolution.of(ind, null));
  }

  @Test
  void aBlackHoleWithATaggedPointerHasItsValue() {
    Closure hole = blackHole(POINTER + 1);
    assertEquals(0, Resolution.neededPointer(hole));
    assertEquals(new Resolution.StandsFor(POINTER + 1), Resolution.of(hole, null));
  }

  @Test
  void aBlackHoleThatPointsToAThreadIsEvaluatedByIt() {
    Closure hole = blackHole(POINTER);
    assertEquals(POINTER, Resolution.neededPointer(hole));
    assertEquals(
        new Resolution.UnderEvaluation(POINTER, 0), Resolution.of(hole, closure(ClosureType.TSO)));
  }

  @Test
  void aBlackHoleThatPointsToAQueueIsEvaluatedByItsOwner() {
    var queue = (Closure.BlockingQueue) closure(ClosureType.BLOCKING_QUEUE);
    assertEquals(
        new Resolution.UnderEvaluation(queue.owner(), POINTER),
        Resolution.of(blackHole(POINTER), queue));
  }

  @ParameterizedTest
  @EnumSource(names = {"IND", "BLACKHOLE", "PRIM", "MUT_PRIM"})
  void aBlackHoleInTransitionIsUnderEvaluation(ClosureType type) {
    assertEquals(
        new Resolution.UnderEvaluation(0, 0), Resolution.of(blackHole(POINTER), closure(type)));
  }

  @Test
  void aBlackHoleWhoseOwnerCannotBeReadIsUnderEvaluation() {
    assertEquals(new Resolution.UnderEvaluation(0, 0), Resolution.of(blackHole(POINTER), null));
  }

  @ParameterizedTest
  @EnumSource(names = {"CONSTR", "PAP", "FUN_STATIC", "AP_STACK", "THUNK"})
  void aBlackHoleThatPointsToAnythingElseStandsForIt(ClosureType type) {
    assertEquals(
        new Resolution.StandsFor(POINTER), Resolution.of(blackHole(POINTER), closure(type)));
  }

  @Test
  void allOtherClosuresStandForThemselves() {
    for (ClosureType type : List.of(ClosureType.CONSTR_1_0, ClosureType.THUNK, ClosureType.TSO)) {
      assertEquals(new Resolution.Itself(), Resolution.of(closure(type), null));
    }
  }
}
