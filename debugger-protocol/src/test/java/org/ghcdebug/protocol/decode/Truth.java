package org.ghcdebug.protocol.decode;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

/**
 * What the Haskell client 0.7 made of a recorded heap, from the resources below {@code /wire}.
 *
 * @param closures every closure that it reached
 * @param countByType how many there are by type
 * @param sourceInfo what it shows of source information, by info pointer
 */
record Truth(
    List<Long> roots,
    List<Long> saved,
    List<TruthClosure> closures,
    Map<String, Integer> countByType,
    Map<Long, String> sourceInfo) {
  /**
   * A closure as that client sees it.
   *
   * @param sizeBytes what it decoded; less than the closure's size for some types
   * @param text the decoded value as {@code show} gives it
   * @param children untagged
   */
  record TruthClosure(
      long address, String type, int sizeBytes, long infoAddr, String text, List<Long> children) {}

  private static final Pattern CLOSURE =
      Pattern.compile(
          "0x([0-9a-f]+) ([A-Z_0-9]+) (\\d+) 0x([0-9a-f]+) \\| (.*) \\| ?([0-9a-fx ]*)");
  private static final Pattern TYPE_COUNT = Pattern.compile("  ([A-Z_0-9]+) (\\d+) \\d+");
  private static final Pattern SOURCE = Pattern.compile("  0x([0-9a-f]+) (Nothing|Just \\(.*\\))");

  static Truth load(String recording) {
    var truth =
        new Truth(
            new ArrayList<>(),
            new ArrayList<>(),
            new ArrayList<>(),
            new LinkedHashMap<>(),
            new LinkedHashMap<>());
    lines("/wire/" + recording + ".truth.txt.gz").forEach(truth::add);
    return truth;
  }

  private void add(String line) {
    Matcher matcher;
    if (line.startsWith("  root 0x")) {
      roots.add(hex(line.substring(9)));
    } else if (line.startsWith("  saved 0x")) {
      saved.add(hex(line.substring(10)));
    } else if ((matcher = CLOSURE.matcher(line)).matches()) {
      List<Long> children =
          Stream.of(matcher.group(6).split(" "))
              .filter(child -> !child.isEmpty())
              .map(child -> hex(child.substring(2)))
              .toList();
      closures.add(
          new TruthClosure(
              hex(matcher.group(1)),
              matcher.group(2),
              Integer.parseInt(matcher.group(3)),
              hex(matcher.group(4)),
              matcher.group(5),
              children));
    } else if ((matcher = TYPE_COUNT.matcher(line)).matches()) {
      countByType.put(matcher.group(1), Integer.valueOf(matcher.group(2)));
    } else if ((matcher = SOURCE.matcher(line)).matches()) {
      sourceInfo.put(hex(matcher.group(1)), matcher.group(2));
    }
  }

  private static long hex(String digits) {
    return Long.parseUnsignedLong(digits, 16);
  }

  private static List<String> lines(String resource) {
    try (InputStream in = Truth.class.getResourceAsStream(resource)) {
      byte[] bytes = new GZIPInputStream(Objects.requireNonNull(in, resource)).readAllBytes();
      return new String(bytes, StandardCharsets.UTF_8).lines().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
