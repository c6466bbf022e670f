package org.ghcdebug.client.value;

import java.util.Map;
import java.util.Optional;
import org.ghcdebug.protocol.closure.Closure;
import org.ghcdebug.protocol.closure.ConstructorName;
import org.ghcdebug.protocol.closure.Words;
import org.jspecify.annotations.Nullable;

/**
 * Maps, sets, sequences, vectors and arrays: containers 0.6 and newer, unordered-containers 0.2.20,
 * vector 0.12 and newer, array, primitive.
 */
final class Containers {
  private static final String MAP = "Data.Map.Internal.";
  private static final String SET = "Data.Set.Internal.";
  private static final String INT_MAP = "Data.IntMap.Internal.";
  private static final String INT_SET = "Data.IntSet.Internal.";
  private static final String SEQ = "Data.Sequence.Internal.";
  private static final String HASH_MAP = "Data.HashMap.Internal.";

  private static final int APPLICATION = 10;

  /** No balanced tree that fits into memory is deeper. */
  private static final int MAX_TREE_DEPTH = 200;

  private Containers() {}

  static void addTo(Map<String, Notation> notations) {
    fromList(notations, MAP + "Bin", 4, 1, Containers::tree);
    fromList(notations, SET + "Bin", 3, 1, Containers::tree);
    fromList(notations, INT_MAP + "Bin", 2, 1, Containers::tree);
    fromList(notations, INT_MAP + "Tip", 1, 1, Containers::tree);
    fromList(notations, INT_SET + "Bin", 2, 1, Containers::tree);
    fromList(notations, INT_SET + "Tip", 0, 2, Containers::tree);
    fromList(notations, SEQ + "Deep", 3, 1, (walk, seq) -> walk.fingerTree(seq, 0));
    fromList(notations, SEQ + "Single", 1, 0, (walk, seq) -> walk.fingerTree(seq, 0));
    fromList(notations, HASH_MAP + "BitmapIndexed", 1, 1, Containers::tree);
    fromList(notations, HASH_MAP + "Full", 1, 0, Containers::tree);
    fromList(notations, HASH_MAP + "Collision", 1, 1, Containers::tree);
    fromList(notations, HASH_MAP + "Leaf", 2, 1, Containers::tree);
    for (String name :
        new String[] {
          MAP + "Tip",
          SET + "Tip",
          INT_MAP + "Nil",
          INT_SET + "Nil",
          SEQ + "EmptyT",
          HASH_MAP + "Empty"
        }) {
      fromList(notations, name, 0, 0, (_, _) -> {});
    }
    notations.put("Data.Vector.Vector", boxedVector());
    notations.put("Data.Primitive.Array.Array", wholeArray());
    notations.put("Data.Primitive.SmallArray.SmallArray", wholeArray());
    notations.put(
        "Data.Vector.Primitive.Vector",
        new Notation(
            1,
            2,
            (out, constr, precedence) ->
                unboxed(
                    out,
                    constr.pointers().get(0),
                    constr.nonPointers().get(0),
                    constr.nonPointers().get(1),
                    "[",
                    precedence)));
    for (String name : new String[] {"GHC.Arr.Array", "GHC.Arr.STArray"}) {
      notations.put(name, new Notation(3, 1, Containers::boxedArray));
    }
    for (String name : new String[] {"Data.Array.Base.UArray", "Data.Array.Base.STUArray"}) {
      notations.put(name, new Notation(3, 1, Containers::unboxedArray));
    }
  }

  /** Walks a container from its outermost constructor. */
  private interface Start {
    void walk(Walk walk, Closure.Constr outermost);
  }

  private static void tree(Walk walk, Closure.Constr root) {
    walk.node(root, 0);
  }

  private static void fromList(
      Map<String, Notation> notations, String name, int pointers, int nonPointers, Start start) {
    notations.put(
        name,
        new Notation(
            pointers,
            nonPointers,
            (out, constr, precedence) ->
                out.parenthesized(
                    precedence > APPLICATION,
                    () -> {
                      Sequence elements = new Sequence(out, "fromList [");
                      start.walk(new Walk(out, elements), constr);
                      elements.end("]");
                    })));
  }

  private static Notation boxedVector() {
    return new Notation(
        1,
        2,
        (out, constr, precedence) -> {
          Words elements = elements(out.findClosure(constr.pointers().get(0)));
          if (elements == null) {
            out.value(constr.pointers().get(0), precedence);
          } else {
            out.elements(
                "[", elements, constr.nonPointers().get(0), constr.nonPointers().get(1), "]");
          }
        });
  }

  private static Notation wholeArray() {
    return new Notation(
        1,
        0,
        (out, constr, precedence) -> {
          Words elements = elements(out.findClosure(constr.pointers().get(0)));
          if (elements == null) {
            out.value(constr.pointers().get(0), precedence);
          } else {
            out.parenthesized(
                precedence > APPLICATION,
                () ->
                    out.elements(
                        "fromListN " + elements.size() + " [", elements, 0, elements.size(), "]"));
          }
        });
  }

  private static @Nullable Words elements(@Nullable Closure array) {
    return switch (array) {
      case Closure.MutArrPtrs boxed -> boxed.elements();
      case Closure.SmallMutArrPtrs boxed -> boxed.elements();
      case null, default -> null;
    };
  }

  private static void boxedArray(ValueWriter out, Closure.Constr constr, int precedence) {
    Words elements = elements(out.findClosure(constr.pointers().get(2)));
    out.parenthesized(
        precedence > APPLICATION,
        () -> {
          bounds(out, constr);
          if (elements == null) {
            out.value(constr.pointers().get(2), ValueWriter.ARGUMENT);
          } else {
            out.elements("[", elements, 0, constr.nonPointers().get(0), "]");
          }
        });
  }

  private static void unboxedArray(ValueWriter out, Closure.Constr constr, int precedence) {
    out.parenthesized(
        precedence > APPLICATION,
        () -> {
          bounds(out, constr);
          unboxed(
              out,
              constr.pointers().get(2),
              0,
              constr.nonPointers().get(0),
              "[",
              ValueWriter.ARGUMENT);
        });
  }

  /** {@code listArray} and not {@code array}: the indexes' type is not known. */
  private static void bounds(ValueWriter out, Closure.Constr constr) {
    out.text("listArray (");
    out.value(constr.pointers().get(0), ValueWriter.ALONE);
    out.text(",");
    out.value(constr.pointers().get(1), ValueWriter.ALONE);
    out.text(") ");
  }

  /**
   * Elements without a type: as signed numbers of the greatest width that fits, which is the right
   * one unless the array has room to spare.
   */
  private static void unboxed(
      ValueWriter out, long arrayPointer, long from, long length, String open, int precedence) {
    int width = Long.BYTES;
    if (!(out.findClosure(arrayPointer) instanceof Closure.ArrWords array)
        || from < 0
        || length < 0
        || from + length > array.sizeBytes()) {
      out.value(arrayPointer, precedence);
      return;
    }
    while ((from + length) * width > array.sizeBytes()) {
      width /= 2;
    }
    int widthBytes = width;
    Sequence elements = new Sequence(out, open);
    for (long i = from; i < from + length; i++) {
      long at = i * widthBytes;
      if (!elements.add(() -> out.text(Long.toString(Bytes.signed(array, at, widthBytes))))) {
        break;
      }
    }
    elements.end("]");
  }

  /** Goes through a container in order. Methods return false when no more elements are wanted. */
  private static final class Walk {
    private final ValueWriter out;
    private final Sequence elements;

    Walk(ValueWriter out, Sequence elements) {
      this.out = out;
      this.elements = elements;
    }

    /** What is not of the container's own constructors, such as a thunk, is shown as an element. */
    private boolean element(long pointer) {
      return elements.add(() -> out.value(pointer, ValueWriter.ALONE));
    }

    private boolean entry(long key, long value) {
      return elements.add(
          () -> {
            out.text("(");
            out.value(key, ValueWriter.ALONE);
            out.text(",");
            out.value(value, ValueWriter.ALONE);
            out.text(")");
          });
    }

    private boolean child(long pointer, int depth) {
      Closure.Constr node = out.findConstructor(pointer);
      return node == null || depth == MAX_TREE_DEPTH ? element(pointer) : node(node, depth + 1);
    }

    boolean node(Closure.Constr node, int depth) {
      Optional<ConstructorName> name = out.name(node);
      Words pointers = node.pointers();
      Words words = node.nonPointers();
      if (!WellKnown.isWellFormed(node, name)) {
        return element(node.address().address());
      }
      return switch (name.map(ConstructorName::qualifiedName).orElse("")) {
        case MAP + "Bin" ->
            child(pointers.get(2), depth)
                && entry(pointers.get(0), pointers.get(1))
                && child(pointers.get(3), depth);
        case SET + "Bin" ->
            child(pointers.get(1), depth)
                && element(pointers.get(0))
                && child(pointers.get(2), depth);
        case INT_MAP + "Bin", INT_SET + "Bin" -> {
          boolean isSplitBySign = words.get(words.size() - 1) == Long.MIN_VALUE;
          yield child(pointers.get(isSplitBySign ? 1 : 0), depth)
              && child(pointers.get(isSplitBySign ? 0 : 1), depth);
        }
        case INT_MAP + "Tip" ->
            elements.add(
                () -> {
                  out.text("(" + words.get(0) + ",");
                  out.value(pointers.get(0), ValueWriter.ALONE);
                  out.text(")");
                });
        case INT_SET + "Tip" -> bits(words.get(0), words.get(1));
        case HASH_MAP + "Leaf" -> {
          boolean isSet =
              Optional.ofNullable(out.findConstructor(pointers.get(1)))
                  .flatMap(out::name)
                  .filter(value -> value.name().equals("()"))
                  .isPresent();
          yield isSet ? element(pointers.get(0)) : entry(pointers.get(0), pointers.get(1));
        }
        case HASH_MAP + "BitmapIndexed", HASH_MAP + "Full", HASH_MAP + "Collision" ->
            children(pointers.get(0), depth);
        case MAP + "Tip", SET + "Tip", INT_MAP + "Nil", INT_SET + "Nil", HASH_MAP + "Empty" -> true;
        default -> element(node.address().address());
      };
    }

    private boolean bits(long prefix, long bitmap) {
      for (long left = bitmap; left != 0; left &= left - 1) {
        String element = Long.toString(prefix + Long.numberOfTrailingZeros(left));
        if (!elements.add(() -> out.text(element))) {
          return false;
        }
      }
      return true;
    }

    private boolean children(long arrayPointer, int depth) {
      Words children = Containers.elements(out.findClosure(arrayPointer));
      if (children == null) {
        return element(arrayPointer);
      }
      for (int i = 0; i < children.size(); i++) {
        if (!child(children.get(i), depth)) {
          return false;
        }
      }
      return true;
    }

    /**
     * A finger tree.
     *
     * @param level how many levels of nodes are between its digits and the elements
     */
    boolean fingerTree(Closure.Constr tree, int level) {
      Optional<ConstructorName> name = out.name(tree);
      Words pointers = tree.pointers();
      if (!WellKnown.isWellFormed(tree, name)) {
        return element(tree.address().address());
      }
      return switch (name.map(ConstructorName::qualifiedName).orElse("")) {
        case SEQ + "EmptyT" -> true;
        case SEQ + "Single" -> seqNode(pointers.get(0), level);
        case SEQ + "Deep" ->
            digit(pointers.get(0), level)
                && middle(pointers.get(1), level + 1)
                && digit(pointers.get(2), level);
        default -> element(tree.address().address());
      };
    }

    private boolean middle(long pointer, int level) {
      Closure.Constr tree = out.findConstructor(pointer);
      return tree == null || level > MAX_TREE_DEPTH ? element(pointer) : fingerTree(tree, level);
    }

    private boolean digit(long pointer, int level) {
      Closure.Constr digit = out.findConstructor(pointer);
      return digit == null ? element(pointer) : nodes(digit.pointers(), level);
    }

    private boolean seqNode(long pointer, int level) {
      if (level == 0) {
        return element(pointer);
      }
      Closure.Constr node = out.findConstructor(pointer);
      return node == null ? element(pointer) : nodes(node.pointers(), level - 1);
    }

    private boolean nodes(Words nodes, int level) {
      for (int i = 0; i < nodes.size(); i++) {
        if (!seqNode(nodes.get(i), level)) {
          return false;
        }
      }
      return true;
    }
  }
}
