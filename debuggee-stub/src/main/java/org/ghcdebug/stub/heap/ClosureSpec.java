package org.ghcdebug.stub.heap;

import java.util.ArrayList;
import java.util.List;
import org.ghcdebug.protocol.closure.ClosureType;
import org.ghcdebug.protocol.closure.Edge;
import org.ghcdebug.protocol.closure.EdgeKind;
import org.ghcdebug.protocol.closure.PointerBitmap;
import org.ghcdebug.protocol.target.ClosurePtr;

/** A closure as described to a builder; it gets its address when the heap is built. */
final class ClosureSpec {
  /** Where a closure is put. */
  enum Area {
    HEAP,
    PINNED,
    STATIC,
    COMPACT
  }

  private final Code code;
  private final PointerBitmap arguments;
  private final long ccsAddr;
  private final List<Slot> payload;
  private final List<EdgeSpec> edges;
  private final List<PlacedFrame> frames;
  private final int sizeWords;
  private final int extentWords;
  private Area area;
  private long address;

  /**
   * @param arguments which arguments are pointers, when it can be applied
   * @param payload the words after the header
   * @param sizeWords what the RTS computes, header included
   * @param extentWords what the closure takes up in memory
   */
  ClosureSpec(
      Code code,
      PointerBitmap arguments,
      long ccsAddr,
      List<Slot> payload,
      List<EdgeSpec> edges,
      List<PlacedFrame> frames,
      Area area,
      int sizeWords,
      int extentWords) {
    this.code = code;
    this.arguments = arguments;
    this.ccsAddr = ccsAddr;
    this.payload = new ArrayList<>(payload);
    this.edges = List.copyOf(edges);
    this.frames = List.copyOf(frames);
    this.area = area;
    this.sizeWords = sizeWords;
    this.extentWords = extentWords;
  }

  Code code() {
    return code;
  }

  PointerBitmap arguments() {
    return arguments;
  }

  long ccsAddr() {
    return ccsAddr;
  }

  /** The words after the header; the builder may replace some when addresses become known. */
  List<Slot> payload() {
    return payload;
  }

  List<PlacedFrame> frames() {
    return frames;
  }

  Area area() {
    return area;
  }

  void move(Area area) {
    this.area = area;
  }

  int sizeWords() {
    return sizeWords;
  }

  int extentWords() {
    return extentWords;
  }

  long address() {
    if (address == 0) {
      throw new IllegalStateException("the closure has no address before the heap is built");
    }
    return address;
  }

  void place(long address) {
    this.address = address;
  }

  /** Byte code and functions can be applied. */
  boolean isApplicable() {
    return code.type() == ClosureType.BCO || code.type().isFunction();
  }

  /** What is known of it once all closures have their addresses. */
  BuiltClosure built() {
    return new BuiltClosure(new ClosurePtr(address()), code, sizeWords, references());
  }

  private List<Edge> references() {
    var result = new ArrayList<Edge>();
    addSrt(result, code, 0);
    for (EdgeSpec edge : edges) {
      result.add(new Edge(edge.kind(), edge.index(), edge.target().pointer()));
    }
    for (PlacedFrame placed : frames) {
      addSrt(result, placed.frame().code(), placed.word());
    }
    return result;
  }

  private static void addSrt(List<Edge> edges, Code code, int word) {
    Ref srt = code.srt();
    if (srt != null) {
      edges.add(new Edge(EdgeKind.SRT, word, srt.closure().address()));
    }
  }

  /** A reference that the closure will hold. */
  record EdgeSpec(EdgeKind kind, int index, Ref target) {}

  /**
   * A stack frame in a closure.
   *
   * @param word the closure's word that holds the frame's info pointer
   */
  record PlacedFrame(Frame frame, int word) {}
}
