package org.ghcdebug.client.source.snapshot;

import java.io.EOFException;
import java.io.IOException;
import java.nio.channels.ReadableByteChannel;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.zip.ZipException;
import org.ghcdebug.client.source.HeapSource.FunArguments;
import org.ghcdebug.client.source.ResponseValues;
import org.ghcdebug.protocol.closure.ConstructorName;
import org.ghcdebug.protocol.closure.InfoTable;
import org.ghcdebug.protocol.closure.PointerBitmap;
import org.ghcdebug.protocol.closure.SourceInfo;
import org.ghcdebug.protocol.error.MalformedDataException;
import org.ghcdebug.protocol.snapshot.ReferenceSnapshotReader;
import org.ghcdebug.protocol.snapshot.SnapshotSink;
import org.ghcdebug.protocol.target.AddressList;
import org.ghcdebug.protocol.target.Target;
import org.ghcdebug.protocol.wire.BlockSink;
import org.ghcdebug.protocol.wire.Request;
import org.ghcdebug.protocol.wire.Response;
import org.jspecify.annotations.Nullable;

/** What a snapshot holds, by what was asked. Addresses are without tags. */
final class Recording implements SnapshotSink {
  final BlockStore blocks = new BlockStore();
  final Map<Long, long[]> closures = new HashMap<>();
  final Map<Long, InfoTable> infoTables = new HashMap<>();
  final Map<Long, Long> srts = new HashMap<>();
  final Map<Long, PointerBitmap> stackBitmaps = new HashMap<>(); // by the frame's own address
  final Map<FunArguments, PointerBitmap> funBitmaps = new HashMap<>();
  final Map<Long, ConstructorName> constructorNames = new HashMap<>();
  final Map<Long, Optional<SourceInfo>> sourceInfos = new HashMap<>();
  final Map<Long, Response.Ccs> costCentreStacks = new HashMap<>();
  final Map<Long, Response.CostCentre> costCentres = new HashMap<>();
  Response.@Nullable Version version;
  AddressList roots = AddressList.of();
  AddressList savedObjects = AddressList.of();

  /**
   * Reads to the end or to the first damage.
   *
   * @return the damage
   * @throws MalformedDataException when not even the header is in order
   */
  @Nullable MalformedDataException readAll(String description, ReadableByteChannel channel)
      throws IOException {
    ReferenceSnapshotReader reader = new ReferenceSnapshotReader(description, channel);
    try {
      boolean more = true;
      while (more) {
        more = reader.readNext(this);
      }
      return null;
    } catch (MalformedDataException damage) {
      return damage;
    } catch (EOFException | ZipException damage) {
      return new MalformedDataException(
          description,
          0,
          "compressed data is damaged after %d of %d entries: %s"
              .formatted(reader.entriesRead(), reader.entryCount(), damage.getMessage()));
    } finally {
      blocks.seal();
    }
  }

  @Override
  public BlockSink blocks(Request request) {
    return blocks;
  }

  @Override
  public void entry(Request request, Response response) {
    switch (request) {
      case Request.Version() -> version = (Response.Version) response;
      case Request.Roots() -> roots = ((Response.Addresses) response).addresses();
      case Request.SavedObjects() -> savedObjects = ((Response.Addresses) response).addresses();
      case Request.Closures(AddressList addresses) ->
          closures.put(Target.untag(addresses.get(0)), ((Response.MemoryChunks) response).words(0));
      case Request.InfoTables(AddressList infoAddrs) ->
          infoTables.put(
              infoAddrs.get(0),
              ResponseValues.infoTable(infoAddrs.get(0), (Response.MemoryChunks) response, 0));
      case Request.Srt(AddressList infoAddrs) ->
          srts.put(infoAddrs.get(0), ((Response.Addresses) response).addresses().get(0));
      case Request.StackBitmap(long baseAddr, int offsetBytes) ->
          stackBitmaps.put(
              baseAddr + Integer.toUnsignedLong(offsetBytes),
              ResponseValues.bitmap((Response.Bitmap) response));
      case Request.FunBitmap(long funAddr, int arguments) ->
          funBitmaps.put(
              new FunArguments(Target.untag(funAddr), arguments),
              ResponseValues.bitmap((Response.Bitmap) response));
      case Request.ConDescr(var constructor) ->
          constructorNames.put(
              constructor.address(), ConstructorName.parse(((Response.Text) response).text()));
      case Request.SourceInfo(var info) ->
          sourceInfos.put(
              info.address(), Optional.ofNullable(ResponseValues.findSourceInfo(response)));
      case Request.Ccs(var stack) -> costCentreStacks.put(stack.address(), (Response.Ccs) response);
      case Request.CostCentre(long addr) -> costCentres.put(addr, (Response.CostCentre) response);
      case Request.IndexTable(long _),
          Request.CcsMain(),
          Request.AllBlocks(),
          Request.Block(long _),
          Request.Pause(int _),
          Request.Resume(),
          Request.Poll() -> {
        // Blocks go to their sink; the others are not needed or never recorded.
      }
    }
  }
}
