package org.ghcdebug.stub.server;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.ghcdebug.protocol.error.MalformedDataException;
import org.ghcdebug.protocol.error.UnsupportedTargetException;
import org.ghcdebug.protocol.target.GhcVersion;
import org.ghcdebug.protocol.target.ProfilingMode;
import org.ghcdebug.protocol.target.Target;
import org.ghcdebug.stub.heap.BlockGroup;
import org.ghcdebug.stub.heap.BuiltClosure;
import org.ghcdebug.stub.heap.BuiltHeap;
import org.ghcdebug.stub.heap.Code;
import org.ghcdebug.stub.heap.RandomHeap;
import org.ghcdebug.stub.heap.StubHeap;

/** A recorded heap answers as the heap that was recorded. */
class RecordingsProperties {
  private static final Target TARGET = new Target(new GhcVersion(906, 6), ProfilingMode.VANILLA);

  @Property(tries = 60)
  void aReplayedHeapAnswersAsTheRecordedOne(
      @ForAll long seed, @ForAll boolean profiled, @ForAll boolean compressed) throws IOException {
    var target =
        new Target(
            new GhcVersion(910, 3), profiled ? ProfilingMode.PROFILED : ProfilingMode.VANILLA);
    BuiltHeap built = RandomHeap.of(target, seed, 40);
    byte[] file = SnapshotOf.heap(built);
    StubHeap replayed = load(compressed ? gzip(file) : file);

    assertEquals(target, replayed.target());
    assertEquals(built.savedObjects(), replayed.savedObjects());
    assertArrayEquals(
        Arrays.stream(built.roots().toArray()).map(Target::untag).toArray(),
        replayed.roots().toArray());
    assertEquals(
        built.blocks().stream().map(BlockGroup::startAddr).toList(),
        replayed.blocks().stream().map(BlockGroup::startAddr).toList());
    for (BuiltClosure closure : built.allClosures()) {
      long address = closure.address().address();
      assertArrayEquals(built.closure(address), replayed.closure(address), closure.name());
      if (built.funBitmap(address, 3) != null) {
        assertEquals(built.funBitmap(address, 3), replayed.funBitmap(address, 3));
      }
    }
    for (long frameAddr : built.frames().toArray()) {
      assertEquals(built.stackBitmap(frameAddr), replayed.stackBitmap(frameAddr));
      assertNull(replayed.closure(frameAddr));
    }
    for (Code code : built.allCode()) {
      long infoAddr = code.infoAddr();
      assertArrayEquals(built.infoTable(infoAddr), replayed.infoTable(infoAddr));
      assertEquals(built.srt(infoAddr), replayed.srt(infoAddr));
      assertEquals(
          built.constructorDescription(infoAddr), replayed.constructorDescription(infoAddr));
      assertEquals(built.sourceInfo(infoAddr), replayed.sourceInfo(infoAddr));
    }
  }

  @Property(tries = 200)
  void aDamagedFileIsRefusedOrReplayedWithoutFailing(
      @ForAll @IntRange(max = 20_000) int where, @ForAll byte what, @ForAll boolean cut)
      throws IOException {
    byte[] file = SnapshotOf.heap(RandomHeap.of(TARGET, 7, 5));
    byte[] damaged = cut ? Arrays.copyOf(file, where % file.length) : file.clone();
    if (!cut) {
      damaged[where % file.length] = what;
    }
    try {
      StubHeap heap = load(damaged);
      for (BlockGroup group : heap.blocks()) {
        for (int offset = 0; offset < group.lengthBytes(); offset += 8) {
          heap.closure(group.startAddr() + offset);
          heap.stackBitmap(group.startAddr() + offset);
          heap.funBitmap(group.startAddr() + offset, 3);
        }
      }
    } catch (MalformedDataException | UnsupportedTargetException _) {
      // That is what they are for.
    }
  }

  private static StubHeap load(byte[] file) throws IOException {
    return Recordings.load("recording", new ByteArrayInputStream(file));
  }

  private static byte[] gzip(byte[] bytes) throws IOException {
    var compressed = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(compressed)) {
      out.write(bytes);
    }
    return compressed.toByteArray();
  }
}
