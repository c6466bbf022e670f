package org.ghcdebug.protocol.closure;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.ghcdebug.protocol.target.ProfilingMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ProfilingWordTest {
  @Test
  void aFreshObjectOfABiographyWasMadeInEraOne() {
    assertEquals(
        new ProfilingWord.Biography(false, 1, 0),
        ProfilingWord.of(ProfilingMode.BIOGRAPHY, 0x40000000L));
  }

  @Test
  void aUsedObjectOfABiographyHasItsLastUse() {
    long word = 1L << 60 | 0x3fffffffL << 30 | 7;
    assertEquals(
        new ProfilingWord.Biography(true, 0x3fffffff, 7),
        ProfilingWord.of(ProfilingMode.BIOGRAPHY, word));
  }

  @Test
  void aRetainerSetIsAnAddressAndTheFlipBit() {
    assertEquals(
        new ProfilingWord.RetainerSet(true, 0x7f00_0000_1230L),
        ProfilingWord.of(ProfilingMode.RETAINER, 0x7f00_0000_1231L));
  }

  @Test
  void anEraIsANumber() {
    assertEquals(new ProfilingWord.Era(12), ProfilingWord.of(ProfilingMode.ERA, 12));
  }

  @ParameterizedTest
  @EnumSource(names = {"VANILLA", "PROFILED", "OTHER_HEAP_PROFILE"})
  void otherwiseTheWordMeansNothing(ProfilingMode mode) {
    assertEquals(new ProfilingWord.None(), ProfilingWord.of(mode, -1));
  }
}
