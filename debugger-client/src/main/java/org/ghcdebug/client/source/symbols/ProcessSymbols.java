package org.ghcdebug.client.source.symbols;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.ghcdebug.protocol.closure.CodeSymbol;
import org.ghcdebug.protocol.error.MalformedDataException;
import org.ghcdebug.protocol.target.AddressList;
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

  /** What the symbols say about the code at info pointers; {@code null} for nothing. */
  public List<@Nullable CodeSymbol> find(AddressList infoAddrs) {
    Map<Path, TreeMap<Long, Long>> linkedAddrs = new HashMap<>(); // as linked -> info pointer
    for (int i = 0; i < infoAddrs.size(); i++) {
      long infoAddr = infoAddrs.get(i);
      for (Mapping mapping : mappings) {
        ElfSymbols symbols =
            mapping.contains(infoAddr)
                ? files.computeIfAbsent(mapping.file(), ProcessSymbols::open)
                : null;
        if (symbols != null) {
          long fileOffset = infoAddr - mapping.start() + mapping.fileOffset();
          linkedAddrs
              .computeIfAbsent(mapping.file(), _ -> new TreeMap<>())
              .put(symbols.linkedAddress(fileOffset), infoAddr);
        }
      }
    }
    Map<Long, CodeSymbol> found = new HashMap<>();
    linkedAddrs.forEach(
        (file, wanted) -> {
          long[] sorted = wanted.keySet().stream().mapToLong(Long::longValue).toArray();
          List<@Nullable CodeSymbol> symbols = requireNonNull(files.get(file)).find(sorted);
          for (int i = 0; i < sorted.length; i++) {
            CodeSymbol symbol = symbols.get(i);
            if (symbol != null) {
              found.put(requireNonNull(wanted.get(sorted[i])), symbol);
            }
          }
        });
    List<@Nullable CodeSymbol> result = new ArrayList<>(infoAddrs.size());
    for (int i = 0; i < infoAddrs.size(); i++) {
      result.add(found.get(infoAddrs.get(i)));
    }
    return result;
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
    files
        .values()
        .forEach(
            symbols -> {
              if (symbols != null) {
                symbols.close();
              }
            });
  }
}
