package org.ghcdebug.protocol.snapshot;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.DataFormatException;

/**
 * Packs heap memory word by word: {@link Codec#WORDS}, byte by byte in {@code
 * docs/snapshot-format.md}.
 *
 * <p>Closures are mostly words that were there before (info pointers, pointers to what is shared)
 * and pointers a few words beyond the pointer before them, since the collector copies what belongs
 * together one after the other. Each such word becomes one byte, its token; others are a token and
 * a few more bytes. Closures of a kind have the same tokens, so most tokens are what followed the
 * three before them the last time, and cost one bit.
 *
 * <p>2 ns a word in either direction, a quarter of what zstd takes; no state is left from one call
 * to the next. For one thread at a time; keeps 13 bytes a word of the longest input.
 */
final class WordPacker {
  /** From here on a token stands for a word near the last pointer; below, for one seen before. */
  static final int NEAR = 128;

  /** A word near the pointer before the last far one. */
  static final int NEAR_PREVIOUS = 192;

  /** Plus the number of bytes: a word as it is. */
  static final int PLAIN = 192;

  /** Likewise: the difference to the word last seen after the same token. */
  static final int AFTER = 200;

  /** Likewise: the difference to the last pointer. */
  static final int FAR = 206;

  private static final int MAX_DIFFERENCE_BYTES = 6;
  private static final int NEAR_BYTES = 64;
  private static final long SEEN_FACTOR = 0x9E3779B97F4A7C15L;
  private static final int SEEN_SHIFT = 57;
  private static final int EXPECTED_FACTOR = 0x9E3779B1;
  private static final int EXPECTED_SHIFT = 20;
  private static final int HEADER_BYTES = Integer.BYTES;

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private final long[] seen = new long[NEAR]; // hash of a word -> the word
  private final long[] after = new long[256]; // token -> the word last spelled out after it
  private final byte[] expected = new byte[1 << (32 - EXPECTED_SHIFT)]; // hash of three -> token
  private byte[] tokens = {};
  private byte[] literals = {};
  private byte[] surprises = {};
  private byte[] hits = {};

  private void reset() {
    Arrays.fill(seen, 0);
    Arrays.fill(after, 0);
    Arrays.fill(expected, (byte) 0);
  }

  /** Most bytes that so many become. */
  static int maxPackedBytes(int length) {
    int words = length / Long.BYTES;
    return HEADER_BYTES + (words + 7) / 8 + 9 * words + length % Long.BYTES;
  }

  /** The first {@code length} bytes, packed. */
  byte[] pack(byte[] bytes, int length) {
    int words = length / Long.BYTES;
    if (tokens.length < words) {
      tokens = new byte[words];
      literals = new byte[words * Long.BYTES + Long.BYTES];
      surprises = new byte[words + 1];
      hits = new byte[words / 8 + 1];
    }
    reset();
    int literalBytes = tokenize(bytes, words);
    int surpriseCount = predict(words);
    int hitBytes = (words + 7) / 8;
    int tail = length % Long.BYTES;
    byte[] packed = new byte[HEADER_BYTES + hitBytes + surpriseCount + literalBytes + tail];
    INT.set(packed, 0, surpriseCount);
    int at = HEADER_BYTES;
    System.arraycopy(hits, 0, packed, at, hitBytes);
    System.arraycopy(surprises, 0, packed, at += hitBytes, surpriseCount);
    System.arraycopy(literals, 0, packed, at += surpriseCount, literalBytes);
    System.arraycopy(bytes, length - tail, packed, at + literalBytes, tail);
    return packed;
  }

  /** Returns the number of literal bytes. */
  private int tokenize(byte[] bytes, int words) {
    byte[] tokensOut = tokens;
    byte[] literalsOut = literals;
    int literalBytes = 0;
    int token = 0;
    long pointer = 0;
    long previousPointer = 0;
    for (int i = 0; i < words; i++) {
      long word = (long) LONG.get(bytes, i << 3);
      int slot = slot(word);
      if (seen[slot] == word) {
        token = slot;
        tokensOut[i] = (byte) token;
        continue;
      }
      long distance = word - firstNear(pointer);
      if (Long.compareUnsigned(distance, NEAR_BYTES) < 0) {
        pointer = word;
        token = NEAR + (int) distance;
        tokensOut[i] = (byte) token;
        continue;
      }
      seen[slot] = word;
      distance = word - firstNear(previousPointer);
      if (Long.compareUnsigned(distance, NEAR_BYTES) < 0) {
        previousPointer = pointer;
        pointer = word;
        literalsOut[literalBytes++] = (byte) distance;
        token = NEAR_PREVIOUS;
        tokensOut[i] = (byte) token;
        continue;
      }
      long sinceToken = zigzag(word - after[token]);
      long sincePointer = zigzag(word - pointer);
      after[token] = word;
      int plainBytes = bytesOf(word);
      int sinceTokenBytes = bytesOf(sinceToken);
      int sincePointerBytes = bytesOf(sincePointer);
      if (plainBytes <= sinceTokenBytes && plainBytes <= sincePointerBytes
          || Math.min(sinceTokenBytes, sincePointerBytes) > MAX_DIFFERENCE_BYTES) {
        LONG.set(literalsOut, literalBytes, word);
        literalBytes += plainBytes;
        token = PLAIN + plainBytes;
      } else if (sinceTokenBytes <= sincePointerBytes) {
        LONG.set(literalsOut, literalBytes, sinceToken);
        literalBytes += sinceTokenBytes;
        token = AFTER + sinceTokenBytes;
      } else {
        LONG.set(literalsOut, literalBytes, sincePointer);
        literalBytes += sincePointerBytes;
        token = FAR + sincePointerBytes;
      }
      tokensOut[i] = (byte) token;
      if (isPointer(word)) {
        previousPointer = pointer;
        pointer = word;
      }
    }
    return literalBytes;
  }

  /** Fills {@link #hits} and {@link #surprises}; returns how many the latter are. */
  private int predict(int words) {
    byte[] tokensIn = tokens;
    byte[] surprisesOut = surprises;
    byte[] next = expected;
    byte[] hitsOut = hits;
    int surpriseCount = 0;
    int context = 0;
    for (int i = 0, hitByte = 0; i < words; hitByte++) {
      int hitBits = 0;
      int end = Math.min(i + 8, words);
      for (int bit = 0; i < end; i++, bit++) {
        byte token = tokensIn[i];
        int slot = context * EXPECTED_FACTOR >>> EXPECTED_SHIFT;
        int hit = next[slot] == token ? 1 : 0;
        next[slot] = token;
        surprisesOut[surpriseCount] = token;
        surpriseCount += 1 - hit;
        hitBits |= hit << bit;
        context = context << 8 | (token & 0xff) << 8;
      }
      hitsOut[hitByte] = (byte) hitBits;
    }
    return surpriseCount;
  }

  /**
   * Undoes {@link #pack}.
   *
   * @param raw gets the bytes, as many as there were
   * @throws DataFormatException when that is not what was packed
   */
  void unpack(byte[] packed, byte[] raw) throws DataFormatException {
    int words = raw.length / Long.BYTES;
    int hitBytes = (words + 7) / 8;
    int tail = raw.length % Long.BYTES;
    int literalEnd = packed.length - tail;
    int surpriseCount = literalEnd < HEADER_BYTES + hitBytes ? -1 : (int) INT.get(packed, 0);
    if (surpriseCount < 0 || surpriseCount > literalEnd - HEADER_BYTES - hitBytes) {
      throw new DataFormatException(
          "%d tokens in %d bytes for %d words".formatted(surpriseCount, packed.length, words));
    }
    int surpriseEnd = HEADER_BYTES + hitBytes + surpriseCount;
    reset();
    int surpriseAt = surpriseEnd - surpriseCount;
    int literalAt = surpriseEnd;
    int context = 0;
    int last = 0;
    long pointer = 0;
    long previousPointer = 0;
    for (int i = 0; i < words; i++) {
      int slot = context * EXPECTED_FACTOR >>> EXPECTED_SHIFT;
      int token;
      if ((packed[HEADER_BYTES + (i >>> 3)] >>> (i & 7) & 1) != 0) {
        token = expected[slot] & 0xff;
      } else {
        if (surpriseAt == surpriseEnd) {
          throw new DataFormatException("more than %d tokens".formatted(surpriseCount));
        }
        token = packed[surpriseAt++] & 0xff;
        expected[slot] = (byte) token;
      }
      context = context << 8 | token << 8;
      long word;
      if (token < NEAR) {
        word = seen[token];
      } else if (token < NEAR_PREVIOUS) {
        word = firstNear(pointer) + (token - NEAR);
        pointer = word;
      } else {
        int bytes = literalBytes(token);
        if (bytes > literalEnd - literalAt) {
          throw new DataFormatException("word %d goes beyond the end".formatted(i));
        }
        long literal = literal(packed, literalAt, bytes);
        literalAt += bytes;
        if (token == NEAR_PREVIOUS) {
          word = firstNear(previousPointer) + literal;
        } else {
          long difference = literal >>> 1 ^ -(literal & 1);
          word = token <= AFTER ? literal : (token <= FAR ? after[last] : pointer) + difference;
          after[last] = word;
        }
        seen[slot(word)] = word;
        if (token == NEAR_PREVIOUS || isPointer(word)) {
          previousPointer = pointer;
          pointer = word;
        }
      }
      LONG.set(raw, i << 3, word);
      last = token;
    }
    if (surpriseAt != surpriseEnd || literalAt != literalEnd) {
      throw new DataFormatException(
          "%d bytes too many".formatted(surpriseEnd - surpriseAt + literalEnd - literalAt));
    }
    System.arraycopy(packed, literalEnd, raw, words * Long.BYTES, tail);
  }

  private static int literalBytes(int token) throws DataFormatException {
    if (token > FAR + MAX_DIFFERENCE_BYTES) {
      throw new DataFormatException("token %d, expected at most 212".formatted(token));
    }
    return token == NEAR_PREVIOUS
        ? 1
        : token - (token <= AFTER ? PLAIN : token <= FAR ? AFTER : FAR);
  }

  private static long literal(byte[] packed, int at, int bytes) {
    if (at + Long.BYTES <= packed.length) {
      return (long) LONG.get(packed, at) & -1L >>> (Long.SIZE - 8 * bytes);
    }
    long literal = 0;
    for (int i = bytes; i-- > 0; ) {
      literal = literal << 8 | packed[at + i] & 0xff;
    }
    return literal;
  }

  private static int slot(long word) {
    return (int) (word * SEEN_FACTOR >>> SEEN_SHIFT);
  }

  private static long firstNear(long pointer) {
    return (pointer & -Long.BYTES) + Long.BYTES;
  }

  private static boolean isPointer(long word) {
    return word >>> 32 != 0 && word >>> 48 == 0;
  }

  private static long zigzag(long difference) {
    return difference << 1 ^ difference >> 63;
  }

  private static int bytesOf(long number) {
    return 71 - Long.numberOfLeadingZeros(number | 1) >>> 3;
  }
}
