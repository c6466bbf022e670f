package org.ghcdebug.protocol.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import org.ghcdebug.protocol.target.Target;

/** Writes responses. */
public final class ResponseEncoder {
  private ResponseEncoder() {}

  /** Writes a whole response, its last frame included. */
  public static void encode(Response response, FrameWriter out) {
    if (response instanceof Response.Refused(Status status)) {
      out.end(status);
    } else {
      encodePayload(response, out);
      out.end(Status.OKAY);
    }
  }

  /**
   * Writes a response's payload, a large one in many pieces. {@code buffer::writeBytes} is a sink.
   *
   * @throws IllegalArgumentException for a {@link Response.Refused}, which has none
   */
  public static void encodePayload(Response response, BodySink sink) {
    var out = new Pieces(sink);
    switch (response) {
      case Response.Refused(Status status) ->
          throw new IllegalArgumentException(status + " has no payload");
      case Response.Version version -> encode(version, out);
      case Response.Done() -> {}
      case Response.Addresses(var addresses) -> {
        for (int i = 0; i < addresses.size(); i++) {
          out.word(addresses.get(i));
        }
      }
      case Response.MemoryChunks chunks -> {
        for (int i = 0; i < chunks.size(); i++) {
          out.u32(Math.multiplyExact(chunks.sizeWords(i), Target.WORD_BYTES));
          for (int k = 0; k < chunks.sizeWords(i); k++) {
            out.word(chunks.word(i, k));
          }
        }
      }
      case Response.Bitmap bitmap -> {
        out.u32(bitmap.size());
        for (int i = 0; i < bitmap.size(); i++) {
          out.u8(bitmap.isPointer(i) ? 1 : 0);
        }
      }
      case Response.Text(String text) -> out.text(text);
      case Response.SourceInfo info -> {
        out.u32(6);
        out.text(info.tableName());
        out.text(info.closureType());
        out.text(info.typeDescription());
        out.text(info.label());
        out.text(info.module());
        out.text(info.position());
      }
      case Response.NoSourceInfo() -> out.u32(0);
      case Response.Blocks(var blocks) -> {
        for (Response.Block block : blocks) {
          encode(block, out);
        }
      }
      case Response.Ccs ccs -> encode(ccs, out);
      case Response.CostCentre costCentre -> encode(costCentre, out);
      case Response.IndexTable(long costCentre, long ccs, long next, boolean isBackEdge) -> {
        out.word(costCentre);
        out.word(ccs);
        out.word(next);
        out.u8(isBackEdge ? 1 : 0);
      }
      case Response.CcsMain(var root) -> out.word(root.address());
    }
    out.flush();
  }

  private static void encode(Response.Version version, Pieces out) {
    if (version.payloadBytes() == 4) {
      out.u32(0);
      return;
    }
    out.u32(version.ghc().series());
    out.u32(version.ghc().patch());
    if (version.payloadBytes() == 10) {
      out.u8(version.profiling().wireValue());
      out.u8(version.tablesNextToCode() ? 1 : 0);
    }
  }

  private static void encode(Response.Block block, Pieces out) {
    out.u16LittleEndian(block.flags());
    out.word(block.startAddr());
    out.u32(Math.multiplyExact(block.sizeWords(), Target.WORD_BYTES));
    for (int i = 0; i < block.sizeWords(); i++) {
      out.word(block.word(i));
    }
  }

  private static void encode(Response.Ccs ccs, Pieces out) {
    out.word(ccs.id());
    out.word(ccs.costCentreAddr());
    out.word(ccs.previousAddr());
    out.word(ccs.indexTableAddr());
    out.word(ccs.rootAddr());
    out.word(ccs.depth());
    out.word(ccs.sccCount());
    out.word(ccs.selected());
    out.word(ccs.timeTicks());
    out.word(ccs.allocatedWords());
    out.word(ccs.inheritedAllocatedWords());
    out.word(ccs.inheritedTicks());
  }

  private static void encode(Response.CostCentre costCentre, Pieces out) {
    out.word(costCentre.id());
    out.text(costCentre.label());
    out.text(costCentre.module());
    out.text(costCentre.location());
    out.word(costCentre.allocatedWords());
    out.word(costCentre.timeTicks());
    out.word(costCentre.isCaf() ? 1 : 0);
    out.word(costCentre.nextAddr());
  }

  /** Fields on their way to a sink, a few thousand bytes at a time. */
  private static final class Pieces {
    private static final int PIECE_BYTES = 16 << 10;

    private final BodySink sink;
    private final ByteBuf piece = Unpooled.buffer();

    Pieces(BodySink sink) {
      this.sink = sink;
    }

    void u8(int value) {
      room().writeByte(value);
    }

    void u16LittleEndian(int value) {
      room().writeShortLE(value);
    }

    void u32(int value) {
      room().writeInt(value);
    }

    void word(long value) {
      room().writeLongLE(value);
    }

    void text(String text) {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      u32(bytes.length);
      room().writeBytes(bytes);
    }

    void flush() {
      if (piece.isReadable()) {
        sink.body(piece);
        piece.clear();
      }
    }

    private ByteBuf room() {
      if (piece.writerIndex() >= PIECE_BYTES) {
        flush();
      }
      return piece;
    }
  }
}
