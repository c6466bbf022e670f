package org.ghcdebug.client.source.snapshot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;
import org.ghcdebug.client.source.HeapSourceContract;
import org.ghcdebug.client.testing.Snapshots;
import org.ghcdebug.protocol.error.MalformedDataException;
import org.ghcdebug.protocol.error.SourceUnavailableException;
import org.ghcdebug.protocol.target.AddressList;
import org.ghcdebug.protocol.target.GhcVersion;
import org.ghcdebug.protocol.target.ProfilingMode;
import org.ghcdebug.protocol.target.Target;
import org.ghcdebug.stub.heap.BuiltHeap;
import org.ghcdebug.stub.heap.RandomHeap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReferenceSnapshotSourceTest extends HeapSourceContract {
  private static final BuiltHeap HEAP =
      RandomHeap.of(new Target(new GhcVersion(910, 3), ProfilingMode.VANILLA), 7, 300);
  private static final byte[] SNAPSHOT = Snapshots.of(HEAP, Snapshots.allFunctions(HEAP));

  @TempDir private Path folder;

  @Override
  protected void withSource(BuiltHeap heap, Use use) throws Exception {
    try (var source = read(Snapshots.of(heap, Snapshots.allFunctions(heap)))) {
      use.with(source);
    }
  }

  private static ReferenceSnapshotSource read(byte[] snapshot) throws IOException {
    return ReferenceSnapshotSource.read(
        "test", Channels.newChannel(new ByteArrayInputStream(snapshot)));
  }

  private Path file(byte[] contents) throws IOException {
    return Files.write(folder.resolve("snapshot"), contents);
  }

  private static byte[] compressed(byte[] bytes) throws IOException {
    var out = new ByteArrayOutputStream();
    try (var gzip = new GZIPOutputStream(out)) {
      gzip.write(bytes);
    }
    return out.toByteArray();
  }

  @Test
  void compressedFilesAreToldByTheirContents() throws IOException {
    for (byte[] contents : new byte[][] {SNAPSHOT, compressed(SNAPSHOT)}) {
      try (var source = ReferenceSnapshotSource.open(file(contents))) {
        assertEquals(HEAP.savedObjects(), source.savedObjects());
        assertTrue(source.findDamage().isEmpty());
      }
    }
  }

  @Test
  void whatPrecedesACutIsKeptAndTheCutReported() throws IOException {
    int readable = 0;
    for (int length = 0; length < SNAPSHOT.length; length += SNAPSHOT.length / 30) {
      byte[] cut = Arrays.copyOf(SNAPSHOT, length);
      try (var source = read(cut)) {
        assertTrue(source.findDamage().isPresent(), "cut at " + length);
        readable++;
      } catch (MalformedDataException beforeTheVersion) {
        assertTrue(length < 64, beforeTheVersion::toString);
      }
    }
    assertTrue(readable > 10);
  }

  @Test
  void aCutInsideTheCompressedDataIsReported() throws IOException {
    byte[] whole = compressed(SNAPSHOT);
    try (var source = ReferenceSnapshotSource.open(file(Arrays.copyOf(whole, whole.length / 2)))) {
      assertNotNull(source.findDamage().orElseThrow().getMessage());
    }
  }

  @Test
  void missingAnswersAreCounted() throws IOException {
    try (var source = read(SNAPSHOT)) {
      assertEquals(0, source.missing());
      source.closures(AddressList.of(8, 16));
      source.srts(AddressList.of(24));
      assertEquals(3, source.missing());
    }
  }

  @Test
  void otherFilesAreRefused() throws IOException {
    Path text =
        file("not a snapshot at all, but a text of some length".getBytes(StandardCharsets.UTF_8));
    assertThrows(MalformedDataException.class, () -> ReferenceSnapshotSource.open(text));
    assertThrows(
        SourceUnavailableException.class,
        () -> ReferenceSnapshotSource.open(folder.resolve("none")));
    assertTrue(ReferenceSnapshotSource.recognizes(ByteBuffer.wrap(SNAPSHOT)));
    assertTrue(!ReferenceSnapshotSource.recognizes(ByteBuffer.wrap(Files.readAllBytes(text))));
  }

  @Test
  void aClosedSourceSaysSo() throws IOException {
    var source = read(SNAPSHOT);
    source.close();
    source.close();
    assertThrows(SourceUnavailableException.class, () -> source.closures(HEAP.savedObjects()));
  }
}
