package org.ghcdebug.client.value;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.ghcdebug.protocol.closure.Closure;
import org.ghcdebug.protocol.closure.ConstructorName;
import org.ghcdebug.protocol.target.Target;
import org.jspecify.annotations.Nullable;

/** Text and ByteString, strict, lazy and short, of both generations of either package. */
final class Texts {
  private static final Pattern UTF_16_UNIT = Pattern.compile("text-[01]\\..*");
  private static final int FIRST_SERIES_WITH_UTF_8 = 904; // text 2 comes with GHC 9.4

  /** Module.constructor -> where its characters are. */
  private static final Map<String, Characters> CHARACTERS = new HashMap<>();

  static {
    CHARACTERS.put("Data.Text.Internal.Text", new Characters(1, 2, Texts::text));
    CHARACTERS.put("Data.Text.Internal.Lazy.Chunk", new Characters(2, 2, Texts::lazyText));
    for (String module :
        new String[] {"Data.ByteString.Internal.Type", "Data.ByteString.Internal"}) {
      CHARACTERS.put(module + ".BS", new Characters(1, 2, Texts::byteString));
      CHARACTERS.put(module + ".PS", new Characters(1, 3, Texts::byteString));
    }
    CHARACTERS.put(
        "Data.ByteString.Lazy.Internal.Chunk", new Characters(2, 2, Texts::lazyByteString));
    CHARACTERS.put(
        "Data.ByteString.Short.Internal.SBS", new Characters(1, 0, Texts::shortByteString));
  }

  /** The characters of a constructor of that shape. */
  private record Characters(int pointers, int nonPointers, Contents contents) {
    Notation notation() {
      return new Notation(pointers, nonPointers, string(contents));
    }
  }

  private Texts() {}

  static void addTo(Map<String, Notation> notations) {
    notations.put("GHC.Types.:", new Notation(2, 0, ValueWriter::list));
    CHARACTERS.forEach((name, characters) -> notations.put(name, characters.notation()));
    notations.put("Data.Text.Internal.Lazy.Empty", empty());
    notations.put("Data.ByteString.Lazy.Internal.Empty", empty());
    for (String module : new String[] {"Data.Array.Byte", "Data.Primitive.ByteArray"}) {
      notations.put(module + ".ByteArray", byteArray());
      notations.put(module + ".MutableByteArray", byteArray());
    }
  }

  /** Whether constructors of that name have characters. */
  static boolean haveCharacters(ConstructorName name) {
    return WellKnown.names(name).anyMatch(CHARACTERS::containsKey);
  }

  /**
   * The characters of a constructor, up to one more than the limit; {@code null} when it has none
   * or they cannot be read.
   */
  static int @Nullable [] characters(ValueWriter out, Closure.Constr constr, ConstructorName name) {
    return WellKnown.names(name)
        .map(CHARACTERS::get)
        .filter(found -> found != null && found.notation().fits(constr))
        .findFirst()
        .map(found -> found.contents().read(out, constr))
        .orElse(null);
  }

  private static Notation empty() {
    return new Notation(0, 0, (out, _, _) -> out.text("\"\""));
  }

  private static Notation byteArray() {
    return new Notation(
        1,
        0,
        (out, constr, precedence) -> {
          if (out.findClosure(constr.pointers().get(0)) instanceof Closure.ArrWords array) {
            out.bytes(array);
          } else {
            out.value(constr.pointers().get(0), precedence);
          }
        });
  }

  /** Finds the characters of a constructor; {@code null} when they cannot be read. */
  private interface Contents {
    int @Nullable [] read(ValueWriter out, Closure.Constr constr);
  }

  private static Notation.Body string(Contents contents) {
    return (out, constr, _) -> {
      int[] characters = contents.read(out, constr);
      if (characters == null) {
        out.text("<" + out.name(constr).map(ConstructorName::qualifiedName).orElse("string"));
        out.text(" whose contents are not on the heap>");
        return;
      }
      int limit = out.limits().characters();
      out.text(
          Lexemes.string(IntStream.of(characters).limit(limit).toArray())
              + (characters.length > limit ? "…" : ""));
    };
  }

  private static int @Nullable [] text(ValueWriter out, Closure.Constr constr) {
    return text(
        out,
        constr,
        constr.pointers().get(0),
        constr.nonPointers().get(0),
        constr.nonPointers().get(1));
  }

  private static int @Nullable [] text(
      ValueWriter out, Closure.Constr constr, long arrayPointer, long offset, long length) {
    boolean isUtf16 = isUtf16(out, constr);
    int unitBytes = isUtf16 ? 2 : 1;
    Charset charset = isUtf16 ? StandardCharsets.UTF_16LE : StandardCharsets.UTF_8;
    byte[] bytes = array(out, arrayPointer, offset * unitBytes, length * unitBytes, 4);
    return bytes == null ? null : Bytes.codePoints(bytes, charset);
  }

  private static boolean isUtf16(ValueWriter out, Closure.Constr constr) {
    Optional<String> unit = out.name(constr).map(ConstructorName::unit);
    return unit.filter(text -> text.startsWith("text-")).isPresent()
        ? UTF_16_UNIT.matcher(unit.get()).matches()
        : out.target().ghc().series() < FIRST_SERIES_WITH_UTF_8;
  }

  private static int @Nullable [] lazyText(ValueWriter out, Closure.Constr first) {
    return chunks(
        out,
        first,
        "Data.Text.Internal.Lazy.Chunk",
        chunk ->
            text(
                out,
                chunk,
                chunk.pointers().get(0),
                chunk.nonPointers().get(0),
                chunk.nonPointers().get(1)));
  }

  private static int @Nullable [] lazyByteString(ValueWriter out, Closure.Constr first) {
    return chunks(
        out, first, "Data.ByteString.Lazy.Internal.Chunk", chunk -> byteString(out, chunk));
  }

  /** Finds the characters of a chunk; {@code null} when they cannot be read. */
  private interface ChunkContents {
    int @Nullable [] read(Closure.Constr chunk);
  }

  /** As far as the chunks are evaluated; enough of them to reach the limit. */
  private static int @Nullable [] chunks(
      ValueWriter out, Closure.Constr first, String name, ChunkContents contents) {
    int[] all = {};
    Closure.Constr chunk = first;
    while (chunk != null
        && chunk.pointers().size() == 2
        && all.length <= out.limits().characters()
        && out.name(chunk).filter(found -> WellKnown.isNamed(found, name)).isPresent()) {
      int[] more = contents.read(chunk);
      if (more == null || more.length == 0) {
        return all.length == 0 ? null : all;
      }
      all = IntStream.concat(IntStream.of(all), IntStream.of(more)).toArray();
      chunk = out.findConstructor(chunk.pointers().get(1));
    }
    return all;
  }

  /**
   * Address and length, or address, offset and length in bytestring 0.10; the bytes are in the
   * array that the contents keep alive.
   */
  private static int @Nullable [] byteString(ValueWriter out, Closure.Constr constr) {
    int words = constr.nonPointers().size();
    long addr = constr.nonPointers().get(0) + (words > 2 ? constr.nonPointers().get(1) : 0);
    long length = constr.nonPointers().get(words - 1);
    if (length == 0) {
      return new int[0];
    }
    Closure.Constr contents = out.findConstructor(constr.pointers().get(0));
    if (contents == null || contents.pointers().size() == 0) {
      return null;
    }
    long arrayPointer = contents.pointers().get(0);
    if (!(out.findClosure(arrayPointer) instanceof Closure.ArrWords array)) {
      return null;
    }
    long dataAddr =
        array.address().address() + (out.target().headerWords() + 1L) * Target.WORD_BYTES;
    byte[] bytes = array(out, arrayPointer, addr - dataAddr, length, 1);
    return bytes == null ? null : Bytes.latin1(bytes);
  }

  private static int @Nullable [] shortByteString(ValueWriter out, Closure.Constr constr) {
    long arrayPointer = constr.pointers().get(0);
    if (!(out.findClosure(arrayPointer) instanceof Closure.ArrWords array)) {
      return null;
    }
    byte[] bytes = array(out, arrayPointer, 0, array.sizeBytes(), 1);
    return bytes == null ? null : Bytes.latin1(bytes);
  }

  /**
   * Bytes of an array, no more than can be shown.
   *
   * @param bytesPerCharacter at most
   */
  private static byte @Nullable [] array(
      ValueWriter out, long arrayPointer, long from, long length, int bytesPerCharacter) {
    if (!(out.findClosure(arrayPointer) instanceof Closure.ArrWords array)
        || !Bytes.has(array, from, length)) {
      return null;
    }
    long limit = (out.limits().characters() + 1L) * bytesPerCharacter;
    return Bytes.copy(array, from, length, (int) Math.min(limit, Integer.MAX_VALUE - 8));
  }
}
