package org.ghcdebug.client.index;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class ImageMemoryTest {
  private static final long MIB = 1L << 20;

  @Test
  void blocksAndJavaHeapFitIntoTheMachineTogether() {
    assertEquals(8192 * MIB, ImageMemory.defaultBudgetBytes(16384 * MIB, 4096 * MIB));
    assertEquals(8000 * MIB, ImageMemory.defaultBudgetBytes(16384 * MIB, 8192 * MIB));
    assertEquals(252 * MIB, ImageMemory.defaultBudgetBytes(700 * MIB, 256 * MIB));
  }

  @Test
  void aSmallHeapNeedsNoFile() {
    assertEquals(128 * MIB, ImageMemory.defaultBudgetBytes(512 * MIB, 512 * MIB));
  }
}
