package org.ghcdebug.client.source.symbols;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.ghcdebug.protocol.closure.CodeSymbol;
import org.ghcdebug.protocol.error.MalformedDataException;
import org.jspecify.annotations.Nullable;

/**
 * The symbols of a process on this machine: of its executable and the shared objects loaded when it
 * was opened. What may not be read, such as that of another user, knows nothing. Not thread-safe.
 *
 * <p>Source: {@code /proc/PID/maps}, and the files it names as that process sees them.
 */
public final class ProcessSymbols implements AutoCloseable {
  private static final Pattern EXECUTABLE_MAPPING =
      Pattern.compile("([0-9a-f]+)-([0-9a-f]+) r.x. ([0-9a-f]+) \\S+ [1-9][0-9]* +(/.*)");

  private final List<Mapping> mappings;
  private final Map<Path, @Nullable ElfSymbols> files = new HashMap<>();

  private record Mapping(long start, long end, long fileOffset, Path file) {
    boolean contains(long addr) {
      return addr >= start && addr < end;
    }
  }

  private ProcessSymbols(List<Mapping> mappings) {
    this.mappings = mappings;
  }

  /** Reads where the process has its code; the files are read when they are needed. */
  public static ProcessSymbols of(long pid) {
    Path process = Path.of("/proc", Long.toString(pid));
    List<Mapping> mappings = new ArrayList<>();
    try {
      for (String line : Files.readAllLines(process.resolve("maps"))) {
        Matcher matcher = EXECUTABLE_MAPPING.matcher(line);
        if (matcher.matches()) {
          mappings.add(
              new Mapping(
                  Long.parseUnsignedLong(matcher.group(1), 16),
                  Long.parseUnsignedLong(matcher.group(2), 16),
                  Long.parseUnsignedLong(matcher.group(3), 16),
                  process.resolve("root" + matcher.group(4))));
        }
      }
    } catch (IOException unreadable) {
      mappings.clear();
    }
    return new ProcessSymbols(mappings);
  }

  /** What the symbols say about the code at an info pointer; {@code null} for nothing. */
  public @Nullable CodeSymbol find(long infoAddr) {
    for (Mapping mapping : mappings) {
      if (mapping.contains(infoAddr)) {
        ElfSymbols symbols = files.computeIfAbsent(mapping.file(), ProcessSymbols::open);
        long fileOffset = infoAddr - mapping.start() + mapping.fileOffset();
        return symbols == null ? null : symbols.find(symbols.linkedAddress(fileOffset));
      }
    }
    return null;
  }

  private static @Nullable ElfSymbols open(Path file) {
    try {
      return ElfSymbols.open(file);
    } catch (IOException | MalformedDataException unreadable) {
      return null;
    }
  }

  @Override
  public void close() {
    files.values().forEach(ElfSymbols::close);
  }
}
