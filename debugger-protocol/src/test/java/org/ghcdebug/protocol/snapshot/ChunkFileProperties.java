package org.ghcdebug.protocol.snapshot;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.Channels;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.ghcdebug.protocol.error.MalformedDataException;

class ChunkFileProperties {
  private static final byte[] SMALL = sample(1, 12);

  /** A file of chunks of random kinds and codecs. */
  private static byte[] sample(long seed, int chunks) {
    Random random = new Random(seed);
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    try {
      ChunkWriter writer = new ChunkWriter(Channels.newChannel(file), Codec.ZSTD);
      for (int i = 0; i < chunks; i++) {
        writer.write(chunk(random));
      }
      writer.finish();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return file.toByteArray();
  }

  private static PackedChunk chunk(Random random) {
    ChunkKind kind = ChunkKind.values()[random.nextInt(ChunkKind.DIRECTORY.ordinal())];
    Codec codec = Codec.values()[random.nextInt(Codec.values().length)];
    int unit = kind == ChunkKind.BLOCKS ? 4096 : 8;
    List<Extent> extents = new ArrayList<>();
    int length = 0;
    for (int i = random.nextInt(4); i > 0; i--) {
      int extentBytes = unit * (1 + random.nextInt(3));
      extents.add(
          new Extent(
              unit * random.nextLong(1L << 40),
              extentBytes,
              random.nextInt(1 << 16),
              random.nextBoolean()));
      length += extentBytes;
    }
    byte[] payload = new byte[length];
    for (int i = 0; i < payload.length; i++) {
      payload[i] = (byte) random.nextInt(3);
    }
    return PackedChunk.pack(
        kind, codec, kind.isMemory() ? extents : List.of(), payload, payload.length);
  }

  private static ChunkFile open(byte[] file) {
    return ChunkFile.open("test", MemorySegment.ofArray(file));
  }

  @Property(tries = 100)
  void whatIsWrittenIsRead(@ForAll long seed, @ForAll @IntRange(max = 200) int chunks) {
    Random random = new Random(seed);
    ChunkFile file = open(sample(seed, chunks));

    assertTrue(file.findDamage().isEmpty());
    assertEquals(chunks, file.chunks().size());
    for (Chunk chunk : file.chunks()) {
      PackedChunk written = chunk(random);
      assertEquals(written.kind.number(), chunk.kindNumber());
      assertEquals(written.at(chunk.offsetBytes(), chunk.sequence()), chunk);
      assertEquals(written.rawBytes, file.read(chunk).length);
    }
  }

  @Property(tries = 50)
  void everyCodecGivesBackWhatItGot(@ForAll @Size(max = 5000) byte[] payload, @ForAll Codec codec)
      throws Exception {
    byte[] compressed = codec.compress(payload, payload.length);

    assertArrayEquals(payload, codec.decompress(compressed, payload.length));
  }

  /** Whether anything complains about a file. */
  private static boolean isFaulty(byte[] file) {
    try {
      ChunkFile opened = open(file);
      List<MalformedDataException> damages = new ArrayList<>();
      opened.verify((_, damage) -> damages.add(damage));
      return opened.findDamage().isPresent() || !damages.isEmpty();
    } catch (MalformedDataException refused) {
      return true;
    }
  }

  @Example
  void aChangeOfAnyBitOfAFileIsNoticed() {
    assertTrue(!isFaulty(SMALL));
    for (int at = 0; at < SMALL.length; at++) {
      for (int bit = 0; bit < 8; bit++) {
        byte[] changed = SMALL.clone();
        changed[at] ^= (byte) (1 << bit);
        assertTrue(isFaulty(changed), "bit " + bit + " of byte " + at);
      }
    }
  }

  @Example
  void aFileCutOffAnywhereGivesTheChunksBeforeTheCut() {
    List<Chunk> all = open(SMALL).chunks();
    for (int length = 0; length < SMALL.length; length++) {
      byte[] cut = Arrays.copyOf(SMALL, length);
      try {
        ChunkFile file = open(cut);
        assertTrue(file.findDamage().isPresent());
        long end = length;
        assertEquals(
            all.stream().filter(chunk -> chunk.endOffset() <= end).toList(), file.chunks());
        for (Chunk chunk : file.chunks()) {
          assertEquals(chunk.rawBytes(), file.read(chunk).length);
        }
      } catch (MalformedDataException noHeader) {
        assertTrue(length < 32);
        assertEquals(length, noHeader.offsetBytes());
      }
    }
  }

  @Example
  void aDamagedChunkCostsNoOtherChunk() {
    ChunkFile whole = open(SMALL);
    Chunk damaged = whole.chunks().get(3);
    byte[] file = SMALL.clone();
    Arrays.fill(file, (int) damaged.offsetBytes(), (int) damaged.endOffset(), (byte) 0x55);
    byte[] withoutDirectory = Arrays.copyOf(file, file.length - 1);

    List<Long> reported = new ArrayList<>();
    open(file).verify((chunk, _) -> reported.add(chunk.offsetBytes()));
    assertEquals(List.of(damaged.offsetBytes()), reported);
    assertEquals(whole.chunks().size() - 1, open(withoutDirectory).chunks().size());
  }

  @Property(tries = 2000)
  void anyBytesGiveChunksOrAComplaint(
      @ForAll @Size(max = 400) byte[] bytes, @ForAll @IntRange(max = 2000) int at) {
    byte[] file = SMALL.clone();
    for (int i = 0; i < bytes.length && at + i < file.length; i++) {
      file[at + i] = bytes[i];
    }
    try {
      ChunkFile opened = open(file);
      for (Chunk chunk : opened.chunks()) {
        assertTrue(chunk.rawBytes() <= Chunk.MAX_RAW_BYTES);
        TableReader.read(opened, chunk, new IgnoredTables());
      }
    } catch (MalformedDataException complaint) {
      assertTrue(complaint.getMessage().startsWith("test"), complaint::toString);
    }
  }
}
