package org.ghcdebug.client.source.snapshot;

import java.util.List;
import org.ghcdebug.client.source.BlockSink;
import org.ghcdebug.client.source.HeapSource;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.protocol.closure.ConstructorName;
import org.ghcdebug.protocol.closure.InfoTable;
import org.ghcdebug.protocol.closure.PointerBitmap;
import org.ghcdebug.protocol.closure.SourceInfo;
import org.ghcdebug.protocol.target.AddressList;
import org.ghcdebug.protocol.target.Target;
import org.jspecify.annotations.Nullable;

/** A source whose roots and blocks go into a snapshot the first time that they are read. */
final class RecordingSource implements HeapSource {
  private final HeapSource source;
  private final SnapshotWriter writer;

  RecordingSource(HeapSource source, SnapshotWriter writer) {
    this.source = source;
    this.writer = writer;
  }

  @Override
  public Target target() {
    return source.target();
  }

  @Override
  public String description() {
    return source.description();
  }

  @Override
  public AddressList roots() {
    return source.roots();
  }

  @Override
  public AddressList savedObjects() {
    return source.savedObjects();
  }

  @Override
  public long blocks(BlockSink sink) {
    if (writer.hasBlocks()) {
      return source.blocks(sink);
    }
    writer.writeRoots(source.roots(), source.savedObjects());
    return writer.writeBlocks(source, sink, Work.UNATTENDED);
  }

  @Override
  public List<long @Nullable []> closures(AddressList addresses) {
    return source.closures(addresses);
  }

  @Override
  public List<@Nullable InfoTable> infoTables(AddressList infoAddrs) {
    return source.infoTables(infoAddrs);
  }

  @Override
  public AddressList srts(AddressList infoAddrs) {
    return source.srts(infoAddrs);
  }

  @Override
  public List<@Nullable PointerBitmap> stackBitmaps(List<FrameAddress> frames) {
    return source.stackBitmaps(frames);
  }

  @Override
  public List<@Nullable PointerBitmap> funBitmaps(List<FunArguments> functions) {
    return source.funBitmaps(functions);
  }

  @Override
  public List<@Nullable ConstructorName> constructorNames(AddressList infoAddrs) {
    return source.constructorNames(infoAddrs);
  }

  @Override
  public List<@Nullable SourceInfo> sourceInfos(AddressList infoAddrs) {
    return source.sourceInfos(infoAddrs);
  }

  @Override
  public void close() {
    source.close();
  }
}
