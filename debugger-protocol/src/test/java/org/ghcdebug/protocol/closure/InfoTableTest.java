package org.ghcdebug.protocol.closure;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.ghcdebug.protocol.error.MalformedDataException;
import org.ghcdebug.protocol.target.InfoPtr;
import org.ghcdebug.protocol.target.ProfilingMode;
import org.junit.jupiter.api.Test;

class InfoTableTest {
  private static final InfoPtr ADDRESS = new InfoPtr(0x4256a8);

  @Test
  void theRecordedTableOfAConstructorIsRead() {
    InfoTable table = InfoTable.parse(ADDRESS, 1 | 3L << 32, 1);
    assertEquals(ClosureType.CONSTR, table.type());
    assertEquals(1, table.pointers());
    assertEquals(3, table.nonPointers());
    assertEquals(0, table.constructorNumber());
    assertEquals(0, table.srtAddr());
    assertTrue(table.hasConstructorName());
  }

  @Test
  void profiledTablesBeginWithTwoMoreWords() {
    long[] words = {-1, -1, 2, 8 | -16L << 32};
    InfoTable table = InfoTable.parse(ADDRESS, words);
    assertEquals(ClosureType.FUN, table.type());
    assertEquals(2, table.pointers());
    assertEquals(0x4256a8 - 16, table.srtAddr());
    assertArrayEquals(new long[] {0, 0, 2, words[3]}, table.standardPart(ProfilingMode.ERA));
    assertArrayEquals(new long[] {2, words[3]}, table.standardPart(ProfilingMode.VANILLA));
  }

  @Test
  void otherLengthsAreRefused() {
    assertThrows(MalformedDataException.class, () -> InfoTable.parse(ADDRESS, 1));
    assertThrows(MalformedDataException.class, () -> InfoTable.parse(ADDRESS, 1, 2, 3));
    assertThrows(MalformedDataException.class, () -> InfoTable.parse(ADDRESS));
  }

  @Test
  void countsBeyondReasonStayPositive() {
    InfoTable table = new InfoTable(ADDRESS, 1, -1, 0);
    assertEquals(Integer.MAX_VALUE, table.pointers());
    assertEquals(Integer.MAX_VALUE, table.nonPointers());
  }

  @Test
  void theDummyReturnClosureHasNoName() {
    assertFalse(new InfoTable(ADDRESS, 7, 0, 0).hasConstructorName());
    assertTrue(new InfoTable(ADDRESS, 7, 1L << 32, 0).hasConstructorName());
    assertFalse(new InfoTable(ADDRESS, 42, 1, 0).hasConstructorName());
  }

  @Test
  void largeBitmapsLieAtASignedOffset() {
    assertEquals(0x4256a8 - 8, new InfoTable(ADDRESS, 31, 0xffff_fff8L, 0).largeBitmapAddr());
  }
}
