package org.ghcdebug.protocol.snapshot;

import org.ghcdebug.protocol.closure.CodeSymbol;
import org.ghcdebug.protocol.closure.CostCentreStack;
import org.ghcdebug.protocol.wire.Response;

/**
 * Takes the entries of a snapshot's tables; what {@link TableWriter} writes and {@link TableReader}
 * reads. Addresses are unsigned.
 */
public interface TableSink {
  /** A kind of root: a weak pointer that the RTS knows of, alive once its key is. */
  int WEAK_POINTER = 5;

  /** A kind of root: what a stable name names, which it does not keep alive. */
  int STABLE_NAME_TARGET = 7;

  /** A text of {@link ChunkKind#METADATA}. */
  void metadata(String key, String value);

  /** A text of {@link ChunkKind#SUMMARY}. */
  void summary(String key, String value);

  /**
   * Where the garbage collector starts.
   *
   * @param kind 0 not known, 1 thread, 2 stable name, 3 stable pointer, 4 static closure (CAF),
   *     {@link #WEAK_POINTER}, {@link #STABLE_NAME_TARGET}; others may come
   */
  void root(long addr, int kind);

  /**
   * A closure that the program registered.
   *
   * @param name empty for none
   */
  void savedObject(long addr, String name);

  /**
   * An info table: the fields of its last 16 bytes, and where its static reference table is.
   *
   * @param srtAddr 0 for none
   */
  void infoTable(long infoAddr, int type, int srtField, long layout, long srtAddr);

  /** A constructor's name; unit and module are empty for the RTS's own. */
  void constructorName(long infoAddr, String unit, String module, String name);

  /**
   * What the info-table map says.
   *
   * @param info a {@link Response.SourceInfo}, or {@link Response.NoSourceInfo}
   */
  void sourceInfo(long infoAddr, Response info);

  /** A cost-centre stack; the one below it is another entry. */
  void costCentreStack(CostCentreStack stack);

  /** What the executable's symbols say about code. */
  void codeSymbol(long infoAddr, CodeSymbol symbol);

  /**
   * What a block descriptor says about a group whose memory is in {@link ChunkKind#BLOCKS}.
   *
   * @param usedBytes nothing alive is behind so many bytes
   * @param generation -1 when it is not known
   */
  void blockGroup(long startAddr, long lengthBytes, long usedBytes, int flags, int generation);

  /** Which arguments of functions of that info pointer are pointers. */
  void funBitmap(long infoAddr, int arguments, Response.Bitmap bitmap);

  /**
   * Which payload words of a stack frame are pointers.
   *
   * @param key the info pointer for a RET_BIG frame, else the frame's address
   */
  void frameBitmap(long key, Response.Bitmap bitmap);
}
