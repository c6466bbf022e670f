package org.ghcdebug.stub.heap;

import org.ghcdebug.protocol.closure.ClosureType;
import org.ghcdebug.protocol.closure.PointerBitmap;
import org.ghcdebug.protocol.wire.Response;
import org.jspecify.annotations.Nullable;

/**
 * What an info table describes: a constructor, a function, the code of a thunk, a return address,
 * or one of the RTS's own kinds of closure. Made by a {@link HeapBuilder}, and complete once its
 * heap is built.
 */
public final class Code {
  private static final int HIGHEST_TAG = 7;

  private final long infoAddr;
  private final ClosureType type;
  private final int pointers;
  private final int nonPointers;
  private final int number;
  private final String description;
  private final PointerBitmap bitmap;
  private @Nullable Ref srt;
  private Response.@Nullable SourceInfo source;

  /**
   * @param number constructor number, or arity of a function
   * @param description a constructor's name; empty for anything else
   * @param bitmap a function's arguments, or a frame's payload
   */
  Code(
      long infoAddr,
      ClosureType type,
      int pointers,
      int nonPointers,
      int number,
      String description,
      PointerBitmap bitmap) {
    this.infoAddr = infoAddr;
    this.type = type;
    this.pointers = pointers;
    this.nonPointers = nonPointers;
    this.number = number;
    this.description = description;
    this.bitmap = bitmap;
  }

  /** The word that closures and frames of this code begin with. */
  public long infoAddr() {
    return infoAddr;
  }

  public ClosureType type() {
    return type;
  }

  /** A constructor's name such as {@code main:Main.Rec}; empty for anything else. */
  public String description() {
    return description;
  }

  /** Pointers in the payload, where the layout of the type says so. */
  public int pointers() {
    return pointers;
  }

  /** Words after the pointers, where the layout of the type says so. */
  public int nonPointers() {
    return nonPointers;
  }

  /** Which arguments of a function, or payload words of a frame, are pointers. */
  public PointerBitmap bitmap() {
    return bitmap;
  }

  /**
   * Gives functions, thunks and frames a static reference table.
   *
   * @param closure what {@link HeapBuilder#srt} returned, or a single static closure
   */
  public Code withSrt(Ref closure) {
    if (!type.isCode()) {
      throw new IllegalArgumentException(type + " has no SRT");
    }
    srt = closure;
    return this;
  }

  /**
   * Gives an entry in the info-table map.
   *
   * @param typeDescription type of the expression
   * @param label enclosing binding
   * @param position file and span, such as {@code Main.hs:3:1-9}
   */
  public Code withSource(String typeDescription, String label, String module, String position) {
    source =
        new Response.SourceInfo(
            label + "_info",
            Integer.toString(type.number()),
            typeDescription,
            label,
            module,
            position);
    return this;
  }

  @Nullable Ref srt() {
    return srt;
  }

  Response.@Nullable SourceInfo source() {
    return source;
  }

  /** The tag of pointers to closures of this code. */
  int pointerTag() {
    if (type.isConstructor()) {
      return Math.min(number + 1, HIGHEST_TAG);
    }
    return type.isFunction() && number <= HIGHEST_TAG ? number : 0;
  }

  @Override
  public String toString() {
    return "%s %s 0x%016x".formatted(type, description, infoAddr);
  }
}
