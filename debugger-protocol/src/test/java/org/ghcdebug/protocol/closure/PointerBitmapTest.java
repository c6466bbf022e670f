package org.ghcdebug.protocol.closure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.ghcdebug.protocol.error.MalformedDataException;
import org.junit.jupiter.api.Test;

class PointerBitmapTest {
  @Test
  void zeroIsAPointerInTheBitmapsOfInfoTables() {
    assertEquals(
        "NNP", PointerBitmap.ofSmallBitmap(0b11 << 6 | 3).toString()); // stg_catch, profiled
    assertEquals("", PointerBitmap.ofSmallBitmap(0).toString());
  }

  @Test
  void moreThan58WordsDoNotFitIntoAnInfoTable() {
    assertEquals(58, PointerBitmap.ofSmallBitmap(58).pointerCount());
    assertThrows(MalformedDataException.class, () -> PointerBitmap.ofSmallBitmap(59));
  }

  @Property
  void smallBitmapsAgreeWithTheirFastReading(
      @ForAll long bits, @ForAll @IntRange(max = 58) int size) {
    long word = bits << 6 | size;
    PointerBitmap bitmap = PointerBitmap.ofSmallBitmap(word);
    for (int i = 0; i < size; i++) {
      assertEquals((bits >>> i & 1) == 0, bitmap.isPointer(i));
      assertEquals(bitmap.isPointer(i), (PointerBitmap.smallBitmapPointers(word) >>> i & 1) == 1);
    }
    assertEquals(0, PointerBitmap.smallBitmapPointers(word) >>> size);
  }

  @Property
  void bytesBecomePointers(
      @ForAll @Size(max = 200) byte[] bytes, @ForAll @IntRange(max = 200) int n) {
    PointerBitmap bitmap = PointerBitmap.ofBytes(bytes);
    assertEquals(bytes.length, bitmap.size());
    int pointers = 0;
    for (int i = 0; i < bytes.length; i++) {
      assertEquals(bytes[i] != 0, bitmap.isPointer(i));
      pointers += bytes[i] != 0 ? 1 : 0;
    }
    assertEquals(pointers, bitmap.pointerCount());
    assertFalse(bitmap.isPointer(bytes.length));
    int prefix = Math.min(n, bytes.length);
    assertEquals(bitmap.toString().substring(0, prefix), bitmap.prefix(prefix).toString());
  }

  @Test
  void bitsBeyondTheSizeAreRefused() {
    assertThrows(IllegalArgumentException.class, () -> new PointerBitmap(3, Words.of(8)));
    assertThrows(IllegalArgumentException.class, () -> new PointerBitmap(65, Words.of(8)));
    assertThrows(IllegalArgumentException.class, () -> PointerBitmap.EMPTY.prefix(1));
  }
}
