package org.ghcdebug.protocol.decode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;

class CompactBlockTest {
  @Test
  void aGroupNamesItsOwnerAndTheNextGroup() {
    ClosureWords group = ClosureWords.of(new long[] {0x4200300000L, 0x4200300018L, 0x4200400000L});
    assertEquals(
        new CompactBlock(0x4200300018L, 0x4200400000L), CompactBlock.read(0x4200300000L, group));
  }

  @Test
  void aGroupThatDoesNotNameItselfIsNone() {
    assertNull(CompactBlock.read(0x4200300000L, ClosureWords.of(new long[] {1, 2, 3})));
    assertNull(CompactBlock.read(1, ClosureWords.of(new long[] {1, 2})));
  }
}
