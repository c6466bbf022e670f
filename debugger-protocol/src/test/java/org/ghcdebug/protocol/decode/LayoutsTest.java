package org.ghcdebug.protocol.decode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.ghcdebug.protocol.closure.ClosureType;
import org.ghcdebug.protocol.closure.InfoTable;
import org.ghcdebug.protocol.error.UnsupportedTargetException;
import org.ghcdebug.protocol.layout.ClosureLayout;
import org.ghcdebug.protocol.target.GhcVersion;
import org.ghcdebug.protocol.target.InfoPtr;
import org.ghcdebug.protocol.target.ProfilingMode;
import org.ghcdebug.protocol.target.Target;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LayoutsTest {
  private static ClosureLayout layout(int series, int patch, ProfilingMode profiling) {
    return Layouts.of(new Target(new GhcVersion(series, patch), profiling));
  }

  /** Sizes of StgTSO and numbers of closure types, from the headers of each release. */
  @ParameterizedTest
  @CsvSource({
    "902, 64, 120, 144",
    "904, 64, 120, 144",
    "906, 65, 128, 152",
    "908, 65, 128, 152",
    "910, 65, 136, 160",
    "912, 65, 136, 160",
    "914, 66, 136, 160",
  })
  void eachReleaseHasItsLayout(int series, int types, int tsoBytes, int profiledTsoBytes) {
    ClosureLayout vanilla = layout(series, 1, ProfilingMode.VANILLA);
    assertEquals(series, vanilla.series());
    assertEquals(types, vanilla.closureTypeCount());
    assertEquals(tsoBytes, 8 * vanilla.tsoWords());
    assertEquals(profiledTsoBytes, 8 * layout(series, 1, ProfilingMode.ERA).tsoWords());
  }

  @ParameterizedTest
  @CsvSource({
    "903, 20210101, 904",
    "905, 20220924, 904",
    "905, 20220925, 906",
    "907, 1, 908",
    "909, 20240131, 908",
    "909, 20240201, 910",
    "911, 1, 912",
    "913, 1, 914",
  })
  void developmentBuildsAreReadAsTheReleaseThatFollows(int series, int patch, int release) {
    assertEquals(release, layout(series, patch, ProfilingMode.VANILLA).series());
  }

  @ParameterizedTest
  @CsvSource({"900, 2", "916, 1", "0, 0", "-1, 0"})
  void otherReleasesAreRefusedWithTheListOfThoseThatAreNot(int series, int patch) {
    var failure =
        assertThrows(
            UnsupportedTargetException.class, () -> layout(series, patch, ProfilingMode.VANILLA));
    assertTrue(failure.getMessage().contains("9.14"), failure.getMessage());
  }

  @Test
  void typesThatAReleaseDoesNotHaveAreUnknown() {
    InfoTable continuation = new InfoTable(new InfoPtr(8), 64, 0, 0);
    InfoTable annotation = new InfoTable(new InfoPtr(8), 65, 0, 0);
    assertEquals(ClosureType.UNKNOWN, layout(904, 1, ProfilingMode.VANILLA).typeOf(continuation));
    assertEquals(
        ClosureType.CONTINUATION, layout(906, 1, ProfilingMode.VANILLA).typeOf(continuation));
    assertEquals(ClosureType.UNKNOWN, layout(912, 1, ProfilingMode.VANILLA).typeOf(annotation));
    assertEquals(ClosureType.ANN_FRAME, layout(914, 1, ProfilingMode.VANILLA).typeOf(annotation));
  }
}
