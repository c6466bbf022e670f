package org.ghcdebug.client.source.snapshot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.domains.Domain;
import net.jqwik.api.domains.DomainContext;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import org.ghcdebug.client.index.HeapCopy;
import org.ghcdebug.client.source.HeapSource;
import org.ghcdebug.client.testing.HeapFacts;
import org.ghcdebug.client.testing.StubHeapSource;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.protocol.error.DebuggerException;
import org.ghcdebug.protocol.error.MalformedDataException;
import org.ghcdebug.protocol.error.UnsupportedTargetException;
import org.ghcdebug.stub.heap.BuiltHeap;

@Domain(HeapDomain.class)
@Domain(DomainContext.Global.class)
class SnapshotProperties {
  private static Path file = Path.of("");

  @BeforeContainer
  static void makeFile() throws IOException {
    file = Files.createTempDirectory("snapshot").resolve("heap");
  }

  @AfterContainer
  static void removeFile() throws IOException {
    Files.deleteIfExists(file);
    Files.delete(file.getParent());
  }

  private static byte[] write(HeapCopy copy) {
    SnapshotWriter.write(copy, file, Map.of("program", "test"), Work.UNATTENDED);
    return bytes();
  }

  private static byte[] bytes() {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Property(tries = 200)
  void aSnapshotReadsAsTheHeap(@ForAll BuiltHeap heap) {
    try (HeapCopy copy = HeapCopy.take(new StubHeapSource(heap), Work.UNATTENDED)) {
      SnapshotWriter.write(copy, file, Map.of("program", "test"), Work.UNATTENDED);

      try (SnapshotSource read = SnapshotSource.open(file);
          HeapCopy again = HeapCopy.take(read, Work.UNATTENDED)) {
        HeapFacts expected = HeapFacts.of(copy);
        assertEquals(List.of(), read.warnings());
        assertEquals("test", read.metadata().get("program"));
        assertEquals(heap.target(), read.target());
        expected.assertSame(HeapFacts.of(again));
        expected.assertSame(HeapFacts.of(read, again)); // at random, without a copy
        assertEquals(copy.image().sizeBytes(), again.image().sizeBytes());
      }
    }
  }

  @Property(tries = 50)
  void aHeapThatIsRecordedWhileItIsCopiedIsTheSame(@ForAll BuiltHeap heap) {
    HeapSource source = new StubHeapSource(heap);
    try (SnapshotWriter writer = SnapshotWriter.create(file, heap.target(), Map.of());
        HeapCopy copy = HeapCopy.take(writer.recording(source), Work.UNATTENDED)) {
      assertTrue(Files.exists(SnapshotWriter.partialFile(file)));
      writer.finish(copy, Work.UNATTENDED);
      assertFalse(Files.exists(SnapshotWriter.partialFile(file)));

      try (SnapshotSource read = SnapshotSource.open(file);
          HeapCopy again = HeapCopy.take(read, Work.UNATTENDED)) {
        HeapFacts.of(copy).assertSame(HeapFacts.of(again));
      }
    }
  }

  @Property(tries = 100)
  void aDamagedSnapshotReadsInPartOrNotAtAll(
      @ForAll BuiltHeap heap, @ForAll long seed, @ForAll @IntRange(min = 1, max = 40) int changes) {
    byte[] damaged;
    try (HeapCopy copy = HeapCopy.take(new StubHeapSource(heap), Work.UNATTENDED)) {
      damaged = write(copy);
    }
    Random random = new Random(seed);
    for (int i = 0; i < changes; i++) {
      damaged[random.nextInt(damaged.length)] ^= (byte) (1 + random.nextInt(255));
    }
    assertReadsInPartOrNotAtAll(damaged);
  }

  @Property(tries = 100)
  void aSnapshotThatWasCutOffReadsInPartOrNotAtAll(
      @ForAll BuiltHeap heap, @ForAll @IntRange(max = 99) int percent) {
    byte[] whole;
    try (HeapCopy copy = HeapCopy.take(new StubHeapSource(heap), Work.UNATTENDED)) {
      whole = write(copy);
    }
    assertReadsInPartOrNotAtAll(Arrays.copyOf(whole, (int) ((long) whole.length * percent / 100)));
  }

  private static void assertReadsInPartOrNotAtAll(byte[] file) {
    try (SnapshotSource source = SnapshotSource.of("damaged", file);
        HeapCopy copy = HeapCopy.take(source, Work.UNATTENDED)) {
      int[] damagedChunks = {0};
      source.file().verify((_, _) -> damagedChunks[0]++);
      copy.eachReachable(addr -> {});
      // A damaged chunk that no question needed is found by verifying only.
      assertTrue(damagedChunks[0] > 0 || !source.warnings().isEmpty());
    } catch (DebuggerException complaint) {
      assertTrue(
          complaint instanceof MalformedDataException
              || complaint instanceof UnsupportedTargetException,
          complaint::toString);
    }
  }
}
