package org.ghcdebug.protocol.eventlog;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

/** The sample logs of the test resources, and of {@code ghcdebug.eventlogSamples}. */
final class SampleLogs {
  private SampleLogs() {}

  /** Name, bytes and ground truth of one log. */
  record Sample(String name, byte[] bytes, List<String> truth) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Sample> all() {
    return roots().stream().flatMap(root -> under(root, ".*"));
  }

  static Sample named(String name) {
    return roots().stream().flatMap(root -> under(root, ".*/" + name)).findFirst().orElseThrow();
  }

  private static List<Path> roots() {
    List<Path> roots = new ArrayList<>();
    roots.add(
        Path.of(System.getProperty("ghcdebug.projectRoot", ".."))
            .resolve("debugger-protocol/src/test/resources/eventlog"));
    String more = System.getProperty("ghcdebug.eventlogSamples");
    if (more != null) {
      roots.add(Path.of(more));
    }
    return roots;
  }

  private static Stream<Sample> under(Path root, String pattern) {
    try (Stream<Path> files = Files.walk(root)) {
      return files
          .filter(file -> file.toString().matches(pattern + "\\.(eventlog|bin)\\.gz"))
          .sorted()
          .map(file -> load(root, file))
          .toList()
          .stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Sample load(Path root, Path file) {
    String name = root.relativize(file).toString().replaceFirst("\\.(eventlog|bin)\\.gz$", "");
    String truth = new String(gunzip(root.resolve(name + ".txt.gz")), StandardCharsets.UTF_8);
    return new Sample(name, gunzip(file), List.of(truth.split("\n", -1)));
  }

  static byte[] gunzip(Path file) {
    try (GZIPInputStream in =
        new GZIPInputStream(new ByteArrayInputStream(Files.readAllBytes(file)))) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** All items of a log pushed in pieces of one size. */
  static List<LogItem> decode(byte[] bytes, int pieceBytes) {
    EventLogDecoder decoder = new EventLogDecoder();
    List<LogItem> items = new ArrayList<>();
    for (int at = 0; at < bytes.length; at += pieceBytes) {
      decoder.push(bytes, at, Math.min(pieceBytes, bytes.length - at));
      poll(decoder, items);
    }
    decoder.finish();
    poll(decoder, items);
    return items;
  }

  static void poll(EventLogDecoder decoder, List<LogItem> items) {
    for (LogItem item = decoder.poll(); item != null; item = decoder.poll()) {
      items.add(item);
    }
  }
}
