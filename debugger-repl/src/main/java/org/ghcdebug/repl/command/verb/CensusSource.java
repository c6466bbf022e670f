package org.ghcdebug.repl.command.verb;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.ghcdebug.client.analysis.census.CensusKey;
import org.ghcdebug.client.analysis.census.CensusResult;
import org.ghcdebug.client.analysis.census.TwoLevelCensus;
import org.ghcdebug.client.debuggee.Debuggee;
import org.ghcdebug.client.debuggee.HeapView;
import org.ghcdebug.client.index.ClosureSelection;
import org.ghcdebug.protocol.error.MalformedDataException;
import org.ghcdebug.protocol.error.SourceUnavailableException;
import org.ghcdebug.repl.command.Session;
import org.ghcdebug.repl.command.UsageException;
import org.ghcdebug.repl.render.JsonReader;
import org.jspecify.annotations.Nullable;

/**
 * The census of a target: taken now, or read from a file in which {@code census --json} or {@code
 * --format ndjson} has left one.
 *
 * @param name of the target or file
 * @param made how it was made; null when the file does not tell
 * @param rows its rows
 * @param missing what it lacks, as warnings
 */
record CensusSource(
    String name, @Nullable Making made, List<CensusResult.Row> rows, List<String> missing) {
  private static final String CENSUS = "census";
  private static final String TWO_LEVEL = "census2";
  private static final Pattern SCHEMA =
      Pattern.compile("ghc-debug/(" + CENSUS + "|" + TWO_LEVEL + ")/1");

  CensusSource {
    rows = List.copyOf(rows);
    missing = List.copyOf(missing);
  }

  /**
   * How a census was made.
   *
   * @param verb which made it
   * @param by name of the key
   * @param where the filter; empty for none
   */
  record Making(String verb, String by, String where) {
    @Override
    public String toString() {
      return where.isEmpty()
          ? "%s --by %s".formatted(verb, by)
          : "%s --by %s --where '%s'".formatted(verb, by, where);
    }
  }

  /**
   * The censuses of targets, made alike; saved ones are read first, and decide what is not given.
   *
   * @param key by what to group; null when that was not given
   * @throws UsageException when they were made differently
   */
  static List<CensusSource> ofAll(
      Session session, List<String> targets, @Nullable CensusKey key, WhereOption where) {
    Map<String, CensusSource> saved = new LinkedHashMap<>();
    for (String target : targets) {
      if (isSaved(target)) {
        saved.computeIfAbsent(target, file -> read(Path.of(file)));
      }
    }
    Making wanted = wanted(saved.values(), key, where);
    for (CensusSource census : saved.values()) {
      census.require(wanted, where.isGiven());
    }
    return targets.stream()
        .map(
            target ->
                saved.containsKey(target)
                    ? Objects.requireNonNull(saved.get(target))
                    : session.at(target, debuggee -> taken(session, target, debuggee, wanted)))
        .toList();
  }

  private static Making wanted(
      Collection<CensusSource> saved, @Nullable CensusKey key, WhereOption where) {
    Making model =
        saved.stream()
            .map(CensusSource::made)
            .filter(Objects::nonNull)
            .findFirst()
            .orElse(new Making(CENSUS, CensusKey.CONSTRUCTOR.toString(), ""));
    return new Making(
        model.verb(),
        key == null ? model.by() : key.toString(),
        where.isGiven() ? where.text() : model.where());
  }

  private void require(Making wanted, boolean isFiltered) {
    if (made == null && isFiltered) {
      throw new UsageException(
          "--where: %s is a saved census, whose closures are counted already".formatted(name));
    }
    if (made != null && !made.equals(wanted)) {
      throw new UsageException(
          "%s was made by %s, which cannot be compared with %s; save it anew, or ask for the same"
              .formatted(name, made, wanted));
    }
  }

  /** What is to be known, though nothing is missing. */
  List<String> notes() {
    return made == null
        ? List.of(name + " does not say with which --by and --where it was made")
        : List.of();
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
      Session session, String target, Debuggee debuggee, Making making) {
    HeapView view = debuggee.view(session.work());
    CensusKey key = key(making, target);
    ClosureSelection selection =
        making.where().isEmpty()
            ? ClosureSelection.ALL
            : Filters.over(view, Filters.parse(List.of(making.where())), session.work());
    CensusResult census =
        Answers.orUsage(
            "census of " + target + " by " + key,
            () ->
                making.verb().equals(TWO_LEVEL)
                    ? TwoLevelCensus.of(
                        key, view.heap(), view.copy(session.work()), selection, session.work())
                    : view.census(key, selection, session.work()));
    List<String> missing = new ArrayList<>(debuggee.warnings());
    missing.addAll(Completeness.of(census.missing(), census).warnings());
    return new CensusSource(
        target,
        making,
        census.rows(),
        missing.stream().map(warning -> target + ": " + warning).toList());
  }

  private static CensusKey key(Making making, String target) {
    return Stream.of(CensusKey.values())
        .filter(key -> key.toString().equals(making.by()))
        .findFirst()
        .orElseThrow(
            () ->
                new UsageException(
                    "census of %s by %s: there is no such key".formatted(target, making.by())));
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
      Matcher schema = SCHEMA.matcher(String.valueOf(whole.get("schema")));
      if (!schema.matches()) {
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
      return new CensusSource(file.toString(), making(schema.group(1), whole), rows, missing);
    }
    return new CensusSource(
        file.toString(), null, values.stream().map(row -> row(row, file)).toList(), List.of());
  }

  /** Files of earlier versions do not tell. */
  private static @Nullable Making making(String verb, Map<?, ?> whole) {
    return whole.get("question") instanceof Map<?, ?> question
            && question.get("by") instanceof String by
        ? new Making(verb, by, question.get("where") instanceof String where ? where : "")
        : null;
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
