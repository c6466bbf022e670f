package org.ghcdebug.stub.heap;

import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/**
 * Puts values of well-known Haskell types into a heap, fully evaluated, with the constructors that
 * the libraries shipped with the builder's GHC have. Small integers and characters are the RTS's
 * shared static closures.
 */
public final class HaskellValues {
  private static final int TEXT_IS_UTF_8 = 904;
  private static final int BASE_MOVED = 910;

  private final HeapBuilder heap;
  private final int series;
  private final Map<String, Code> constructors = new HashMap<>();
  private final Map<String, Ref> nullary = new HashMap<>();
  private final Map<Long, Ref> sharedInts = new HashMap<>();
  private final Map<Integer, Ref> sharedChars = new HashMap<>();

  /**
   * @param heap where the values are put
   */
  public HaskellValues(HeapBuilder heap) {
    this.heap = heap;
    this.series = heap.target().ghc().series();
  }

  /** An {@code Int}. */
  public Ref integral(long value) {
    Code code = constructor("ghc-prim:GHC.Types.I#", 0, 1, 0);
    return value < -16 || value > 255
        ? heap.constr(code, Slot.word(value))
        : sharedInts.computeIfAbsent(value, _ -> heap.staticConstr(code, Slot.word(value)));
  }

  /** A {@code Char}. */
  public Ref character(int codePoint) {
    Code code = constructor("ghc-prim:GHC.Types.C#", 0, 1, 0);
    return codePoint > 255
        ? heap.constr(code, Slot.word(codePoint))
        : sharedChars.computeIfAbsent(
            codePoint, _ -> heap.staticConstr(code, Slot.word(codePoint)));
  }

  /** An {@code Integer}. */
  public Ref integer(BigInteger value) {
    if (value.bitLength() < 64) {
      return heap.constr(
          constructor("ghc-bignum:GHC.Num.Integer.IS", 0, 1, 0), Slot.word(value.longValue()));
    }
    Ref limbs = limbs(value.abs());
    return value.signum() > 0
        ? heap.constr(constructor("ghc-bignum:GHC.Num.Integer.IP", 1, 0, 1), limbs)
        : heap.constr(constructor("ghc-bignum:GHC.Num.Integer.IN", 1, 0, 2), limbs);
  }

  /** Words of the magnitude, lowest first. */
  private Ref limbs(BigInteger magnitude) {
    var bytes = new byte[8 * Math.ceilDiv(magnitude.bitLength(), 64)];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = magnitude.shiftRight(8 * i).byteValue();
    }
    return heap.byteArray(bytes);
  }

  /** {@code ()}. */
  public Ref unit() {
    return nullary("ghc-prim:" + tupleModule() + ".()", 0);
  }

  /** A tuple of two or more. */
  public Ref tuple(Ref... fields) {
    String name = "(" + ",".repeat(fields.length - 1) + ")";
    return heap.constr(
        constructor("ghc-prim:" + tupleModule() + "." + name, fields.length, 0, 0), fields);
  }

  /** {@code Nothing}. */
  public Ref nothing() {
    return nullary(maybeModule() + ".Nothing", 0);
  }

  /** {@code Just}. */
  public Ref just(Ref value) {
    return heap.constr(constructor(maybeModule() + ".Just", 1, 0, 1), value);
  }

  /** {@code []}. */
  public Ref emptyList() {
    return nullary("ghc-prim:GHC.Types.[]", 0);
  }

  /** One cell of a list. */
  public Ref cons(Ref head, Ref tail) {
    return heap.constr(constructor("ghc-prim:GHC.Types.:", 2, 0, 1), head, tail);
  }

  /** A list; its cells lie in memory from the last to the first. */
  public Ref list(Ref... elements) {
    Ref list = emptyList();
    for (Ref element : Arrays.asList(elements).reversed()) {
      list = cons(element, list);
    }
    return list;
  }

  /** A {@code String}. */
  public Ref string(String text) {
    return list(text.codePoints().mapToObj(this::character).toArray(Ref[]::new));
  }

  /** A strict {@code Text}: UTF-8 from GHC 9.4 on, UTF-16 before. */
  public Ref text(String text) {
    boolean utf8 = series >= TEXT_IS_UTF_8;
    byte[] bytes = text.getBytes(utf8 ? UTF_8 : UTF_16LE);
    return heap.constr(
        constructor("text-" + textVersion() + ":Data.Text.Internal.Text", 1, 2, 0),
        heap.byteArray(bytes),
        Slot.word(0),
        Slot.word(utf8 ? bytes.length : text.length()));
  }

  /** A {@code Data.Map} with {@code Int} keys, balanced. */
  public Ref map(SortedMap<Long, Ref> entries) {
    return map(new ArrayList<>(entries.entrySet()));
  }

  private Ref map(List<Map.Entry<Long, Ref>> entries) {
    String module = "containers-" + containersVersion() + ":Data.Map.Internal.";
    if (entries.isEmpty()) {
      return nullary(module + "Tip", 1);
    }
    int middle = entries.size() / 2;
    Ref left = map(entries.subList(0, middle));
    Ref right = map(entries.subList(middle + 1, entries.size()));
    return heap.constr(
        constructor(module + "Bin", 4, 1, 0),
        integral(entries.get(middle).getKey()),
        entries.get(middle).getValue(),
        left,
        right,
        Slot.word(entries.size()));
  }

  private Code constructor(String description, int pointers, int nonPointers, int number) {
    return constructors.computeIfAbsent(
        description, _ -> heap.constructor(description, pointers, nonPointers, number));
  }

  private Ref nullary(String description, int number) {
    return nullary.computeIfAbsent(
        description, _ -> heap.staticConstr(heap.constructor(description, 0, 0, number)));
  }

  private String tupleModule() {
    return series == 906 || series == 908 ? "GHC.Tuple.Prim" : "GHC.Tuple";
  }

  private String maybeModule() {
    return series < BASE_MOVED ? "base:GHC.Maybe" : "ghc-internal:GHC.Internal.Maybe";
  }

  private String textVersion() {
    return switch (series) {
      case 902 -> "1.2.5.0";
      case 904, 906 -> "2.0.2";
      case 908 -> "2.1";
      default -> "2.1.3-inplace";
    };
  }

  private String containersVersion() {
    return switch (series) {
      case 902 -> "0.6.5.1";
      case 904, 906 -> "0.6.7";
      case 908 -> "0.6.8";
      case 914 -> "0.8-inplace";
      default -> "0.7-inplace";
    };
  }
}
