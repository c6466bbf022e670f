package org.ghcdebug.protocol.snapshot;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import org.ghcdebug.protocol.target.AddressList;
import org.ghcdebug.protocol.target.Target;
import org.ghcdebug.protocol.wire.BlockSink;
import org.ghcdebug.protocol.wire.Request;
import org.ghcdebug.protocol.wire.RequestEncoder;
import org.ghcdebug.protocol.wire.Response;
import org.ghcdebug.protocol.wire.ResponseEncoder;

/** Writes a snapshot that the reference client can read. For one thread at a time. */
public final class ReferenceSnapshotWriter {
  private static final int BUFFER_BYTES = 64 << 10;

  private final WritableByteChannel channel;
  private final long entryCount;
  private long entriesWritten;
  private final ByteBuf buffer = Unpooled.buffer(); // on the Java heap: nothing to release

  /**
   * @param channel takes the file; the caller closes it
   * @param entryCount the number of entries that will be written
   */
  public ReferenceSnapshotWriter(WritableByteChannel channel, long entryCount) {
    this.channel = channel;
    this.entryCount = entryCount;
    buffer.writeInt(ReferenceSnapshot.FORMAT_VERSION).writeLong(entryCount);
  }

  /**
   * Writes the next entry.
   *
   * @param request one that is recorded, with one address where it has a list
   * @param response an answer to it, no refusal
   * @throws IllegalArgumentException when the request or the response is not recorded
   */
  public void write(Request request, Response response) throws IOException {
    int start = buffer.writerIndex();
    RequestEncoder.encode(request, buffer);
    if (buffer.getInt(start) != ReferenceSnapshot.requestBytes(request.command())) {
      buffer.writerIndex(start);
      throw new IllegalArgumentException("a snapshot records no " + request);
    }
    switch (response) {
      case Response.Addresses(var addresses) when request instanceof Request.Srt ->
          writeSrt(addresses.get(0));
      case Response.Addresses(var addresses) -> writeUntagged(addresses);
      case Response.Text(String text) -> writeConstructorName(text);
      case Response.Blocks blocks when request instanceof Request.AllBlocks -> {
        buffer.writeLong(blocks.blocks().size());
        writePayload(blocks);
      }
      case Response.Version version -> writePayload(Response.Version.of(version.target()));
      case Response.SourceInfo s ->
          writePayload(
              new Response.SourceInfo(
                  s.tableName(),
                  s.closureType().equals("0") ? "1" : s.closureType(),
                  s.typeDescription(),
                  s.label(),
                  s.module(),
                  s.position()));
      case Response.CostCentre c ->
          writePayload(
              new Response.CostCentre(
                  c.id(),
                  c.label(),
                  c.module(),
                  c.location(),
                  c.allocatedWords(),
                  c.timeTicks(),
                  !c.isCaf(),
                  c.nextAddr()));
      case Response.IndexTable i ->
          writePayload(
              new Response.IndexTable(
                  i.costCentreAddr(), i.ccsAddr(), i.nextAddr(), !i.isBackEdge()));
      default -> writePayload(response);
    }
    flushWhenFull();
    entriesWritten++;
  }

  /**
   * Begins the entry of ALL_BLOCKS, whose blocks need not be in memory all at once.
   *
   * @param count the number of blocks that the sink will be given, all before the next entry. It
   *     throws {@link UncheckedIOException} when the channel fails, and {@link
   *     IllegalArgumentException} for a block of 4 GiB or more
   */
  public BlockSink writeBlocks(long count) {
    RequestEncoder.encode(new Request.AllBlocks(), buffer);
    buffer.writeLong(count);
    entriesWritten++;
    return new BlockSink() {
      @Override
      public void begin(int flags, long startAddr, long lengthBytes) {
        if (lengthBytes >>> Integer.SIZE != 0) {
          throw new IllegalArgumentException(
              "block of %d bytes, expected fewer than 2^32".formatted(lengthBytes));
        }
        buffer.writeShortLE(flags).writeLongLE(startAddr).writeInt((int) lengthBytes);
      }

      @Override
      public void bytes(ByteBuf bytes) {
        append(bytes);
      }

      @Override
      public void end() {}
    };
  }

  /**
   * Writes what is still buffered. To be called after the last entry.
   *
   * @throws IllegalStateException when not as many entries were written as announced
   */
  public void finish() throws IOException {
    if (entriesWritten != entryCount) {
      throw new IllegalStateException(
          "%d entries written, %d announced".formatted(entriesWritten, entryCount));
    }
    flush();
  }

  private void writeUntagged(AddressList addresses) {
    buffer.writeLong(addresses.size());
    for (int i = 0; i < addresses.size(); i++) {
      buffer.writeLongLE(Target.untag(addresses.get(i)));
    }
  }

  private void writeSrt(long srtAddr) {
    if (srtAddr == 0) {
      buffer.writeByte(0);
    } else {
      buffer.writeByte(1).writeLongLE(srtAddr);
    }
  }

  private void writePayload(Response response) throws IOException {
    try {
      ResponseEncoder.encodePayload(response, this::append);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private void append(ByteBuf bytes) {
    buffer.writeBytes(bytes);
    try {
      flushWhenFull();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** {@code unit:Module.Name.Con} in its parts; the whole as the last one when it has not all. */
  private void writeConstructorName(String text) {
    int moduleStart = text.indexOf(':') + 1;
    int nameStart = moduleStart;
    while (nameStart < text.length() && Character.isUpperCase(text.codePointAt(nameStart))) {
      int dot = text.indexOf('.', nameStart);
      if (dot < 0) {
        break;
      }
      nameStart = dot + 1;
    }
    boolean hasAll = moduleStart > 1 && nameStart > moduleStart && nameStart < text.length();
    writeString(hasAll ? text.substring(0, moduleStart - 1) : "");
    writeString(hasAll ? text.substring(moduleStart, nameStart - 1) : "");
    writeString(hasAll ? text.substring(nameStart) : text);
  }

  /** Each byte of the UTF-8 as a character of its own, in UTF-8 again. */
  private void writeString(String text) {
    byte[] characters = text.getBytes(StandardCharsets.UTF_8);
    buffer.writeLong(characters.length);
    buffer.writeBytes(
        new String(characters, StandardCharsets.ISO_8859_1).getBytes(StandardCharsets.UTF_8));
  }

  private void flushWhenFull() throws IOException {
    if (buffer.readableBytes() >= BUFFER_BYTES) {
      flush();
    }
  }

  private void flush() throws IOException {
    ByteBuffer bytes = buffer.nioBuffer();
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
    buffer.clear();
  }
}
