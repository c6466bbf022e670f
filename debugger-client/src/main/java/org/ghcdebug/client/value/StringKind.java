package org.ghcdebug.client.value;

import org.ghcdebug.protocol.closure.ConstructorName;
import org.ghcdebug.protocol.target.GhcVersion;
import org.jspecify.annotations.Nullable;

/** The types of strings, by how their contents are found. */
public enum StringKind {
  /** Cells of characters. */
  LIST("String"),
  /** Array, offset and length in bytes. */
  TEXT("Text"),
  /** Array, offset and length in units of two bytes: text before 2.0. */
  UTF_16_TEXT("Text"),
  /** StringData that keep an array, address and length. */
  BYTE_STRING("ByteString"),
  /** StringData that keep an array, address, offset and length: bytestring before 0.11. */
  OFFSET_BYTE_STRING("ByteString"),
  /** An array. */
  SHORT_BYTE_STRING("ShortByteString");

  private static final int FIRST_SERIES_WITH_UTF_8 = 904; // text 2 comes with GHC 9.4

  private final String label;

  StringKind(String label) {
    this.label = label;
  }

  /** The Haskell type. */
  public String label() {
    return label;
  }

  /** The kind of a constructor of that shape; {@code null} when it is no string. */
  static @Nullable StringKind find(
      ConstructorName name, int pointers, int nonPointers, GhcVersion ghc) {
    return switch (name.qualifiedName()) {
      case "GHC.Types.:" -> pointers == 2 ? LIST : null;
      case "Data.Text.Internal.Text" -> pointers == 1 && nonPointers == 2 ? text(name, ghc) : null;
      case "Data.Text.Internal.Lazy.Chunk" ->
          pointers == 2 && nonPointers == 2 ? text(name, ghc) : null;
      case "Data.ByteString.Internal.BS",
          "Data.ByteString.Internal.Type.BS",
          "Data.ByteString.Lazy.Internal.Chunk",
          "Data.ByteString.Internal.PS",
          "Data.ByteString.Internal.Type.PS" ->
          byteString(pointers, nonPointers);
      case "Data.ByteString.Short.Internal.SBS" -> pointers == 1 ? SHORT_BYTE_STRING : null;
      default -> null;
    };
  }

  private static StringKind text(ConstructorName name, GhcVersion ghc) {
    boolean isUtf16 =
        name.packageName().equals("text") && name.unit().startsWith("text-")
            ? name.unit().matches("text-[01]\\..*")
            : ghc.series() < FIRST_SERIES_WITH_UTF_8;
    return isUtf16 ? UTF_16_TEXT : TEXT;
  }

  private static @Nullable StringKind byteString(int pointers, int nonPointers) {
    if (pointers < 1 || nonPointers < 2 || nonPointers > 3) {
      return null;
    }
    return nonPointers == 2 ? BYTE_STRING : OFFSET_BYTE_STRING;
  }
}
