package org.ghcdebug.client.source.snapshot;

import java.util.function.LongUnaryOperator;
import org.ghcdebug.client.source.BlockSink;
import org.ghcdebug.client.source.Detachable;
import org.ghcdebug.client.source.ForwardingSource;
import org.ghcdebug.client.source.HeapSource;
import org.ghcdebug.client.work.Work;
import org.jspecify.annotations.Nullable;

/** A source whose roots and blocks go into a snapshot the first time that they are read. */
final class RecordingSource extends ForwardingSource implements Detachable {
  private final SnapshotWriter writer;

  RecordingSource(HeapSource source, SnapshotWriter writer) {
    super(source);
    this.writer = writer;
  }

  @Override
  public long blocks(BlockSink sink) {
    if (writer.hasBlocks()) {
      return source.blocks(sink);
    }
    writer.writeRoots(source);
    return writer.writeBlocks(source, sink, Work.UNATTENDED);
  }

  @Override
  public @Nullable HeapSource detach(LongUnaryOperator infoAddrs) {
    return source instanceof Detachable live ? live.detach(infoAddrs) : null;
  }
}
