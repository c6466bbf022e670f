package org.ghcdebug.protocol.snapshot;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.ghcdebug.protocol.closure.CodeSymbol;
import org.ghcdebug.protocol.closure.CostCentreStack;
import org.ghcdebug.protocol.wire.Response;

/**
 * Writes tables into chunks. Entries of a kind are collected until they fill a chunk, so they may
 * be given in any order; {@link #flush} writes the rest. Every method throws {@link
 * UncheckedIOException} when the channel fails. For one thread at a time.
 */
public final class TableWriter implements TableSink {
  private final ChunkWriter writer;
  private final Codec codec;
  private final Map<ChunkKind, ByteBuf> tables = new EnumMap<>(ChunkKind.class);

  public TableWriter(ChunkWriter writer, Codec codec) {
    this.writer = writer;
    this.codec = codec;
  }

  @Override
  public void metadata(String key, String value) {
    texts(ChunkKind.METADATA, key, value);
  }

  @Override
  public void summary(String key, String value) {
    texts(ChunkKind.SUMMARY, key, value);
  }

  private void texts(ChunkKind kind, String key, String value) {
    ByteBuf table = table(kind);
    text(table, key);
    text(table, value);
    flushWhenFull(kind, table);
  }

  @Override
  public void root(long addr, int kind) {
    ByteBuf table = table(ChunkKind.ROOTS);
    table.writeLongLE(addr).writeIntLE(kind);
    flushWhenFull(ChunkKind.ROOTS, table);
  }

  @Override
  public void savedObject(long addr, String name) {
    ByteBuf table = table(ChunkKind.SAVED_OBJECTS);
    table.writeLongLE(addr);
    text(table, name);
    flushWhenFull(ChunkKind.SAVED_OBJECTS, table);
  }

  @Override
  public void infoTable(long infoAddr, int type, int srtField, long layout, long srtAddr) {
    ByteBuf table = table(ChunkKind.INFO_TABLES);
    table.writeLongLE(infoAddr).writeIntLE(type).writeIntLE(srtField);
    table.writeLongLE(layout).writeLongLE(srtAddr);
    flushWhenFull(ChunkKind.INFO_TABLES, table);
  }

  @Override
  public void constructorName(long infoAddr, String unit, String module, String name) {
    ByteBuf table = table(ChunkKind.CONSTRUCTOR_NAMES);
    table.writeLongLE(infoAddr);
    text(table, unit);
    text(table, module);
    text(table, name);
    flushWhenFull(ChunkKind.CONSTRUCTOR_NAMES, table);
  }

  @Override
  public void sourceInfo(long infoAddr, Response info) {
    ByteBuf table = table(ChunkKind.SOURCE_INFOS);
    table.writeLongLE(infoAddr);
    if (info instanceof Response.SourceInfo known) {
      table.writeIntLE(1);
      text(table, known.tableName());
      text(table, known.closureType());
      text(table, known.typeDescription());
      text(table, known.label());
      text(table, known.module());
      text(table, known.position());
    } else {
      table.writeIntLE(0);
    }
    flushWhenFull(ChunkKind.SOURCE_INFOS, table);
  }

  @Override
  public void costCentreStack(CostCentreStack stack) {
    ByteBuf table = table(ChunkKind.COST_CENTRE_STACKS);
    table.writeLongLE(stack.address()).writeLongLE(stack.parentAddr());
    table.writeIntLE(stack.isCaf() ? 1 : 0);
    text(table, stack.label());
    text(table, stack.module());
    text(table, stack.location());
    flushWhenFull(ChunkKind.COST_CENTRE_STACKS, table);
  }

  @Override
  public void codeSymbol(long infoAddr, CodeSymbol symbol) {
    ByteBuf table = table(ChunkKind.CODE_SYMBOLS);
    table.writeLongLE(infoAddr).writeIntLE(symbol.isExact() ? 1 : 0);
    text(table, symbol.unit());
    text(table, symbol.module());
    text(table, symbol.name());
    flushWhenFull(ChunkKind.CODE_SYMBOLS, table);
  }

  @Override
  public void blockGroup(
      long startAddr, long lengthBytes, long usedBytes, int flags, int generation) {
    ByteBuf table = table(ChunkKind.BLOCK_GROUPS);
    table.writeLongLE(startAddr).writeLongLE(lengthBytes).writeLongLE(usedBytes);
    table.writeShortLE(flags).writeShortLE(generation).writeIntLE(0);
    flushWhenFull(ChunkKind.BLOCK_GROUPS, table);
  }

  @Override
  public void funBitmap(long infoAddr, int arguments, Response.Bitmap bitmap) {
    ByteBuf table = table(ChunkKind.FUN_BITMAPS);
    table.writeLongLE(infoAddr).writeIntLE(arguments);
    bitmap(table, bitmap);
    flushWhenFull(ChunkKind.FUN_BITMAPS, table);
  }

  @Override
  public void frameBitmap(long key, Response.Bitmap bitmap) {
    ByteBuf table = table(ChunkKind.FRAME_BITMAPS);
    table.writeLongLE(key);
    bitmap(table, bitmap);
    flushWhenFull(ChunkKind.FRAME_BITMAPS, table);
  }

  private ByteBuf table(ChunkKind kind) {
    return tables.computeIfAbsent(kind, unused -> Unpooled.buffer()); // on the Java heap
  }

  private static void text(ByteBuf table, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    table.writeIntLE(bytes.length).writeBytes(bytes);
  }

  private static void bitmap(ByteBuf table, Response.Bitmap bitmap) {
    table.writeIntLE(bitmap.size());
    byte[] bits = bitmap.pointers().toByteArray();
    table.writeBytes(bits).writeZero(Math.ceilDiv(bitmap.size(), Byte.SIZE) - bits.length);
  }

  private void flushWhenFull(ChunkKind kind, ByteBuf table) {
    if (table.readableBytes() >= ChunkWriter.CHUNK_BYTES) {
      flush(kind, table);
    }
  }

  private void flush(ChunkKind kind, ByteBuf table) {
    try {
      writer.write(PackedChunk.pack(kind, codec, List.of(), table.array(), table.readableBytes()));
      table.clear();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Writes what does not fill a chunk. */
  public void flush() {
    tables.forEach(
        (kind, table) -> {
          if (table.isReadable()) {
            flush(kind, table);
          }
        });
  }
}
