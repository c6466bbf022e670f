package org.ghcdebug.client.testing;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.ghcdebug.client.source.BlockSink;
import org.ghcdebug.client.source.HeapSource;
import org.ghcdebug.client.source.ResponseValues;
import org.ghcdebug.protocol.closure.CodeSymbol;
import org.ghcdebug.protocol.closure.ConstructorName;
import org.ghcdebug.protocol.closure.CostCentreStack;
import org.ghcdebug.protocol.closure.InfoTable;
import org.ghcdebug.protocol.closure.PointerBitmap;
import org.ghcdebug.protocol.closure.SourceInfo;
import org.ghcdebug.protocol.target.AddressList;
import org.ghcdebug.protocol.target.InfoPtr;
import org.ghcdebug.protocol.target.Target;
import org.ghcdebug.protocol.wire.Response;
import org.ghcdebug.stub.heap.BlockGroup;
import org.ghcdebug.stub.heap.StubHeap;
import org.jspecify.annotations.Nullable;

/** A built or recorded heap without a socket in between; fast enough for thousands of heaps. */
public class StubHeapSource implements HeapSource {
  private final StubHeap heap;

  public StubHeapSource(StubHeap heap) {
    this.heap = heap;
  }

  @Override
  public Target target() {
    return heap.target();
  }

  @Override
  public String description() {
    return "built heap";
  }

  @Override
  public AddressList roots() {
    long[] roots = heap.roots().toArray();
    for (int i = 0; i < roots.length; i++) {
      roots[i] = Target.untag(roots[i]);
    }
    return AddressList.of(roots);
  }

  @Override
  public AddressList savedObjects() {
    return heap.savedObjects();
  }

  @Override
  public List<String> savedObjectNames() {
    return Collections.nCopies(savedObjects().size(), "");
  }

  @Override
  public AddressList weakPointers() {
    return AddressList.of();
  }

  @Override
  public long blocks(BlockSink sink) {
    long bytes = 0;
    for (BlockGroup group : heap.blocks()) {
      sink.group(
          new org.ghcdebug.client.source.BlockGroup(
              group.startAddr(), group.lengthBytes(), group.flags()));
      sink.contents(MemorySegment.ofBuffer(group.contents()));
      bytes += group.lengthBytes();
    }
    return bytes;
  }

  @Override
  public List<long @Nullable []> closures(AddressList addresses) {
    List<long @Nullable []> closures = new ArrayList<>();
    for (long address : addresses.toArray()) {
      closures.add(heap.closure(address));
    }
    return closures;
  }

  @Override
  public List<@Nullable InfoTable> infoTables(AddressList infoAddrs) {
    List<@Nullable InfoTable> tables = new ArrayList<>();
    for (long infoAddr : infoAddrs.toArray()) {
      long[] words = heap.infoTable(infoAddr);
      tables.add(words == null ? null : InfoTable.parse(new InfoPtr(infoAddr), words));
    }
    return tables;
  }

  @Override
  public AddressList srts(AddressList infoAddrs) {
    long[] srts = infoAddrs.toArray();
    for (int i = 0; i < srts.length; i++) {
      srts[i] = heap.srt(srts[i]);
    }
    return AddressList.of(srts);
  }

  @Override
  public List<@Nullable PointerBitmap> stackBitmaps(List<FrameAddress> frames) {
    List<@Nullable PointerBitmap> bitmaps = new ArrayList<>();
    for (FrameAddress frame : frames) {
      bitmaps.add(heap.stackBitmap(frame.address()));
    }
    return bitmaps;
  }

  @Override
  public List<@Nullable PointerBitmap> funBitmaps(List<FunArguments> functions) {
    List<@Nullable PointerBitmap> bitmaps = new ArrayList<>();
    for (FunArguments function : functions) {
      bitmaps.add(heap.funBitmap(function.funAddr(), function.arguments()));
    }
    return bitmaps;
  }

  @Override
  public List<@Nullable ConstructorName> constructorNames(AddressList infoAddrs) {
    List<@Nullable ConstructorName> names = new ArrayList<>();
    for (long infoAddr : infoAddrs.toArray()) {
      String description = heap.constructorDescription(infoAddr);
      names.add(description == null ? null : ConstructorName.parse(description));
    }
    return names;
  }

  @Override
  public List<@Nullable SourceInfo> sourceInfos(AddressList infoAddrs) {
    List<@Nullable SourceInfo> infos = new ArrayList<>();
    for (long infoAddr : infoAddrs.toArray()) {
      Response.SourceInfo info = heap.sourceInfo(infoAddr);
      infos.add(
          info == null
              ? null
              : SourceInfo.parse(
                  info.tableName(),
                  info.closureType(),
                  info.typeDescription(),
                  info.label(),
                  info.module(),
                  info.position()));
    }
    return infos;
  }

  @Override
  public List<@Nullable CodeSymbol> symbols(AddressList infoAddrs) {
    return Collections.nCopies(infoAddrs.size(), null);
  }

  @Override
  public List<@Nullable CostCentreStack> costCentreStacks(AddressList addresses) {
    List<@Nullable CostCentreStack> stacks = new ArrayList<>();
    for (long address : addresses.toArray()) {
      Response.Ccs stack = heap.costCentreStack(address);
      Response.CostCentre top = stack == null ? null : heap.costCentre(stack.costCentreAddr());
      stacks.add(
          stack == null || top == null
              ? null
              : ResponseValues.costCentreStack(address, stack, top));
    }
    return stacks;
  }

  @Override
  public void close() {}
}
