package org.ghcdebug.client.value;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.ghcdebug.client.heap.Heap;
import org.ghcdebug.protocol.closure.Closure;
import org.ghcdebug.protocol.closure.ClosureType;
import org.ghcdebug.protocol.closure.ConstructorName;
import org.ghcdebug.protocol.closure.Words;
import org.ghcdebug.protocol.target.Target;
import org.jspecify.annotations.Nullable;

/**
 * Writes one value. Precedences are those of {@code showsPrec}: an argument of a constructor is at
 * 11, what stands alone at 0.
 */
final class ValueWriter {
  static final int ALONE = 0;
  static final int ARGUMENT = 11;
  private static final int APPLICATION = 10;
  private static final int NEGATIVE = 6;
  private static final int CONS = 5;
  private static final int DEFAULT_OPERATOR = 9;

  /** Exponents of doubles from 2^-64 to 2^64, biased; no address and no usual number has them. */
  private static final int MIN_LIKELY_EXPONENT = 1023 - 64;

  private static final int MAX_LIKELY_EXPONENT = 1023 + 64;
  private static final int MAX_BYTES_SHOWN = 64;

  private final Heap heap;
  private final PrintLimits limits;
  private final Lookahead lookahead;
  private final StringBuilder out = new StringBuilder();
  private final Set<Long> path = new HashSet<>(); // addresses of the values around
  private int depth;

  ValueWriter(Heap heap, PrintLimits limits) {
    this.heap = heap;
    this.limits = limits;
    this.lookahead = new Lookahead(heap, limits.elements() + 1);
  }

  String write(long pointer) {
    value(pointer, ALONE);
    return out.toString();
  }

  PrintLimits limits() {
    return limits;
  }

  boolean isFull() {
    return out.length() >= limits.characters();
  }

  Closure.@Nullable Constr findConstructor(long pointer) {
    return lookahead.closure(pointer) instanceof Closure.Constr constr ? constr : null;
  }

  @Nullable Closure findClosure(long pointer) {
    return lookahead.closure(pointer);
  }

  Optional<ConstructorName> name(Closure closure) {
    return heap.findConstructorName(closure.info());
  }

  Target target() {
    return heap.target();
  }

  void text(String text) {
    out.append(text);
  }

  /** Writes {@code body}, in parentheses if the operator in it binds weaker than its place. */
  void parenthesized(boolean needed, Runnable body) {
    out.append(needed ? "(" : "");
    body.run();
    out.append(needed ? ")" : "");
  }

  void number(String number, int precedence) {
    parenthesized(number.startsWith("-") && precedence > NEGATIVE, () -> text(number));
  }

  void value(long pointer, int precedence) {
    if (isFull() || depth == limits.depth()) {
      out.append('…');
      return;
    }
    Closure closure = lookahead.closure(pointer);
    if (closure == null) {
      text("<missing " + Lexemes.address(Target.untag(pointer)) + ">");
    } else if (!path.add(closure.address().address())) {
      text("<cycle>");
    } else {
      depth++;
      closure(closure, precedence);
      depth--;
      path.remove(closure.address().address());
    }
  }

  private void closure(Closure closure, int precedence) {
    switch (closure) {
      case Closure.Constr constr -> constructor(constr, precedence);
      case Closure.Fun fun -> text(named("function", fun));
      case Closure.Pap(_, _, long fun, _) -> {
        Closure function = lookahead.closure(fun);
        text(function == null ? "<function>" : named("partial application of", function));
      }
      case Closure.Thunk _, Closure.Selector _, Closure.Ap _, Closure.ApStack _ ->
          text(named("thunk", closure));
      case Closure.BlackHole _ -> text("<under evaluation>");
      case Closure.Ind _ -> text("<cycle>");
      case Closure.MutVar variable -> variable("MutVar", variable.value());
      case Closure.MVar variable -> variable("MVar", variable.value());
      case Closure.TVar variable -> variable("TVar", variable.currentValue());
      case Closure.ArrWords bytes -> bytes(bytes);
      case Closure.MutArrPtrs array -> elements("<array [", array.elements(), "]>");
      case Closure.SmallMutArrPtrs array -> elements("<array [", array.elements(), "]>");
      case Closure.Tso thread -> text("<thread " + thread.id() + ">");
      case Closure.Weak _ -> text("<weak pointer>");
      case Closure.CompactNfData _ -> text("<compact region>");
      case Closure.Bco _ -> text("<byte code>");
      case Closure.BlockingQueue _,
          Closure.Prim _,
          Closure.Stack _,
          Closure.Continuation _,
          Closure.TrecChunk _ ->
          text("<" + closure.info().type() + ">");
      case Closure.Unknown unknown ->
          text("<unknown closure " + Lexemes.address(unknown.address().address()) + ">");
    }
  }

  private String named(String what, Closure code) {
    return heap.findCodeName(code.info())
        .map(name -> "<" + what + " " + name + ">")
        .orElse("<" + what + ">");
  }

  void variable(String kind, long value) {
    text("<" + kind + " ");
    Closure content = lookahead.closure(value);
    boolean isEmpty =
        content != null
            && name(content).filter(name -> name.name().equals("END_TSO_QUEUE")).isPresent();
    if (isEmpty) {
      text("empty");
    } else {
      value(value, ALONE);
    }
    text(">");
  }

  /** {@code [0x01, 0x02]}, as a {@code ByteArray} is shown. */
  void bytes(Closure.ArrWords array) {
    text("[");
    long shown = Math.min(array.sizeBytes(), MAX_BYTES_SHOWN);
    for (int i = 0; i < shown; i++) {
      text((i == 0 ? "" : ", ") + "0x%02x".formatted(Bytes.get(array, i)));
    }
    text(shown < array.sizeBytes() ? ", …]" : "]");
  }

  private void elements(String open, Words elements, String close) {
    elements(open, elements, 0, elements.size(), close);
  }

  /** Elements {@code from} to {@code from + length - 1} of an array, as far as it has them. */
  void elements(String open, Words elements, long from, long length, String close) {
    Sequence sequence = new Sequence(this, open);
    for (long i = Math.max(0, from); i < Math.min(from + length, elements.size()); i++) {
      long element = elements.get((int) i);
      if (!sequence.add(() -> value(element, ALONE))) {
        break;
      }
    }
    sequence.end(close);
  }

  private void constructor(Closure.Constr constr, int precedence) {
    Optional<ConstructorName> found = name(constr);
    if (found.isEmpty()) {
      text("<constructor without name>");
      return;
    }
    ConstructorName name = found.get();
    if (!WellKnown.write(this, constr, name, precedence)) {
      anyConstructor(constr, name, precedence);
    }
  }

  private void anyConstructor(Closure.Constr constr, ConstructorName name, int precedence) {
    Words pointers = constr.pointers();
    if (name.name().startsWith("C:")) {
      text("<dictionary " + name.name().substring(2) + ">");
    } else if (name.name().startsWith("(,") && constr.nonPointers().size() == 0) {
      tuple(pointers);
    } else if (Lexemes.isOperator(name.name())
        && pointers.size() == 2
        && constr.nonPointers().size() == 0) {
      infix(pointers.get(0), name.name(), pointers.get(1), DEFAULT_OPERATOR, precedence);
    } else {
      prefix(constr, name.name(), precedence);
    }
  }

  private void tuple(Words components) {
    text("(");
    for (int i = 0; i < components.size(); i++) {
      text(i == 0 ? "" : ",");
      value(components.get(i), ALONE);
    }
    text(")");
  }

  /** Both sides one level up, as derived instances do whatever the associativity. */
  void infix(long left, String operator, long right, int fixity, int precedence) {
    parenthesized(
        precedence > fixity,
        () -> {
          value(left, fixity + 1);
          text(" " + operator + " ");
          value(right, fixity + 1);
        });
  }

  private void prefix(Closure.Constr constr, String name, int precedence) {
    Words nonPointers = isNullary(constr) ? Words.NONE : constr.nonPointers();
    int fields = constr.pointers().size() + nonPointers.size();
    String shownName = Lexemes.isOperator(name) ? "(" + name + ")" : name;
    parenthesized(
        fields > 0 && precedence > APPLICATION,
        () -> {
          text(shownName);
          for (int i = 0; i < constr.pointers().size(); i++) {
            text(" ");
            value(constr.pointers().get(i), ARGUMENT);
          }
          for (int i = 0; i < nonPointers.size(); i++) {
            text(" " + unboxed(nonPointers.get(i)));
          }
        });
  }

  /**
   * Static nullary constructors state one non-pointer that is not theirs. A static constructor with
   * one unboxed field looks the same, but the usual ones are well-known.
   */
  private static boolean isNullary(Closure.Constr constr) {
    return constr.pointers().size() == 0
        && constr.nonPointers().size() == 1
        && (constr.info().type() == ClosureType.CONSTR_NOCAF || Heap.isStatic(constr));
  }

  private static String unboxed(long word) {
    int exponent = (int) (word >>> 52) & 0x7ff;
    return exponent >= MIN_LIKELY_EXPONENT && exponent <= MAX_LIKELY_EXPONENT
        ? Lexemes.floating(Double.longBitsToDouble(word)) + "##"
        : word + "#";
  }

  /**
   * A list: {@code [1,2]}, {@code "ab"}, and with a tail that is not evaluated {@code 1 : 2 :
   * <thunk>} or {@code "ab" ++ <thunk>}.
   */
  void list(Closure.Constr first, int precedence) {
    List<Long> elements = new ArrayList<>();
    Set<Long> cells = new HashSet<>();
    boolean isString = isCharacter(first.pointers().get(0));
    int limit = isString ? limits.characters() : limits.elements();
    Closure.@Nullable Constr cell = first;
    String cut = "";
    long tail = 0;
    while (cell != null && isCons(cell)) {
      if (!cells.add(cell.address().address())) {
        cut = "<cycle>";
        break;
      }
      if (elements.size() == limit) {
        cut = "…";
        break;
      }
      elements.add(cell.pointers().get(0));
      tail = cell.pointers().get(1);
      cell = findConstructor(tail);
    }
    boolean isOpen = cell == null;
    if (isString && elements.stream().allMatch(this::isCharacter)) {
      string(elements, cut, isOpen ? tail : 0, precedence);
    } else if (isOpen) {
      openList(elements, tail, precedence);
    } else {
      closedList(elements, cut);
    }
  }

  private void string(List<Long> characters, String cut, long openTail, int precedence) {
    int[] codePoints = characters.stream().mapToInt(this::character).toArray();
    parenthesized(
        openTail != 0 && precedence > CONS,
        () -> {
          text(Lexemes.string(codePoints) + cut);
          if (openTail != 0) {
            text(" ++ ");
            value(openTail, CONS);
          }
        });
  }

  private void openList(List<Long> elements, long tail, int precedence) {
    parenthesized(
        precedence > CONS,
        () -> {
          for (long element : elements) {
            value(element, CONS + 1);
            text(" : ");
          }
          value(tail, CONS);
        });
  }

  private void closedList(List<Long> elements, String cut) {
    Sequence sequence = new Sequence(this, "[");
    for (long element : elements) {
      if (!sequence.add(() -> value(element, ALONE))) {
        break;
      }
    }
    sequence.end(cut.isEmpty() ? "]" : "," + cut + "]");
  }

  boolean isCons(Closure.Constr constr) {
    return constr.pointers().size() == 2
        && name(constr).filter(name -> WellKnown.isNamed(name, "GHC.Types.:")).isPresent();
  }

  boolean isCharacter(long pointer) {
    Closure.Constr constr = findConstructor(pointer);
    return constr != null
        && constr.nonPointers().size() == 1
        && name(constr).filter(name -> WellKnown.isNamed(name, "GHC.Types.C#")).isPresent();
  }

  /** The code point of what {@link #isCharacter}; U+FFFD when it is none. */
  int character(long pointer) {
    int codePoint = (int) findConstructor(pointer).nonPointers().get(0);
    return Character.isValidCodePoint(codePoint) ? codePoint : 0xFFFD;
  }
}
