package org.ghcdebug.stub.heap;

import java.util.ArrayList;
import java.util.List;
import org.ghcdebug.protocol.closure.ClosureType;
import org.ghcdebug.protocol.closure.EdgeKind;
import org.ghcdebug.protocol.closure.PointerBitmap;
import org.ghcdebug.stub.heap.ClosureSpec.EdgeSpec;

/**
 * A stack frame that is being described to a {@link HeapBuilder}. Made by its {@code …Frame}
 * methods, and good for any number of stacks.
 */
public final class Frame {
  private final Code code;
  private final PointerBitmap bitmap;
  private final List<Slot> fixedWords;
  private final List<Slot> payload;

  /**
   * @param bitmap describes the payload
   * @param fixedWords what stands between the info pointer and the payload
   */
  Frame(Code code, PointerBitmap bitmap, List<Slot> fixedWords, Slot... payload) {
    this.code = code;
    this.bitmap = bitmap;
    this.fixedWords = List.copyOf(fixedWords);
    this.payload = List.of(payload);
    if (bitmap.size() != payload.length) {
      throw new IllegalArgumentException(payload.length + " words for " + bitmap);
    }
    for (int i = 0; i < payload.length; i++) {
      if (bitmap.isPointer(i) != payload[i] instanceof Ref) {
        throw new IllegalArgumentException("word " + i + " of a frame, for " + bitmap);
      }
    }
  }

  /** What its first word points to. */
  public Code code() {
    return code;
  }

  /** The frame's size, info pointer included. */
  public int sizeWords() {
    return 1 + fixedWords.size() + payload.size();
  }

  /** Those after the info pointer. */
  List<Slot> words() {
    var words = new ArrayList<Slot>(fixedWords);
    words.addAll(payload);
    return words;
  }

  /** The references it holds, indexed by word of the frame. */
  List<EdgeSpec> edges() {
    var edges = new ArrayList<EdgeSpec>();
    List<Slot> words = words();
    for (int i = 0; i < words.size(); i++) {
      if (words.get(i) instanceof Ref ref) {
        edges.add(new EdgeSpec(kind(i), 1 + i, ref));
      }
    }
    return edges;
  }

  private EdgeKind kind(int word) {
    return switch (code.type()) {
      case UNDERFLOW_FRAME -> EdgeKind.STACK_NEXT_CHUNK;
      case RET_FUN -> word < fixedWords.size() ? EdgeKind.FUN : EdgeKind.STACK_SLOT;
      default -> EdgeKind.STACK_SLOT;
    };
  }

  /** What a debuggee answers for the frame: of byte code, also that the BCO is a pointer. */
  PointerBitmap answeredBitmap() {
    return code.type() == ClosureType.RET_BCO ? HeapBuilder.bitmap("P" + bitmap) : bitmap;
  }
}
