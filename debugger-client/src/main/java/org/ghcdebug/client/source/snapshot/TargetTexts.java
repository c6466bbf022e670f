package org.ghcdebug.client.source.snapshot;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.ghcdebug.protocol.error.MalformedDataException;
import org.ghcdebug.protocol.error.UnsupportedTargetException;
import org.ghcdebug.protocol.target.GhcVersion;
import org.ghcdebug.protocol.target.ProfilingMode;
import org.ghcdebug.protocol.target.Target;

/** A target as a snapshot's metadata states it. */
final class TargetTexts {
  private static final String GHC = "target.ghc";
  private static final String PROFILING = "target.profiling";
  private static final String WORD_BYTES = "target.wordBytes";
  private static final String BYTE_ORDER = "target.byteOrder";
  private static final Pattern VERSION = Pattern.compile("(\\d{1,4})\\.(\\d{1,2})\\.(\\d{1,9})");

  private TargetTexts() {}

  static Map<String, String> of(Target target) {
    Map<String, String> texts = new LinkedHashMap<>();
    texts.put(GHC, target.ghc().toString());
    texts.put(PROFILING, target.profiling().name().toLowerCase(Locale.ROOT));
    texts.put(WORD_BYTES, Integer.toString(Target.WORD_BYTES));
    texts.put(BYTE_ORDER, "little");
    texts.put("target.tablesNextToCode", "true");
    return texts;
  }

  /**
   * @param where the file's name in error messages
   * @throws MalformedDataException when the texts do not state a target
   * @throws UnsupportedTargetException when it is not one with 8-byte little-endian words
   */
  static Target parse(String where, Map<String, String> texts) {
    Matcher version = VERSION.matcher(texts.getOrDefault(GHC, ""));
    if (!version.matches()) {
      throw new MalformedDataException(
          where,
          0,
          "metadata %s is \"%s\", expected a version such as 9.10.3"
              .formatted(GHC, texts.getOrDefault(GHC, "")));
    }
    String order = texts.getOrDefault(BYTE_ORDER, "little");
    String wordBytes = texts.getOrDefault(WORD_BYTES, "8");
    if (!order.equals("little") || !wordBytes.equals("8")) {
      throw new UnsupportedTargetException(
          "a heap of %s-byte words, byte order %s".formatted(wordBytes, order),
          "8-byte words, byte order little");
    }
    GhcVersion ghc =
        new GhcVersion(
            100 * Integer.parseInt(version.group(1)) + Integer.parseInt(version.group(2)),
            Integer.parseInt(version.group(3)));
    return new Target(ghc, profiling(where, texts.getOrDefault(PROFILING, "vanilla")));
  }

  private static ProfilingMode profiling(String where, String text) {
    for (ProfilingMode mode : ProfilingMode.values()) {
      if (mode.name().toLowerCase(Locale.ROOT).equals(text)) {
        return mode;
      }
    }
    throw new MalformedDataException(
        where, 0, "metadata %s is \"%s\", which is no way of the RTS".formatted(PROFILING, text));
  }
}
