package org.ghcdebug.client.source.snapshot;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.domains.Domain;
import org.ghcdebug.client.index.HeapCopy;
import org.ghcdebug.client.testing.HeapFacts;
import org.ghcdebug.client.testing.StubHeapSource;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.stub.heap.BuiltHeap;

@Domain(HeapDomain.class)
class ReferenceSnapshotsProperties {
  @Property(tries = 200)
  void aWrittenHeapReadsAsTheHeap(@ForAll BuiltHeap heap) throws IOException {
    try (HeapCopy copy = HeapCopy.take(new StubHeapSource(heap), Work.UNATTENDED);
        ReferenceSnapshotSource read = read(write(copy));
        HeapCopy again = HeapCopy.take(read, Work.UNATTENDED)) {
      assertTrue(read.findDamage().isEmpty());
      HeapFacts.of(copy).assertSame(HeapFacts.of(again));
    }
  }

  private static byte[] write(HeapCopy copy) throws IOException {
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    ReferenceSnapshots.write(copy, Channels.newChannel(file), Work.UNATTENDED);
    return file.toByteArray();
  }

  private static ReferenceSnapshotSource read(byte[] file) throws IOException {
    return ReferenceSnapshotSource.read(
        "written heap", Channels.newChannel(new ByteArrayInputStream(file)));
  }
}
