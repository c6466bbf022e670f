package org.ghcdebug.stub.server;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import org.ghcdebug.protocol.error.MalformedDataException;
import org.ghcdebug.protocol.snapshot.ReferenceSnapshotReader;
import org.ghcdebug.protocol.snapshot.SnapshotSink;
import org.ghcdebug.protocol.wire.BlockSink;
import org.ghcdebug.protocol.wire.Request;
import org.ghcdebug.protocol.wire.Response;
import org.ghcdebug.stub.heap.BlockGroup;
import org.ghcdebug.stub.heap.ReplayedHeap;

/**
 * Reads recorded heaps from snapshots in the reference client's format, compressed by gzip or not.
 * It is here and not with the heaps because blocks are handed out as netty's buffers.
 */
public final class Recordings {
  private static final int GZIP_MAGIC = 0x1f8b;

  /** What is set aside before anything has come. */
  private static final int FIRST_BYTES = 1 << 20;

  private Recordings() {}

  /**
   * Reads a file; all of it is held in memory afterwards.
   *
   * @throws IOException when the file cannot be read
   * @throws MalformedDataException when it is not a snapshot, damaged or incomplete
   * @throws org.ghcdebug.protocol.error.UnsupportedTargetException when the layout of its GHC's
   *     closures is not known
   */
  public static ReplayedHeap load(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return load(file.toString(), in);
    }
  }

  /**
   * Reads a stream, such as a resource.
   *
   * @param where its name in error messages
   * @throws IOException when the stream cannot be read
   * @throws MalformedDataException as above
   */
  public static ReplayedHeap load(String where, InputStream in) throws IOException {
    var buffered = new BufferedInputStream(in, 1 << 16);
    buffered.mark(2);
    int magic = buffered.read() << 8 | buffered.read();
    buffered.reset();
    InputStream plain = magic == GZIP_MAGIC ? new GZIPInputStream(buffered, 1 << 16) : buffered;
    var reader = new ReferenceSnapshotReader(where, Channels.newChannel(plain));
    var collector = new Collector(where);
    while (reader.readNext(collector)) {
      // The collector has it.
    }
    return collector.heap.build(where);
  }

  private static final class Collector implements SnapshotSink {
    private final String where;
    private final ReplayedHeap.Builder heap = new ReplayedHeap.Builder();

    Collector(String where) {
      this.where = where;
    }

    @Override
    public void entry(Request request, Response response) {
      heap.entry(request, response);
    }

    @Override
    public BlockSink blocks(Request request) {
      return new GroupCollector(request instanceof Request.AllBlocks);
    }

    /** Grows with what comes, not with what is announced: a length in a file can be a lie. */
    private final class GroupCollector implements BlockSink {
      private final boolean listed;
      private int flags;
      private long startAddr;
      private ByteBuf contents = Unpooled.EMPTY_BUFFER;

      GroupCollector(boolean listed) {
        this.listed = listed;
      }

      @Override
      public void begin(int flags, long startAddr, long lengthBytes) {
        if (lengthBytes > Integer.MAX_VALUE - 8) {
          throw new MalformedDataException(
              where, 0, "a block group of " + lengthBytes + " bytes; at most 2 GiB are replayed");
        }
        this.flags = flags;
        this.startAddr = startAddr;
        this.contents = Unpooled.buffer((int) Math.min(lengthBytes, FIRST_BYTES));
      }

      @Override
      public void bytes(ByteBuf bytes) {
        contents.writeBytes(bytes);
      }

      @Override
      public void end() {
        heap.block(new BlockGroup(startAddr, flags, contents.nioBuffer()), listed);
      }
    }
  }
}
