package org.ghcdebug.protocol.decode;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.ghcdebug.protocol.closure.ConstructorName;
import org.ghcdebug.protocol.closure.InfoTable;
import org.ghcdebug.protocol.closure.PointerBitmap;
import org.ghcdebug.protocol.closure.SourceInfo;
import org.ghcdebug.protocol.layout.ClosureLayout;
import org.ghcdebug.protocol.target.AddressList;
import org.ghcdebug.protocol.target.InfoPtr;
import org.ghcdebug.protocol.wire.Recording;
import org.ghcdebug.protocol.wire.Request;
import org.ghcdebug.protocol.wire.Response;
import org.jspecify.annotations.Nullable;

/** A heap as far as a recorded connection tells of it. */
final class RecordedHeap implements CodeTables {
  /** Answers of CLOSURES by address, as long as the debuggee's RTS says. */
  final Map<Long, long[]> closures = new LinkedHashMap<>();

  final Map<Long, InfoTable> infoTables = new HashMap<>();
  final Map<Long, ConstructorName> names = new HashMap<>();

  /** Info pointers without information are absent. */
  final Map<Long, SourceInfo> sourceInfos = new HashMap<>();

  /** By info pointer, 0 for none. */
  final Map<Long, Long> srts = new HashMap<>();

  /** By address of the frame. */
  final Map<Long, PointerBitmap> stackBitmaps = new HashMap<>();

  private final TreeMap<Long, Response.Block> blocks = new TreeMap<>(Long::compareUnsigned);
  private final Map<Request.FunBitmap, PointerBitmap> funBitmaps = new HashMap<>();
  private @Nullable ClosureLayout layout;

  RecordedHeap(Recording recording) {
    for (Recording.Exchange exchange : recording.exchanges()) {
      record(exchange.request(), exchange.response());
    }
  }

  private void record(Request request, Response response) {
    switch (request) {
      case Request.Version _ -> layout = Layouts.of(((Response.Version) response).target());
      case Request.Closures(AddressList addresses) -> {
        var chunks = (Response.MemoryChunks) response;
        for (int i = 0; i < addresses.size(); i++) {
          closures.put(addresses.get(i) & ~7L, chunks.words(i));
        }
      }
      case Request.InfoTables(AddressList addresses) -> {
        var chunks = (Response.MemoryChunks) response;
        for (int i = 0; i < addresses.size(); i++) {
          var address = new InfoPtr(addresses.get(i));
          infoTables.put(address.address(), InfoTable.parse(address, chunks.words(i)));
        }
      }
      case Request.Srt(AddressList addresses) -> {
        AddressList answers = ((Response.Addresses) response).addresses();
        for (int i = 0; i < addresses.size(); i++) {
          srts.put(addresses.get(i), answers.get(i));
        }
      }
      case Request.StackBitmap(long baseAddr, int offsetBytes) ->
          stackBitmaps.put(baseAddr + offsetBytes, bitmap(response));
      case Request.FunBitmap bits -> funBitmaps.put(bits, bitmap(response));
      case Request.AllBlocks _, Request.Block _ ->
          ((Response.Blocks) response)
              .blocks()
              .forEach(block -> blocks.put(block.startAddr(), block));
      case Request.ConDescr(InfoPtr constructor) ->
          names.put(
              constructor.address(), ConstructorName.parse(((Response.Text) response).text()));
      case Request.SourceInfo(InfoPtr info) -> {
        if (response instanceof Response.SourceInfo source) {
          sourceInfos.put(
              info.address(),
              SourceInfo.parse(
                  source.tableName(),
                  source.closureType(),
                  source.typeDescription(),
                  source.label(),
                  source.module(),
                  source.position()));
        }
      }
      default -> {}
    }
  }

  private static PointerBitmap bitmap(Response response) {
    var bitmap = (Response.Bitmap) response;
    byte[] bytes = new byte[bitmap.size()];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (bitmap.isPointer(i) ? 1 : 0);
    }
    return PointerBitmap.ofBytes(bytes);
  }

  ClosureLayout layout() {
    if (layout == null) {
      throw new AssertionError("the recording has no VERSION");
    }
    return layout;
  }

  /** The memory from an address on: to the end of its block, or the closure's own. */
  ClosureWords words(long address) {
    Map.Entry<Long, Response.Block> entry = blocks.floorEntry(address);
    if (entry != null && address - entry.getKey() < 8L * entry.getValue().sizeWords()) {
      Response.Block block = entry.getValue();
      int start = (int) ((address - entry.getKey()) / 8);
      return new ClosureWords() {
        @Override
        public long word(int index) {
          return block.word(start + index);
        }

        @Override
        public int length() {
          return block.sizeWords() - start;
        }
      };
    }
    long[] closure = closures.get(address);
    if (closure == null) {
      throw new AssertionError("nothing was recorded at 0x" + Long.toHexString(address));
    }
    return ClosureWords.of(closure);
  }

  InfoTable requireInfoTable(long infoAddr) {
    InfoTable table = infoTables.get(infoAddr);
    if (table == null) {
      throw new AssertionError("no info table was recorded for 0x" + Long.toHexString(infoAddr));
    }
    return table;
  }

  @Override
  public @Nullable InfoTable infoTable(long infoAddr) {
    return infoTables.get(infoAddr);
  }

  @Override
  public @Nullable PointerBitmap funBitmap(long funAddr, int arguments) {
    return funBitmaps.get(new Request.FunBitmap(funAddr, arguments));
  }

  @Override
  public @Nullable PointerBitmap stackBitmap(long frameAddr, long infoAddr) {
    return stackBitmaps.get(frameAddr);
  }

  @Override
  public @Nullable PointerBitmap bcoBitmap(long bcoAddr) {
    return null;
  }
}
