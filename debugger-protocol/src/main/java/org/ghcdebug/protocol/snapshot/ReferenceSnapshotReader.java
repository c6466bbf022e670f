package org.ghcdebug.protocol.snapshot;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import org.ghcdebug.protocol.error.MalformedDataException;
import org.ghcdebug.protocol.wire.BlockStreamDecoder;
import org.ghcdebug.protocol.wire.Command;
import org.ghcdebug.protocol.wire.Request;
import org.ghcdebug.protocol.wire.RequestDecoder;
import org.ghcdebug.protocol.wire.Response;
import org.ghcdebug.protocol.wire.ResponseDecoder;

/**
 * Reads a snapshot of the reference client, entry by entry. Blocks are streamed: memory is bounded
 * by the largest other entry. For one thread at a time.
 *
 * <p>A file that was cut off gives the entries before the cut, then a {@link
 * MalformedDataException} with the place; {@link #entriesRead} below {@link #entryCount} tells that
 * something is missing.
 */
public final class ReferenceSnapshotReader {
  /** Room for any static closure and for tens of millions of roots. */
  public static final int DEFAULT_MAX_VALUE_BYTES = 512 << 20;

  /** How many of a file's first bytes {@link #looksLikeReferenceSnapshot} looks at. */
  public static final int DETECTION_BYTES = ReferenceSnapshot.HEADER_BYTES + 8;

  private static final int BLOCK_HEADER_BYTES = 14;
  private static final int BLOCK_LENGTH_OFFSET = 10;

  private final String where;
  private final int maxValueBytes;
  private final ChannelReader in;
  private final long entryCount;
  private long entriesRead;
  private final ByteBuf bytes = Unpooled.buffer(); // on the Java heap: nothing to release

  /**
   * Reads the file's header.
   *
   * @param where the file's name in error messages
   * @param channel at the beginning of the file; the caller closes it
   * @throws MalformedDataException when it is no such file
   */
  public ReferenceSnapshotReader(String where, ReadableByteChannel channel) throws IOException {
    this(where, channel, DEFAULT_MAX_VALUE_BYTES);
  }

  /**
   * Reads the file's header.
   *
   * @param where the file's name in error messages
   * @param channel at the beginning of the file; the caller closes it
   * @param maxValueBytes the largest entry to accept, blocks excepted
   * @throws MalformedDataException when it is no such file
   */
  public ReferenceSnapshotReader(String where, ReadableByteChannel channel, int maxValueBytes)
      throws IOException {
    this.where = where;
    this.maxValueBytes = maxValueBytes;
    this.in = new ChannelReader(where, channel);
    long version = in.u32();
    if (version != ReferenceSnapshot.FORMAT_VERSION) {
      throw in.malformedBefore(4, "format version %d, expected 0".formatted(version));
    }
    this.entryCount = in.u64();
    if (entryCount < 0) {
      throw in.malformedBefore(
          8, "%s entries, expected fewer than 2^63".formatted(Long.toUnsignedString(entryCount)));
    }
  }

  /**
   * Whether a file that begins with these bytes can be a snapshot of the reference client with at
   * least one entry.
   *
   * @param firstBytes {@link #DETECTION_BYTES} or more, from its position on; left as it is
   */
  public static boolean looksLikeReferenceSnapshot(ByteBuffer firstBytes) {
    if (firstBytes.remaining() < DETECTION_BYTES) {
      return false;
    }
    ByteBuf bytes = Unpooled.wrappedBuffer(firstBytes);
    int version = bytes.readInt();
    long entries = bytes.readLong();
    int requestBytes = bytes.readInt();
    return version == ReferenceSnapshot.FORMAT_VERSION
        && entries > 0
        && requestBytes > 0
        && Command.findByNumber(bytes.readInt())
            .filter(command -> requestBytes == ReferenceSnapshot.requestBytes(command))
            .isPresent();
  }

  /** The number of entries that the file says it holds. */
  public long entryCount() {
    return entryCount;
  }

  /** The number of entries handed on whole. */
  public long entriesRead() {
    return entriesRead;
  }

  /**
   * Reads the next entry.
   *
   * @param sink gets it; the last block may have begun without an end when this fails
   * @return false when all entries have been read before
   * @throws MalformedDataException when the entry does not parse or the file ends in it, or goes on
   *     after the last one. Nothing more can be read
   */
  public boolean readNext(SnapshotSink sink) throws IOException {
    if (entriesRead == entryCount) {
      if (!in.isAtEnd()) {
        throw in.malformedHere("more bytes after the last entry, expected the end of the file");
      }
      return false;
    }
    Request request = readRequest();
    switch (request) {
      case Request.AllBlocks() -> readBlocks(request, in.u64(), sink);
      case Request.Block(long _) -> readBlocks(request, 1, sink);
      default -> sink.entry(request, readValue(request));
    }
    entriesRead++;
    return true;
  }

  private Request readRequest() throws IOException {
    long start = in.offsetBytes();
    long length = in.u32();
    bytes.clear();
    in.copy(4, bytes::writeBytes);
    int number = bytes.getInt(0);
    int expected = Command.findByNumber(number).map(ReferenceSnapshot::requestBytes).orElse(0);
    if (expected == 0) {
      throw in.malformedBefore(
          4,
          "command %s, expected one of those that are recorded"
              .formatted(Integer.toUnsignedString(number)));
    }
    if (length != expected) {
      throw in.malformedBefore(
          8, "request %d of %d bytes, expected %d".formatted(number, length, expected));
    }
    in.copy(expected - 4, bytes::writeBytes);
    Request request = RequestDecoder.decodeFrame(bytes, where + ", request at byte " + start);
    if (bytes.isReadable()) {
      throw in.malformedBefore(8, "a request without an address, expected one");
    }
    return request;
  }

  private void readBlocks(Request request, long count, SnapshotSink sink) throws IOException {
    var decoder =
        new BlockStreamDecoder(
            where + ", blocks at byte " + in.offsetBytes(), sink.blocks(request));
    for (long left = count; left != 0; left--) {
      bytes.clear();
      in.copy(BLOCK_HEADER_BYTES, bytes::writeBytes);
      long lengthBytes = bytes.getUnsignedInt(BLOCK_LENGTH_OFFSET);
      decoder.body(bytes);
      in.copy(lengthBytes, decoder);
    }
    decoder.finish();
  }

  /** Undoes what the reference client did to an answer: brings it to its form on the wire first. */
  private Response readValue(Request request) throws IOException {
    if (request instanceof Request.ConDescr) {
      return new Response.Text(readConstructorName());
    }
    long start = in.offsetBytes();
    bytes.clear();
    readPayload(request);
    Response response =
        ResponseDecoder.decodePayload(
            request, bytes, where + ", %s at byte %d".formatted(request.command(), start));
    return switch (response) {
      case Response.CostCentre c ->
          new Response.CostCentre(
              c.id(),
              c.label(),
              c.module(),
              c.location(),
              c.allocatedWords(),
              c.timeTicks(),
              !c.isCaf(),
              c.nextAddr());
      case Response.IndexTable i ->
          new Response.IndexTable(i.costCentreAddr(), i.ccsAddr(), i.nextAddr(), !i.isBackEdge());
      default -> response;
    };
  }

  private void readPayload(Request request) throws IOException {
    switch (request.command()) {
      case VERSION -> copy(10);
      case ROOTS, SAVED_OBJECTS -> copy(8 * in.count("number of pointers", maxValueBytes / 8));
      case CLOSURES, INFO_TABLES, STACK_BITMAP, FUN_BITMAP -> copyWithLength();
      case SOURCE_INFO -> {
        long fields = in.u32();
        bytes.writeInt((int) fields);
        for (long i = 0; i < Math.min(fields, 6); i++) {
          copyWithLength();
        }
      }
      case SRT -> {
        int isPresent = in.u8();
        switch (isPresent) {
          case 0 -> bytes.writeLong(0);
          case 1 -> copy(8);
          default -> throw in.malformedBefore(1, "%d, expected 0 or 1".formatted(isPresent));
        }
      }
      case CCS -> copy(96);
      case CC -> {
        copy(8);
        copyWithLength();
        copyWithLength();
        copyWithLength();
        copy(32);
      }
      case INDEX_TABLE -> copy(25);
      case CCS_MAIN -> copy(8);
      case CON_DESCR, ALL_BLOCKS, BLOCK, PAUSE, RESUME, POLL ->
          throw new AssertionError(request.command());
    }
  }

  private void copy(int count) throws IOException {
    in.copy(count, bytes::writeBytes);
  }

  private void copyWithLength() throws IOException {
    int room = maxValueBytes - bytes.writerIndex();
    int length = in.requireAtMost(in.u32(), 4, "length", Math.max(0, room - 4));
    bytes.writeInt(length);
    copy(length);
  }

  private String readConstructorName() throws IOException {
    String unit = in.doublyEncodedString(maxValueBytes);
    String module = in.doublyEncodedString(maxValueBytes);
    String name = in.doublyEncodedString(maxValueBytes);
    return unit.isEmpty() && module.isEmpty() ? name : unit + ":" + module + "." + name;
  }
}
