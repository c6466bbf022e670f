package org.ghcdebug.protocol.snapshot;

import org.ghcdebug.protocol.closure.CodeSymbol;
import org.ghcdebug.protocol.closure.CostCentreStack;
import org.ghcdebug.protocol.wire.Response;

/** Wants no entry. */
final class IgnoredTables implements TableSink {
  @Override
  public void metadata(String key, String value) {}

  @Override
  public void summary(String key, String value) {}

  @Override
  public void root(long addr, int kind) {}

  @Override
  public void savedObject(long addr, String name) {}

  @Override
  public void infoTable(long infoAddr, int type, int srtField, long layout, long srtAddr) {}

  @Override
  public void constructorName(long infoAddr, String unit, String module, String name) {}

  @Override
  public void sourceInfo(long infoAddr, Response info) {}

  @Override
  public void funBitmap(long infoAddr, int arguments, Response.Bitmap bitmap) {}

  @Override
  public void frameBitmap(long key, Response.Bitmap bitmap) {}

  @Override
  public void costCentreStack(CostCentreStack stack) {}

  @Override
  public void codeSymbol(long infoAddr, CodeSymbol symbol) {}

  @Override
  public void blockGroup(
      long startAddr, long lengthBytes, long usedBytes, int flags, int generation) {}
}
