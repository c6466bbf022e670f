package org.ghcdebug.repl.command.verb;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.ghcdebug.client.analysis.census.Census;
import org.ghcdebug.client.analysis.census.CensusKey;
import org.ghcdebug.client.analysis.census.CensusResult;
import org.ghcdebug.client.debuggee.Debuggee;
import org.ghcdebug.client.debuggee.HeapView;
import org.ghcdebug.protocol.error.MalformedDataException;
import org.ghcdebug.protocol.error.SourceUnavailableException;
import org.ghcdebug.repl.command.Session;
import org.ghcdebug.repl.command.UsageException;
import org.ghcdebug.repl.render.JsonReader;

/**
 * The census of a target: taken now, or read from a file in which {@code census --json} or {@code
 * --format ndjson} has left one.
 *
 * @param rows its rows
 * @param missing what it lacks, as warnings
 */
record CensusSource(List<CensusResult.Row> rows, List<String> missing) {
  private static final String SCHEMA = "ghc-debug/census";

  CensusSource {
    rows = List.copyOf(rows);
    missing = List.copyOf(missing);
  }

  /**
   * @param key by what to group, where that is not settled
   * @param where a filter, for targets only
   */
  static CensusSource of(Session session, String target, CensusKey key, WhereOption where) {
    if (!isSaved(target)) {
      return session.at(target, debuggee -> taken(session, target, debuggee, key, where));
    }
    if (where.isGiven()) {
      throw new UsageException(
          "--where: %s is a saved census, whose closures are counted already".formatted(target));
    }
    return read(Path.of(target));
  }

  private static boolean isSaved(String target) {
    Path path = Path.of(target);
    if (!Files.isRegularFile(path)) {
      return false;
    }
    try (InputStream bytes = Files.newInputStream(path)) {
      return bytes.read() == '{';
    } catch (IOException e) {
      return false; // Opening it as a target says what is wrong.
    }
  }

  private static CensusSource taken(
      Session session, String target, Debuggee debuggee, CensusKey key, WhereOption where) {
    HeapView view = debuggee.view(session.work());
    CensusResult census =
        Answers.orUsage(
            "census of " + target + " by " + key,
            () ->
                Census.of(
                    key,
                    view.heap(),
                    view.copy(session.work()),
                    where.over(view, session.work()),
                    session.work()));
    List<String> missing = new ArrayList<>(debuggee.warnings());
    missing.addAll(Completeness.of(census.missing(), census).warnings());
    return new CensusSource(
        census.rows(), missing.stream().map(warning -> target + ": " + warning).toList());
  }

  private static CensusSource read(Path file) {
    String text;
    try {
      text = Files.readString(file, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new SourceUnavailableException(file.toString(), "cannot be read: " + e.getMessage(), e);
    }
    List<Object> values = JsonReader.readAll(text, file.toString());
    if (values.getFirst() instanceof Map<?, ?> whole && whole.containsKey("rows")) {
      if (!String.valueOf(whole.get("schema")).startsWith(SCHEMA)) {
        throw new MalformedDataException(
            file.toString(),
            0,
            "found the answer of %s, expected that of census".formatted(whole.get("schema")));
      }
      List<CensusResult.Row> rows =
          ((List<?>) whole.get("rows")).stream().map(row -> row(row, file)).toList();
      List<String> missing = new ArrayList<>();
      if (!Boolean.TRUE.equals(whole.get("complete"))) {
        missing.add(file + ": the census was not complete");
      }
      long counted = rows.stream().mapToLong(CensusResult.Row::count).sum();
      if (whole.get("totals") instanceof Map<?, ?> totals
          && totals.get("count") instanceof Long total
          && total != counted) {
        missing.add(
            "%s: its rows count %d of %d closures; save the census without --top and --limit"
                .formatted(file, counted, total));
      }
      return new CensusSource(rows, missing);
    }
    return new CensusSource(values.stream().map(row -> row(row, file)).toList(), List.of());
  }

  private static CensusResult.Row row(Object value, Path file) {
    if (value instanceof Map<?, ?> row
        && row.get("key") instanceof String key
        && row.get("count") instanceof Long count
        && row.get("bytes") instanceof Long bytes) {
      long maxBytes = Optional.ofNullable(row.get("maxBytes")).map(Long.class::cast).orElse(0L);
      return new CensusResult.Row(key, count, bytes, maxBytes, List.of());
    }
    throw new MalformedDataException(
        file.toString(), 0, "found %s, expected a row of a census".formatted(value));
  }
}
