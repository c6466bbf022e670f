package org.ghcdebug.protocol.wire;

import io.netty.buffer.ByteBuf;
import org.ghcdebug.protocol.target.AddressList;

/** Writes requests as frames. */
public final class RequestEncoder {
  private static final int LENGTH_BYTES = 4;

  private RequestEncoder() {}

  /**
   * Appends the request's frame.
   *
   * @param out grows by at most 512 KiB; the caller's
   */
  public static void encode(Request request, ByteBuf out) {
    int start = out.writerIndex();
    out.writeInt(0);
    out.writeInt(request.command().number());
    encodePayload(request, out);
    out.setInt(start, out.writerIndex() - start - LENGTH_BYTES);
  }

  private static void encodePayload(Request request, ByteBuf out) {
    switch (request) {
      case Request.Version(),
          Request.Resume(),
          Request.Roots(),
          Request.Poll(),
          Request.SavedObjects(),
          Request.AllBlocks(),
          Request.CcsMain() -> {}
      case Request.Pause(int mode) -> out.writeByte(mode);
      case Request.Closures(var closures) -> encode(closures, out);
      case Request.InfoTables(var infoPointers) -> encode(infoPointers, out);
      case Request.Srt(var infoPointers) -> encode(infoPointers, out);
      case Request.StackBitmap(long baseAddr, int offsetBytes) ->
          out.writeLongLE(baseAddr).writeInt(offsetBytes);
      case Request.ConDescr(var constructor) -> out.writeLongLE(constructor.address());
      case Request.SourceInfo(var infoTable) -> out.writeLongLE(infoTable.address());
      case Request.Block(long addr) -> out.writeLongLE(addr);
      case Request.FunBitmap(long funAddr, int arguments) ->
          out.writeLongLE(funAddr).writeShort(arguments);
      case Request.Ccs(var stack) -> out.writeLongLE(stack.address());
      case Request.CostCentre(long addr) -> out.writeLongLE(addr);
      case Request.IndexTable(long addr) -> out.writeLongLE(addr);
    }
  }

  private static void encode(AddressList addresses, ByteBuf out) {
    out.writeShort(addresses.size());
    for (int i = 0; i < addresses.size(); i++) {
      out.writeLongLE(addresses.get(i));
    }
  }
}
