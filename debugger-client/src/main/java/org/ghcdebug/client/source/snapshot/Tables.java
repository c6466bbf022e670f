package org.ghcdebug.client.source.snapshot;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.ghcdebug.client.collections.LongList;
import org.ghcdebug.client.source.BlockGroup;
import org.ghcdebug.client.source.ResponseValues;
import org.ghcdebug.protocol.closure.CodeSymbol;
import org.ghcdebug.protocol.closure.ConstructorName;
import org.ghcdebug.protocol.closure.CostCentreStack;
import org.ghcdebug.protocol.closure.InfoTable;
import org.ghcdebug.protocol.closure.PointerBitmap;
import org.ghcdebug.protocol.closure.SourceInfo;
import org.ghcdebug.protocol.snapshot.TableSink;
import org.ghcdebug.protocol.target.InfoPtr;
import org.ghcdebug.protocol.wire.Response;

/** A snapshot's tables, by what they are asked for. */
final class Tables implements TableSink {
  final Map<String, String> metadata = new LinkedHashMap<>();
  final Map<String, String> summary = new LinkedHashMap<>();
  final LongList roots = new LongList();
  final LongList weakPointers = new LongList();
  final LongList savedObjects = new LongList();
  final List<String> savedObjectNames = new ArrayList<>();
  final Map<Long, InfoTable> infoTables = new HashMap<>();
  final Map<Long, Long> srts = new HashMap<>();
  final Map<Long, ConstructorName> constructorNames = new HashMap<>();
  final Map<Long, Optional<SourceInfo>> sourceInfos = new HashMap<>();
  final Map<FunCode, PointerBitmap> funBitmaps = new HashMap<>();
  final Map<Long, PointerBitmap> frameBitmaps = new HashMap<>();

  final Map<Long, CostCentreStack> costCentreStacks = new HashMap<>();
  final Map<Long, CodeSymbol> codeSymbols = new HashMap<>();

  final Map<Long, BlockGroup> blockGroups = new HashMap<>();

  /** Functions of an info pointer, applied to so many arguments. */
  record FunCode(long infoAddr, int arguments) {}

  @Override
  public void metadata(String key, String value) {
    metadata.put(key, value);
  }

  @Override
  public void summary(String key, String value) {
    summary.put(key, value);
  }

  @Override
  public void root(long addr, int kind) {
    switch (kind) {
      case WEAK_POINTER -> weakPointers.add(addr);
      case STABLE_NAME_TARGET -> {} // not kept by its name
      default -> roots.add(addr);
    }
  }

  @Override
  public void savedObject(long addr, String name) {
    savedObjects.add(addr);
    savedObjectNames.add(name);
  }

  @Override
  public void infoTable(long infoAddr, int type, int srtField, long layout, long srtAddr) {
    infoTables.put(infoAddr, new InfoTable(new InfoPtr(infoAddr), type, layout, srtField));
    srts.put(infoAddr, srtAddr);
  }

  @Override
  public void constructorName(long infoAddr, String unit, String module, String name) {
    constructorNames.put(infoAddr, new ConstructorName(unit, module, name));
  }

  @Override
  public void sourceInfo(long infoAddr, Response info) {
    sourceInfos.put(infoAddr, Optional.ofNullable(ResponseValues.findSourceInfo(info)));
  }

  @Override
  public void funBitmap(long infoAddr, int arguments, Response.Bitmap bitmap) {
    funBitmaps.put(new FunCode(infoAddr, arguments), ResponseValues.bitmap(bitmap));
  }

  @Override
  public void frameBitmap(long key, Response.Bitmap bitmap) {
    frameBitmaps.put(key, ResponseValues.bitmap(bitmap));
  }

  @Override
  public void costCentreStack(CostCentreStack stack) {
    costCentreStacks.put(stack.address(), stack);
  }

  @Override
  public void codeSymbol(long infoAddr, CodeSymbol symbol) {
    codeSymbols.put(infoAddr, symbol);
  }

  @Override
  public void blockGroup(
      long startAddr, long lengthBytes, long usedBytes, int flags, int generation) {
    blockGroups.put(
        startAddr, new BlockGroup(startAddr, lengthBytes, usedBytes, flags, generation));
  }
}
