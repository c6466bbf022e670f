package org.ghcdebug.protocol.wire;

import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.ghcdebug.protocol.error.MalformedDataException;
import org.ghcdebug.protocol.target.AddressList;
import org.ghcdebug.protocol.target.CcsPtr;
import org.ghcdebug.protocol.target.GhcVersion;
import org.ghcdebug.protocol.target.ProfilingMode;
import org.ghcdebug.protocol.target.Target;

/** Reads complete payloads. */
public final class ResponseDecoder {
  private static final int SOURCE_INFO_FIELDS = 6;

  private ResponseDecoder() {}

  /**
   * The response to {@code request}. It holds copies: the payload may be reused at once.
   * O(payload).
   *
   * @param status of the last frame
   * @param payload of all frames; consumed unless the status is an error
   * @throws MalformedDataException when the payload is not what the request is answered with. As
   *     the frames were, the next response can still be read
   */
  public static Response decode(Request request, Status status, ByteBuf payload) {
    if (status.isError()) {
      return new Response.Refused(status);
    }
    return decodePayload(request, payload, request.command() + " response");
  }

  /**
   * The response to {@code request} that a payload holds, as copies. O(payload).
   *
   * @param payload consumed
   * @param where the payload's name in error messages
   * @throws MalformedDataException when the payload is not what the request is answered with
   */
  public static Response decodePayload(Request request, ByteBuf payload, String where) {
    var reader = new PayloadReader(payload, where);
    Response response =
        switch (request) {
          case Request.Version() -> version(reader);
          case Request.Pause(int _), Request.Resume(), Request.Poll() -> new Response.Done();
          case Request.Roots(), Request.SavedObjects() ->
              new Response.Addresses(reader.addressesToEnd());
          case Request.Closures(AddressList closures) -> memoryChunks(reader, closures.size());
          case Request.InfoTables(AddressList infos) -> memoryChunks(reader, infos.size());
          case Request.StackBitmap(long _, int _), Request.FunBitmap(long _, int _) ->
              bitmap(reader);
          case Request.ConDescr(var _) -> new Response.Text(reader.text());
          case Request.SourceInfo(var _) -> sourceInfo(reader);
          case Request.AllBlocks() -> blocks(reader);
          case Request.Block(long _) -> oneBlock(reader);
          case Request.Srt(AddressList infos) ->
              new Response.Addresses(reader.addresses(infos.size()));
          case Request.Ccs(var _) -> ccs(reader);
          case Request.CostCentre(long _) -> costCentre(reader);
          case Request.IndexTable(long _) ->
              new Response.IndexTable(
                  reader.word(), reader.word(), reader.word(), reader.u8() != 0);
          case Request.CcsMain() -> new Response.CcsMain(new CcsPtr(reader.word()));
        };
    reader.expectEnd();
    return response;
  }

  private static Response version(PayloadReader reader) {
    int payloadBytes = reader.remaining();
    if (payloadBytes == 4) {
      if (reader.u32() != 0) {
        throw reader.malformedBefore(4, "a number other than 0 in a VERSION of 4 bytes");
      }
      return new Response.Version(new GhcVersion(902, 0), ProfilingMode.VANILLA, true, 4);
    }
    var ghc = new GhcVersion(reader.u31("GHC series"), reader.u31("GHC patch level"));
    if (payloadBytes == 8) {
      return new Response.Version(ghc, ProfilingMode.VANILLA, true, 8);
    }
    int mode = reader.u8();
    ProfilingMode profiling =
        ProfilingMode.findByWireValue(mode)
            .orElseThrow(
                () ->
                    reader.malformedBefore(
                        1, "profiling mode %d, expected 0 to 5".formatted(mode)));
    int tablesNextToCode = reader.u8();
    if (tablesNextToCode > 1) {
      throw reader.malformedBefore(
          1, "tables-next-to-code flag %d, expected 0 or 1".formatted(tablesNextToCode));
    }
    return new Response.Version(ghc, profiling, tablesNextToCode == 1, 10);
  }

  private static Response memoryChunks(PayloadReader reader, int count) {
    int start = reader.mark();
    int[] ends = new int[count];
    int end = 0;
    for (int i = 0; i < count; i++) {
      int sizeWords = reader.lengthWords();
      reader.skip(sizeWords * Target.WORD_BYTES);
      end += sizeWords;
      ends[i] = end;
    }
    reader.reset(start);
    long[] words = new long[end];
    int from = 0;
    for (int to : ends) {
      reader.skip(Integer.BYTES);
      reader.words(words, from, to);
      from = to;
    }
    return new Response.MemoryChunks(words, ends);
  }

  private static Response bitmap(PayloadReader reader) {
    int size = reader.length();
    var pointers = new BitSet(size);
    for (int i = 0; i < size; i++) {
      int value = reader.u8();
      if (value > 1) {
        throw reader.malformedBefore(1, "%d in a bitmap, expected 0 or 1".formatted(value));
      }
      pointers.set(i, value == 1);
    }
    return new Response.Bitmap(size, pointers);
  }

  private static Response sourceInfo(PayloadReader reader) {
    long fields = reader.u32();
    if (fields == 0) {
      return new Response.NoSourceInfo();
    }
    if (fields != SOURCE_INFO_FIELDS) {
      throw reader.malformedBefore(
          4, "%d fields of source information, expected 0 or 6".formatted(fields));
    }
    return new Response.SourceInfo(
        reader.text(), reader.text(), reader.text(), reader.text(), reader.text(), reader.text());
  }

  private static Response blocks(PayloadReader reader) {
    var blocks = new ArrayList<Response.Block>();
    while (reader.remaining() > 0) {
      blocks.add(block(reader));
    }
    return new Response.Blocks(blocks);
  }

  private static Response oneBlock(PayloadReader reader) {
    return new Response.Blocks(List.of(block(reader)));
  }

  private static Response.Block block(PayloadReader reader) {
    int flags = reader.u16LittleEndian();
    long startAddr = reader.word();
    int sizeWords = reader.lengthWords();
    long lengthBytes = (long) sizeWords * Target.WORD_BYTES;
    if (!BlockStreamDecoder.endsInAddressSpace(startAddr, lengthBytes)) {
      throw reader.malformedBefore(12, BlockStreamDecoder.endsBeyond(startAddr, lengthBytes));
    }
    long[] words = new long[sizeWords];
    reader.words(words, 0, sizeWords);
    return new Response.Block(flags, startAddr, words);
  }

  private static Response ccs(PayloadReader reader) {
    return new Response.Ccs(
        reader.word(),
        reader.word(),
        reader.word(),
        reader.word(),
        reader.word(),
        reader.word(),
        reader.word(),
        reader.word(),
        reader.word(),
        reader.word(),
        reader.word(),
        reader.word());
  }

  private static Response costCentre(PayloadReader reader) {
    return new Response.CostCentre(
        reader.word(),
        reader.text(),
        reader.text(),
        reader.text(),
        reader.word(),
        reader.word(),
        reader.word() != 0,
        reader.word());
  }
}
