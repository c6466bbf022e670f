package org.ghcdebug.client.index;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.ghcdebug.client.testing.BigHeapSource;
import org.ghcdebug.client.work.Work;
import org.junit.jupiter.api.Test;

class HeapImageTest {
  /** More than one chunk in memory, and more than one in the file. */
  private static final long CLOSURES = 3_000_000;

  private static final long BUDGET_BYTES = 40L << 20;

  @Test
  void blocksBeyondTheBudgetAreReadBackAsTheyWere() {
    var source = new BigHeapSource(CLOSURES, true);
    try (HeapImage image = HeapImage.read(source, Work.UNATTENDED);
        HeapImage mapped = HeapImage.read(source, Work.UNATTENDED, new ImageMemory(BUDGET_BYTES))) {
      assertEquals(image.sizeBytes(), mapped.sizeBytes());
      for (long offset = 0; offset < image.sizeBytes(); offset += Long.BYTES) {
        if (image.word(offset) != mapped.word(offset)) { // no message for each of nine million
          assertEquals(image.word(offset), mapped.word(offset), "at " + offset);
        }
      }
    }
  }
}
