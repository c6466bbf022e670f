package org.ghcdebug.protocol.snapshot;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import org.ghcdebug.protocol.closure.CodeSymbol;
import org.ghcdebug.protocol.closure.CostCentreStack;
import org.ghcdebug.protocol.error.MalformedDataException;
import org.ghcdebug.protocol.wire.Response;

/** Reads the tables that {@link TableWriter} writes. */
public final class TableReader {
  private final String where;
  private final long offsetBytes;
  private final ByteBuf in;

  private TableReader(String where, long offsetBytes, byte[] payload) {
    this.where = where;
    this.offsetBytes = offsetBytes;
    this.in = Unpooled.wrappedBuffer(payload);
  }

  /**
   * Reads the chunks of a kind.
   *
   * @param damaged gets what is wrong with a chunk; its remaining entries are missing, other chunks
   *     are read all the same
   */
  public static void readAll(ChunkFile file, ChunkKind kind, TableSink sink, DamageSink damaged) {
    for (Chunk chunk : file.chunks()) {
      if (chunk.kindNumber() == kind.number()) {
        try {
          read(file, chunk, sink);
        } catch (MalformedDataException damage) {
          damaged.chunk(chunk, damage);
        }
      }
    }
  }

  /**
   * Reads one chunk; nothing of one that holds no table.
   *
   * @throws MalformedDataException when it is damaged or does not parse; the entries before have
   *     been handed on
   */
  public static void read(ChunkFile file, Chunk chunk, TableSink sink) {
    ChunkKind kind = chunk.kind().orElse(ChunkKind.DIRECTORY);
    if (kind.isMemory() || kind == ChunkKind.DIRECTORY || kind == ChunkKind.INDEX) {
      return;
    }
    TableReader reader = new TableReader(file.where(), chunk.payloadOffset(), file.read(chunk));
    try {
      while (reader.in.isReadable()) {
        reader.entry(kind, sink);
      }
    } catch (IndexOutOfBoundsException e) {
      throw reader.malformed("an entry of %s goes beyond the end of its chunk".formatted(kind));
    }
  }

  private void entry(ChunkKind kind, TableSink sink) {
    switch (kind) {
      case METADATA -> sink.metadata(text(), text());
      case SUMMARY -> sink.summary(text(), text());
      case ROOTS -> sink.root(in.readLongLE(), in.readIntLE());
      case SAVED_OBJECTS -> sink.savedObject(in.readLongLE(), text());
      case INFO_TABLES ->
          sink.infoTable(
              in.readLongLE(), in.readIntLE(), in.readIntLE(), in.readLongLE(), in.readLongLE());
      case CONSTRUCTOR_NAMES -> sink.constructorName(in.readLongLE(), text(), text(), text());
      case SOURCE_INFOS -> sink.sourceInfo(in.readLongLE(), sourceInfo());
      case FUN_BITMAPS -> sink.funBitmap(in.readLongLE(), in.readIntLE(), bitmap());
      case FRAME_BITMAPS -> sink.frameBitmap(in.readLongLE(), bitmap());
      case COST_CENTRE_STACKS -> sink.costCentreStack(costCentreStack());
      case CODE_SYMBOLS -> sink.codeSymbol(in.readLongLE(), codeSymbol());
      case BLOCK_GROUPS -> {
        long startAddr = in.readLongLE();
        long lengthBytes = in.readLongLE();
        long usedBytes = in.readLongLE();
        sink.blockGroup(
            startAddr, lengthBytes, usedBytes, in.readUnsignedShortLE(), in.readShortLE());
        in.readIntLE();
      }
      case BLOCKS, CLOSURES, MEMORY, DIRECTORY, INDEX -> throw new AssertionError(kind);
    }
  }

  private String text() {
    int length = in.readIntLE();
    if (length < 0) {
      throw malformed("a text of %d bytes".formatted(Integer.toUnsignedLong(length)));
    }
    return in.readCharSequence(length, StandardCharsets.UTF_8).toString();
  }

  private Response sourceInfo() {
    int present = in.readIntLE();
    return switch (present) {
      case 0 -> new Response.NoSourceInfo();
      case 1 -> new Response.SourceInfo(text(), text(), text(), text(), text(), text());
      default -> throw malformed("source information %d, expected 0 or 1".formatted(present));
    };
  }

  private CostCentreStack costCentreStack() {
    long address = in.readLongLE();
    long parentAddr = in.readLongLE();
    boolean isCaf = flag();
    return new CostCentreStack(address, parentAddr, text(), text(), text(), isCaf);
  }

  private CodeSymbol codeSymbol() {
    boolean isExact = flag();
    return new CodeSymbol(text(), text(), text(), isExact);
  }

  private boolean flag() {
    int flag = in.readIntLE();
    if (flag != 0 && flag != 1) {
      throw malformed("a flag of %d, expected 0 or 1".formatted(flag));
    }
    return flag == 1;
  }

  private Response.Bitmap bitmap() {
    int size = in.readIntLE();
    int length = (int) Math.ceilDiv(Integer.toUnsignedLong(size), Byte.SIZE);
    if (size < 0 || length > in.readableBytes()) {
      throw malformed("a bitmap of %d words".formatted(Integer.toUnsignedLong(size)));
    }
    byte[] bits = new byte[length];
    in.readBytes(bits);
    BitSet pointers = BitSet.valueOf(bits);
    if (pointers.length() > size) {
      throw malformed("bit %d in a bitmap of %d words".formatted(pointers.length() - 1, size));
    }
    return new Response.Bitmap(size, pointers);
  }

  private MalformedDataException malformed(String problem) {
    return new MalformedDataException(
        where, offsetBytes, "in the chunk here: " + problem + " at byte " + in.readerIndex());
  }
}
