package org.ghcdebug.client.eventlog;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.ghcdebug.protocol.eventlog.EventLogDecoder;
import org.ghcdebug.protocol.eventlog.LogItem;
import org.ghcdebug.protocol.eventlog.TimedEvent;

/** The sample logs, which belong to debugger-protocol's tests. */
public final class EventLogSamples {
  private EventLogSamples() {}

  static Path root() {
    return Path.of(System.getProperty("ghcdebug.projectRoot", ".."))
        .resolve("debugger-protocol/src/test/resources/eventlog");
  }

  /** The compressed logs and captures. */
  public static List<Path> files() {
    try (Stream<Path> files = Files.walk(root())) {
      return files.filter(f -> f.toString().matches(".*\\.(eventlog|bin)\\.gz")).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A compressed log or capture by its name without extension. */
  public static Path file(String name) {
    Path log = root().resolve(name + ".eventlog.gz");
    return Files.exists(log) ? log : root().resolve(name + ".bin.gz");
  }

  public static byte[] bytes(Path file) {
    try (GZIPInputStream in = new GZIPInputStream(Files.newInputStream(file))) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static byte[] bytes(String name) {
    return bytes(file(name));
  }

  /** The events in stream order. */
  public static List<TimedEvent> events(byte[] bytes) {
    EventLogDecoder decoder = new EventLogDecoder();
    decoder.push(bytes, 0, bytes.length);
    decoder.finish();
    List<TimedEvent> events = new ArrayList<>();
    for (LogItem item = decoder.poll(); item != null; item = decoder.poll()) {
      if (item instanceof TimedEvent event) {
        events.add(event);
      }
    }
    return events;
  }
}
