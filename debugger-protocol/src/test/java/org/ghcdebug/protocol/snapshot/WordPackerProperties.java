package org.ghcdebug.protocol.snapshot;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.zip.DataFormatException;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class WordPackerProperties {
  /** Words such as heaps hold: code, pointers near and far, numbers, text. */
  private static byte[] heapLike(long seed, int length) {
    Random random = new Random(seed);
    ByteBuffer out = ByteBuffer.allocate(length + Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    long pointer = 0x4200000000L;
    while (out.position() < length) {
      pointer += 8 * random.nextInt(6);
      out.putLong(
          switch (random.nextInt(9)) {
            case 0, 1 -> 0x400000 + 16 * random.nextInt(40);
            case 2, 3 -> pointer + random.nextInt(8);
            case 4 -> pointer = 0x4200000000L + 8 * random.nextLong(1 << 20);
            case 5 -> random.nextInt(1 << random.nextInt(31));
            case 6 -> -random.nextInt(1000);
            case 7 -> random.nextLong() >>> random.nextInt(64);
            default -> 0;
          });
    }
    byte[] bytes = new byte[length];
    out.get(0, bytes);
    return bytes;
  }

  @Property(tries = 500)
  void whatIsPackedIsUnpackedAsTheFormatIsDescribed(
      @ForAll long seed, @ForAll @IntRange(max = 3000) int length) throws DataFormatException {
    byte[] bytes = heapLike(seed, length);
    byte[] packed = new WordPacker().pack(bytes, length);
    byte[] unpacked = new byte[length];
    new WordPacker().unpack(packed, unpacked);

    assertArrayEquals(bytes, unpacked);
    assertArrayEquals(bytes, asDescribed(packed, length));
    assertTrue(packed.length <= WordPacker.maxPackedBytes(length));
  }

  @Property(tries = 50)
  void onePackerPacksOneThingAfterAnotherAsNewOnesDo(
      @ForAll long seed,
      @ForAll @IntRange(max = 3000) int first,
      @ForAll @IntRange(max = 3000) int second) {
    WordPacker packer = new WordPacker();
    packer.pack(heapLike(seed, first), first);
    byte[] bytes = heapLike(seed + 1, second);

    assertArrayEquals(new WordPacker().pack(bytes, second), packer.pack(bytes, second));
  }

  @Example
  void aClosureThatRepeatsCostsABitAWord() {
    ByteBuffer words = ByteBuffer.allocate(64 << 10).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; words.hasRemaining(); i++) {
      words
          .putLong(0x414c80)
          .putLong(0x4200000001L + 24 * i)
          .putLong(0x4200000010L + 24 * i)
          .putLong(0);
    }
    int bits = words.capacity() / Long.BYTES;

    assertTrue(new WordPacker().pack(words.array(), words.capacity()).length < bits / 8 + 64);
  }

  @Property(tries = 5000)
  void anyBytesAreUnpackedOrRefused(
      @ForAll @Size(max = 300) byte[] packed, @ForAll @IntRange(max = 400) int length) {
    assertEquals(
        outcome(() -> asDescribed(packed, length)), outcome(() -> unpacked(packed, length)));
  }

  @Property(tries = 2000)
  void damagedBytesAreUnpackedOrRefused(
      @ForAll long seed,
      @ForAll @IntRange(min = 8, max = 600) int length,
      @ForAll int at,
      @ForAll byte value) {
    byte[] packed = new WordPacker().pack(heapLike(seed, length), length);
    packed[Math.floorMod(at, packed.length)] = value;

    assertEquals(
        outcome(() -> asDescribed(packed, length)), outcome(() -> unpacked(packed, length)));
  }

  private static byte[] unpacked(byte[] packed, int length) throws DataFormatException {
    byte[] raw = new byte[length];
    new WordPacker().unpack(packed, raw);
    return raw;
  }

  private interface Unpacking {
    byte[] run() throws DataFormatException;
  }

  private static String outcome(Unpacking unpacking) {
    try {
      return new BigInteger(1, unpacking.run()).toString(16);
    } catch (DataFormatException refused) {
      return "refused";
    }
  }

  /** Word by word as docs/snapshot-format.md says it. */
  private static byte[] asDescribed(byte[] packed, int length) throws DataFormatException {
    ByteBuffer in = ByteBuffer.wrap(packed).order(ByteOrder.LITTLE_ENDIAN);
    int words = length / 8;
    int bitBytes = (words + 7) / 8;
    if (packed.length < 4 + bitBytes + length % 8) {
      throw new DataFormatException();
    }
    long tokenCount = Integer.toUnsignedLong(in.getInt());
    byte[] bits = new byte[bitBytes];
    in.get(bits);
    if (tokenCount > in.remaining() - length % 8) {
      throw new DataFormatException();
    }
    ByteBuffer tokens = in.slice(in.position(), (int) tokenCount);
    in.position(in.position() + (int) tokenCount);
    in.limit(packed.length - length % 8);
    Map<Integer, Integer> expected = new HashMap<>();
    Map<Integer, Long> seen = new HashMap<>();
    Map<Integer, Long> after = new HashMap<>();
    int[] before = new int[3]; // the last token first
    long near = 0;
    long nearBefore = 0;
    ByteBuffer out = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < words; i++) {
      int context = (before[2] << 16 | before[1] << 8 | before[0]) << 8;
      int slot = (int) (Integer.toUnsignedLong(context * 0x9E3779B1) >> 20);
      int token = expected.getOrDefault(slot, 0);
      if ((bits[i / 8] >> i % 8 & 1) == 0) {
        if (!tokens.hasRemaining()) {
          throw new DataFormatException();
        }
        token = tokens.get() & 0xff;
      }
      expected.put(slot, token);
      long word;
      if (token < 128) {
        word = seen.getOrDefault(token, 0L);
      } else if (token < 192) {
        word = near / 8 * 8 + 8 + token - 128;
        near = word;
      } else if (token == 192) {
        word = nearBefore / 8 * 8 + 8 + number(in, 1);
        nearBefore = near;
        near = word;
        seen.put(hash(word), word);
      } else {
        if (token > 212) {
          throw new DataFormatException();
        }
        if (token <= 200) {
          word = number(in, token - 192);
        } else if (token <= 206) {
          word = after.getOrDefault(before[0], 0L) + signed(number(in, token - 200));
        } else {
          word = near + signed(number(in, token - 206));
        }
        after.put(before[0], word);
        seen.put(hash(word), word);
        if (word >= 1L << 32 && word < 1L << 48) {
          nearBefore = near;
          near = word;
        }
      }
      out.putLong(word);
      before = new int[] {token, before[0], before[1]};
    }
    if (tokens.hasRemaining() || in.hasRemaining()) {
      throw new DataFormatException();
    }
    out.put(packed, packed.length - length % 8, length % 8);
    return out.array();
  }

  private static long number(ByteBuffer in, int bytes) throws DataFormatException {
    if (in.remaining() < bytes) {
      throw new DataFormatException();
    }
    long number = 0;
    for (int i = 0; i < bytes; i++) {
      number |= (in.get() & 0xffL) << 8 * i;
    }
    return number;
  }

  private static long signed(long number) {
    return number % 2 == 0 ? number >>> 1 : -(number >>> 1) - 1;
  }

  private static int hash(long word) {
    return BigInteger.valueOf(word)
        .multiply(new BigInteger("9E3779B97F4A7C15", 16))
        .mod(BigInteger.ONE.shiftLeft(64))
        .shiftRight(57)
        .intValue();
  }
}
