package org.ghcdebug.repl.command.verb;

import java.util.List;
import org.ghcdebug.client.analysis.census.CensusKey;
import org.ghcdebug.repl.command.Session;
import org.ghcdebug.repl.command.Verb;
import org.ghcdebug.repl.render.Summary;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What verbs share that compare the censuses of several targets. */
abstract class CensusComparison implements Verb {
  @Option(
      names = "--by",
      paramLabel = "KEY",
      description = "As for census; unless given, as the censuses that were saved.")
  private @Nullable CensusKey key;

  @Mixin private WhereOption where = new WhereOption();

  @Override
  public final boolean needsTarget() {
    return false;
  }

  /** The censuses of targets, all made alike. */
  final List<CensusSource> censuses(Session session, List<String> targets) {
    return CensusSource.ofAll(session, targets, key, where);
  }

  /** What the censuses lack. */
  static <T> Summary<T> summary(List<CensusSource> censuses, @Nullable T totals) {
    List<String> missing = censuses.stream().flatMap(census -> census.missing().stream()).toList();
    List<String> notes = censuses.stream().flatMap(census -> census.notes().stream()).toList();
    return Summary.of(missing.isEmpty(), missing, totals).withNotes(notes);
  }
}
