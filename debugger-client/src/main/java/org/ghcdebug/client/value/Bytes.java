package org.ghcdebug.client.value;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.ghcdebug.protocol.closure.Closure;
import org.ghcdebug.protocol.target.Target;

/** The bytes of a byte array. */
final class Bytes {
  private Bytes() {}

  /** A byte, unsigned. */
  static int get(Closure.ArrWords array, long index) {
    return (int) (array.data().get((int) (index >> 3)) >>> 8 * (index & 7)) & 0xff;
  }

  /** Whether the array has these bytes. */
  static boolean has(Closure.ArrWords array, long from, long length) {
    long sizeBytes = Math.min(array.sizeBytes(), (long) array.data().size() * Target.WORD_BYTES);
    return from >= 0 && length >= 0 && from <= sizeBytes && length <= sizeBytes - from;
  }

  /** At most {@code limit} of {@code length} bytes from {@code from} on, which the array has. */
  static byte[] copy(Closure.ArrWords array, long from, long length, int limit) {
    byte[] bytes = new byte[(int) Math.min(length, limit)];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) get(array, from + i);
    }
    return bytes;
  }

  /** A little-endian number of {@code widthBytes} bytes, sign extended. */
  static long signed(Closure.ArrWords array, long from, int widthBytes) {
    long value = 0;
    for (int i = widthBytes - 1; i >= 0; i--) {
      value = value << 8 | get(array, from + i);
    }
    int unused = Long.SIZE - Byte.SIZE * widthBytes;
    return value << unused >> unused;
  }

  /** Code points of a text; a sequence that was cut or is wrong becomes U+FFFD. */
  static int[] codePoints(byte[] bytes, Charset charset) {
    return new String(bytes, charset).codePoints().toArray();
  }

  /** One character a byte, as a ByteString is shown. */
  static int[] latin1(byte[] bytes) {
    return codePoints(bytes, StandardCharsets.ISO_8859_1);
  }
}
