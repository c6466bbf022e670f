package org.ghcdebug.protocol.snapshot;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.util.ArrayList;
import java.util.List;
import org.ghcdebug.protocol.wire.BlockSink;
import org.ghcdebug.protocol.wire.CollectingBlockSink;
import org.ghcdebug.protocol.wire.Request;
import org.ghcdebug.protocol.wire.Response;

/** Snapshots in memory. */
final class SnapshotFiles {
  private SnapshotFiles() {}

  static byte[] write(List<RecordedEntry> entries) {
    var out = new ByteArrayOutputStream();
    try {
      var writer = new ReferenceSnapshotWriter(Channels.newChannel(out), entries.size());
      for (RecordedEntry entry : entries) {
        writer.write(entry.request(), entry.response());
      }
      writer.finish();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  static ReferenceSnapshotReader open(byte[] file) {
    try {
      return new ReferenceSnapshotReader(
          "file", Channels.newChannel(new ByteArrayInputStream(file)), 1 << 20);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static List<RecordedEntry> readAll(byte[] file) {
    var entries = new ArrayList<RecordedEntry>();
    readAll(open(file), entries);
    return entries;
  }

  /** Adds to {@code entries} what is read, whether or not that ends well. */
  static void readAll(ReferenceSnapshotReader reader, List<RecordedEntry> entries) {
    try {
      var sink = new CollectingSnapshotSink(entries);
      while (reader.readNext(sink)) {
        sink.endEntry();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static final class CollectingSnapshotSink implements SnapshotSink {
    private final List<RecordedEntry> entries;
    private Request request = new Request.AllBlocks();
    private CollectingBlockSink blocks = new CollectingBlockSink();
    private boolean hasBlocks;

    CollectingSnapshotSink(List<RecordedEntry> entries) {
      this.entries = entries;
    }

    @Override
    public void entry(Request entryRequest, Response response) {
      entries.add(new RecordedEntry(entryRequest, response));
    }

    @Override
    public BlockSink blocks(Request blocksRequest) {
      request = blocksRequest;
      blocks = new CollectingBlockSink();
      hasBlocks = true;
      return blocks;
    }

    void endEntry() {
      if (hasBlocks) {
        entries.add(new RecordedEntry(request, new Response.Blocks(blocks.blocks())));
        hasBlocks = false;
      }
    }
  }
}
