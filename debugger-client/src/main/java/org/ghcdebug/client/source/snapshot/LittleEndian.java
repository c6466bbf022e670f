package org.ghcdebug.client.source.snapshot;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Words of the target, in bytes. */
final class LittleEndian {
  private static final ValueLayout.OfLong WORD =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle WORD_OF_BYTES =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private LittleEndian() {}

  static MemorySegment bytes(long[] words) {
    MemorySegment bytes = MemorySegment.ofArray(new byte[Math.multiplyExact(words.length, 8)]);
    MemorySegment.copy(words, 0, bytes, WORD, 0, words.length);
    return bytes;
  }

  static long word(byte[] bytes, int offset) {
    return (long) WORD_OF_BYTES.get(bytes, offset);
  }
}
