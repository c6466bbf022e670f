package org.ghcdebug.protocol.closure;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class SourceInfoTest {
  @Test
  void aPositionOfNothingIsEmpty() {
    assertEquals("", SourceInfo.parse("t", "14", "", "", "Main", ":").position());
    assertEquals("A.hs:1:2", SourceInfo.parse("t", "14", "", "", "Main", "A.hs:1:2").position());
  }

  @Test
  void aTypeThatIsNoNumberIsUnknown() {
    assertEquals(14, SourceInfo.parse("t", "14", "", "", "Main", ":").closureTypeNumber());
    assertEquals(-1, SourceInfo.parse("t", "FUN", "", "", "Main", ":").closureTypeNumber());
  }
}
