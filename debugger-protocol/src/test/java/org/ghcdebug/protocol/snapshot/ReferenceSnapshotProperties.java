package org.ghcdebug.protocol.snapshot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.ghcdebug.protocol.error.MalformedDataException;
import org.ghcdebug.protocol.target.AddressList;
import org.ghcdebug.protocol.target.Target;
import org.ghcdebug.protocol.wire.Request;
import org.ghcdebug.protocol.wire.Response;
import org.ghcdebug.protocol.wire.WireArbitraries;

class ReferenceSnapshotProperties {
  /** Entries as a snapshot can hold them. */
  @Provide
  Arbitrary<RecordedEntry> entries() {
    return WireArbitraries.answeredPairs()
        .filter(pair -> isRecorded(pair.request()))
        .map(pair -> new RecordedEntry(pair.request(), recorded(pair.request(), pair.response())));
  }

  @Property(tries = 300)
  void whatWasWrittenIsRead(@ForAll @Size(max = 8) List<@From("entries") RecordedEntry> entries) {
    byte[] file = SnapshotFiles.write(entries);

    assertEquals(entries, SnapshotFiles.readAll(file));
    assertEquals(
        !entries.isEmpty(),
        ReferenceSnapshotReader.looksLikeReferenceSnapshot(ByteBuffer.wrap(file)));
  }

  @Property(tries = 300)
  void aFileThatWasCutOffGivesTheEntriesBeforeTheCut(
      @ForAll @Size(min = 1, max = 8) List<@From("entries") RecordedEntry> entries,
      @ForAll @IntRange(min = 0) int seed) {
    byte[] file = SnapshotFiles.write(entries);
    int kept =
        ReferenceSnapshot.HEADER_BYTES + seed % (file.length - ReferenceSnapshot.HEADER_BYTES);
    ReferenceSnapshotReader reader = SnapshotFiles.open(Arrays.copyOf(file, kept));
    var read = new ArrayList<RecordedEntry>();

    var e = assertThrows(MalformedDataException.class, () -> SnapshotFiles.readAll(reader, read));

    assertEquals("file", e.where());
    assertEquals(kept, e.offsetBytes());
    assertEquals(entries.subList(0, read.size()), read);
    assertEquals(read.size(), reader.entriesRead());
    assertTrue(reader.entriesRead() < reader.entryCount());
  }

  @Property(tries = 300)
  void aDamagedFileGivesEntriesOrIsMalformed(
      @ForAll @Size(max = 8) List<@From("entries") RecordedEntry> entries,
      @ForAll @IntRange(min = 0) int seed,
      @ForAll byte damage) {
    byte[] file = SnapshotFiles.write(entries);
    file[seed % file.length] = damage;

    readHostile(file);
  }

  @Property
  void arbitraryBytesAreEntriesOrMalformed(@ForAll @Size(max = 200) byte[] bytes) {
    readHostile(bytes);
  }

  @Property
  void arbitraryEntriesAreEntriesOrMalformed(
      @ForAll("entries") RecordedEntry entry, @ForAll @Size(max = 200) byte[] bytes) {
    byte[] file = SnapshotFiles.write(List.of(entry));
    int requestEnd =
        ReferenceSnapshot.HEADER_BYTES
            + 4
            + ReferenceSnapshot.requestBytes(entry.request().command());

    readHostile(Unpooled.buffer().writeBytes(file, 0, requestEnd).writeBytes(bytes).copy().array());
  }

  private static void readHostile(byte[] file) {
    try {
      SnapshotFiles.readAll(file);
    } catch (MalformedDataException e) {
      assertTrue(e.offsetBytes() >= 0 && e.offsetBytes() <= file.length, e.getMessage());
    }
  }

  private static boolean isRecorded(Request request) {
    return switch (request) {
      case Request.Pause _, Request.Resume _, Request.Poll _ -> false;
      case Request.Closures(var closures) -> closures.size() == 1;
      case Request.InfoTables(var infoPointers) -> infoPointers.size() == 1;
      case Request.Srt(var infoPointers) -> infoPointers.size() == 1;
      default -> true;
    };
  }

  /** What is left of an answer in a snapshot. */
  private static Response recorded(Request request, Response response) {
    return switch (response) {
      case Response.Version version -> Response.Version.of(version.target());
      case Response.Addresses(var addresses) when !(request instanceof Request.Srt) ->
          new Response.Addresses(
              AddressList.of(Arrays.stream(addresses.toArray()).map(Target::untag).toArray()));
      default -> response;
    };
  }
}
