package org.ghcdebug.client.source;

import java.util.List;
import org.ghcdebug.protocol.closure.CodeSymbol;
import org.ghcdebug.protocol.closure.ConstructorName;
import org.ghcdebug.protocol.closure.CostCentreStack;
import org.ghcdebug.protocol.closure.InfoTable;
import org.ghcdebug.protocol.closure.PointerBitmap;
import org.ghcdebug.protocol.closure.SourceInfo;
import org.ghcdebug.protocol.target.AddressList;
import org.ghcdebug.protocol.target.Target;
import org.jspecify.annotations.Nullable;

/** Passes everything on to another source; for those that do something more about some of it. */
public abstract class ForwardingSource implements HeapSource {
  /** Where to. */
  protected final HeapSource source;

  protected ForwardingSource(HeapSource source) {
    this.source = source;
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
  public List<String> savedObjectNames() {
    return source.savedObjectNames();
  }

  @Override
  public AddressList weakPointers() {
    return source.weakPointers();
  }

  @Override
  public long blocks(BlockSink sink) {
    return source.blocks(sink);
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
  public List<@Nullable CodeSymbol> symbols(AddressList infoAddrs) {
    return source.symbols(infoAddrs);
  }

  @Override
  public List<@Nullable CostCentreStack> costCentreStacks(AddressList addresses) {
    return source.costCentreStacks(addresses);
  }

  @Override
  public void close() {
    source.close();
  }
}
