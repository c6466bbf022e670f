package org.ghcdebug.client.source;

import java.util.Arrays;
import java.util.BitSet;
import org.ghcdebug.protocol.closure.CostCentreStack;
import org.ghcdebug.protocol.closure.InfoTable;
import org.ghcdebug.protocol.closure.PointerBitmap;
import org.ghcdebug.protocol.closure.SourceInfo;
import org.ghcdebug.protocol.closure.Words;
import org.ghcdebug.protocol.error.MalformedDataException;
import org.ghcdebug.protocol.target.InfoPtr;
import org.ghcdebug.protocol.wire.Response;
import org.jspecify.annotations.Nullable;

/** What the protocol's responses say, as values of the heap. */
public final class ResponseValues {
  private ResponseValues() {}

  /**
   * The info table in a chunk of an INFO_TABLES response.
   *
   * @throws MalformedDataException when the chunk is not of an info table's size
   */
  public static InfoTable infoTable(long infoAddr, Response.MemoryChunks chunks, int chunk) {
    return InfoTable.parse(new InfoPtr(infoAddr), chunks.words(chunk));
  }

  /** The bitmap of a STACK_BITMAP or FUN_BITMAP response. */
  public static PointerBitmap bitmap(Response.Bitmap bitmap) {
    int bitWords = (bitmap.size() + Long.SIZE - 1) / Long.SIZE;
    return new PointerBitmap(
        bitmap.size(), Words.of(Arrays.copyOf(bitmap.pointers().toLongArray(), bitWords)));
  }

  /** The response that {@link #bitmap} reads. */
  public static Response.Bitmap response(PointerBitmap bitmap) {
    return new Response.Bitmap(bitmap.size(), BitSet.valueOf(bitmap.bits().values()));
  }

  /** The response that {@link #findSourceInfo} reads. */
  public static Response response(@Nullable SourceInfo info) {
    return info == null
        ? new Response.NoSourceInfo()
        : new Response.SourceInfo(
            info.tableName(),
            Integer.toString(info.closureTypeNumber()),
            info.typeDescription(),
            info.label(),
            info.module(),
            info.position().isEmpty() ? ":" : info.position());
  }

  /** What CCS says of a stack, and CC of the cost centre on top of it. */
  public static CostCentreStack costCentreStack(
      long address, Response.Ccs stack, Response.CostCentre top) {
    return new CostCentreStack(
        address, stack.previousAddr(), top.label(), top.module(), top.location(), top.isCaf());
  }

  /** The contents of a SOURCE_INFO response; {@code null} when it says that there is none. */
  public static @Nullable SourceInfo findSourceInfo(Response response) {
    return response instanceof Response.SourceInfo info
        ? SourceInfo.parse(
            info.tableName(),
            info.closureType(),
            info.typeDescription(),
            info.label(),
            info.module(),
            info.position())
        : null;
  }
}
