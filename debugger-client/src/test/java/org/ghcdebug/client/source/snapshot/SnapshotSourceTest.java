package org.ghcdebug.client.source.snapshot;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.ghcdebug.client.source.HeapSourceContract;
import org.ghcdebug.client.testing.RecordableStubHeap;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.protocol.closure.ConstructorName;
import org.ghcdebug.protocol.error.MalformedDataException;
import org.ghcdebug.protocol.error.SourceUnavailableException;
import org.ghcdebug.protocol.snapshot.ChunkKind;
import org.ghcdebug.protocol.snapshot.ChunkWriter;
import org.ghcdebug.protocol.snapshot.Codec;
import org.ghcdebug.protocol.snapshot.Extent;
import org.ghcdebug.protocol.snapshot.PackedChunk;
import org.ghcdebug.protocol.target.AddressList;
import org.ghcdebug.stub.heap.BuiltHeap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SnapshotSourceTest extends HeapSourceContract {
  @TempDir private Path folder;

  @Override
  protected void withSource(BuiltHeap heap, Use use) throws Exception {
    Path file = folder.resolve("heap.snapshot");
    SnapshotWriter.write(new RecordableStubHeap(heap), file, Map.of(), Work.UNATTENDED);
    try (SnapshotSource source = SnapshotSource.open(file)) {
      use.with(source);
      assertEquals(List.of(), source.warnings());
    }
  }

  @Test
  void missingAndForeignFilesAreRefused() throws IOException {
    Path file = folder.resolve("text");
    Files.writeString(file, "not a snapshot, but a text of more than thirty-two bytes");

    assertThrows(
        SourceUnavailableException.class, () -> SnapshotSource.open(folder.resolve("none")));
    MalformedDataException complaint =
        assertThrows(MalformedDataException.class, () -> SnapshotSource.open(file));
    assertEquals(0, complaint.offsetBytes());
  }

  /** As a C program would write it: raw, with the program's memory instead of tables. */
  @Test
  void infoTablesAndClosuresAreReadOutOfTheProgramsMemory() throws IOException {
    ByteBuffer code = ByteBuffer.allocate(128).order(ByteOrder.LITTLE_ENDIAN);
    code.put(0, "main:M.C\0".getBytes(StandardCharsets.UTF_8));
    code.putLong(16, 0xffff_ffffL & (0 - 40)); // name, relative to the info pointer at 40
    code.putInt(24, 1).putInt(28, 0); // one pointer
    code.putInt(32, 2).putInt(36, 0); // CONSTR_1_0
    code.putLong(64, 0x4000 + 40).putLong(72, 0x4242); // a closure
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    ChunkWriter writer = new ChunkWriter(Channels.newChannel(file), Codec.RAW);
    ByteBuffer metadata = ByteBuffer.allocate(100).order(ByteOrder.LITTLE_ENDIAN);
    for (String text : List.of("target.ghc", "9.6.6")) {
      metadata.putInt(text.length()).put(text.getBytes(StandardCharsets.UTF_8));
    }
    writer.write(
        PackedChunk.pack(
            ChunkKind.METADATA, Codec.RAW, List.of(), metadata.array(), metadata.position()));
    writer.write(
        PackedChunk.pack(
            ChunkKind.MEMORY,
            Codec.RAW,
            List.of(new Extent(0x4000, 128, 0, false)),
            code.array(),
            128));
    writer.finish();

    try (SnapshotSource source = SnapshotSource.of("from C", file.toByteArray())) {
      AddressList info = AddressList.of(0x4000 + 40);
      assertEquals(2, source.infoTables(info).getFirst().typeNumber());
      assertEquals(new ConstructorName("main", "M", "C"), source.constructorNames(info).getFirst());
      assertArrayEquals(
          new long[] {0x4000 + 40, 0x4242},
          source.closures(AddressList.of(0x4000 + 64)).getFirst());
      assertTrue(source.warnings().getFirst().contains("summary"));
    }
  }
}
