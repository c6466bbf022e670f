package org.ghcdebug.client.value;

import java.math.BigInteger;
import java.util.Map;
import org.ghcdebug.protocol.closure.Closure;

/** Numbers, characters, pairs of numbers, and addresses. */
final class Scalars {
  private static final int RATIO = 7;
  private static final int COMPLEX = 6;
  private static final int NON_EMPTY = 5;

  private Scalars() {}

  static void addTo(Map<String, Notation> notations) {
    integral(notations, "GHC.Types.I#", 64, true);
    integral(notations, "GHC.Types.W#", 64, false);
    for (int bits = 8; bits <= 64; bits *= 2) {
      integral(notations, "GHC.Int.I%d#".formatted(bits), bits, true);
      integral(notations, "GHC.Word.W%d#".formatted(bits), bits, false);
    }
    word(notations, "GHC.Types.C#", (out, word, _) -> out.text(Lexemes.character((int) word)));
    word(
        notations,
        "GHC.Types.D#",
        (out, word, precedence) ->
            out.number(Lexemes.floating(Double.longBitsToDouble(word)), precedence));
    word(
        notations,
        "GHC.Types.F#",
        (out, word, precedence) ->
            out.number(Lexemes.floating(Float.intBitsToFloat((int) word)), precedence));
    for (String module : new String[] {"GHC.Num", "GHC.Bignum"}) {
      integral(notations, module + ".Integer.IS", 64, true);
      integral(notations, module + ".Natural.NS", 64, false);
      big(notations, module + ".Integer.IP", 1);
      big(notations, module + ".Integer.IN", -1);
      big(notations, module + ".Natural.NB", 1);
    }
    infix(notations, "GHC.Real.:%", "%", RATIO);
    infix(notations, "GHC.Base.:|", ":|", NON_EMPTY);
    infix(notations, "Data.Complex.:+", ":+", COMPLEX);
    word(notations, "GHC.Ptr.Ptr", (out, word, _) -> out.text(Lexemes.address(word)));
    word(notations, "GHC.Ptr.FunPtr", (out, word, _) -> out.text(Lexemes.address(word)));
    notations.put(
        "GHC.ForeignPtr.ForeignPtr",
        new Notation(
            1, 1, (out, constr, _) -> out.text(Lexemes.address(constr.nonPointers().get(0)))));
  }

  /** Writes a constructor's only word. */
  private interface WordBody {
    void write(ValueWriter out, long word, int precedence);
  }

  private static void word(Map<String, Notation> notations, String name, WordBody body) {
    notations.put(
        name,
        new Notation(
            0,
            1,
            (out, constr, precedence) -> body.write(out, constr.nonPointers().get(0), precedence)));
  }

  /** A number in the low bits of a word, whose other bits mean nothing. */
  private static void integral(
      Map<String, Notation> notations, String name, int bits, boolean isSigned) {
    int unused = Long.SIZE - bits;
    word(
        notations,
        name,
        (out, word, precedence) ->
            out.number(
                isSigned
                    ? Long.toString(word << unused >> unused)
                    : Long.toUnsignedString(word << unused >>> unused),
                precedence));
  }

  /** A magnitude in limbs of 64 bits, the lowest first. */
  private static void big(Map<String, Notation> notations, String name, int sign) {
    notations.put(
        name,
        new Notation(
            1,
            0,
            (out, constr, precedence) -> {
              long limbs = constr.pointers().get(0);
              if (out.findClosure(limbs) instanceof Closure.ArrWords array) {
                out.number(new BigInteger(sign, magnitude(array)).toString(), precedence);
              } else {
                out.value(limbs, precedence);
              }
            }));
  }

  private static byte[] magnitude(Closure.ArrWords limbs) {
    int sizeBytes = limbs.data().size() * Long.BYTES;
    byte[] bigEndian = new byte[sizeBytes];
    for (int i = 0; i < sizeBytes; i++) {
      bigEndian[sizeBytes - 1 - i] = (byte) Bytes.get(limbs, i);
    }
    return bigEndian;
  }

  private static void infix(
      Map<String, Notation> notations, String name, String operator, int fixity) {
    notations.put(
        name,
        new Notation(
            2,
            0,
            (out, constr, precedence) ->
                out.infix(
                    constr.pointers().get(0),
                    operator,
                    constr.pointers().get(1),
                    fixity,
                    precedence)));
  }
}
