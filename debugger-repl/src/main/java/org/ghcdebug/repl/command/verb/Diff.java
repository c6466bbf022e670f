package org.ghcdebug.repl.command.verb;

import java.util.List;
import java.util.stream.Stream;
import org.ghcdebug.client.analysis.census.CensusDiff;
import org.ghcdebug.client.analysis.census.CensusKey;
import org.ghcdebug.repl.command.Session;
import org.ghcdebug.repl.command.Verb;
import org.ghcdebug.repl.render.Column;
import org.ghcdebug.repl.render.Shape;
import org.ghcdebug.repl.render.Summary;
import org.ghcdebug.repl.render.View;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What changed between two heaps. */
@Command(
    name = "diff",
    header = "Compare the censuses of two targets: what grew, what shrank.",
    description = {
      "",
      "Targets are programs, snapshots, or files in which \"census --json -o FILE\" left a census.",
      "Rows that did not change are left out; the largest change in bytes comes first."
    },
    footer = {
      "",
      "Examples:",
      "  ghc-debug diff before.snapshot after.snapshot --by closure",
      "  ghc-debug diff monday.json app.sock --top 20"
    })
final class Diff implements Verb {
  private record Totals(long countDelta, long bytesDelta) {}

  private static final Shape<CensusDiff.Row, Totals> SHAPE =
      Shape.table(
          "diff",
          List.<Column<CensusDiff.Row>>of(
              new Column.Text<>("key", CensusDiff.Row::key),
              new Column.Count<>("countBefore", CensusDiff.Row::countBefore),
              new Column.Count<>("countAfter", CensusDiff.Row::countAfter),
              new Column.Count<>("countDelta", CensusDiff.Row::countDelta),
              new Column.Bytes<>("bytesBefore", CensusDiff.Row::bytesBefore),
              new Column.Bytes<>("bytesAfter", CensusDiff.Row::bytesAfter),
              new Column.Bytes<>("bytesDelta", CensusDiff.Row::bytesDelta)),
          List.<Column<Totals>>of(
              new Column.Count<>("countDelta", Totals::countDelta),
              new Column.Bytes<>("bytesDelta", Totals::bytesDelta)));

  @Parameters(index = "0", paramLabel = "TARGET", description = "The earlier target, or census.")
  private String before = "";

  @Parameters(index = "1", paramLabel = "TARGET", description = "The later target, or census.")
  private String after = "";

  @Option(
      names = "--by",
      paramLabel = "KEY",
      description = "As for census; saved censuses keep theirs.")
  private CensusKey key = CensusKey.CONSTRUCTOR;

  @Mixin private WhereOption where = new WhereOption();

  @Override
  public Shape<?, ?> shape() {
    return SHAPE;
  }

  @Override
  public boolean needsTarget() {
    return false;
  }

  @Override
  public View<?, ?> run(Session session) {
    CensusSource earlier = CensusSource.of(session, before, key, where);
    CensusSource later = CensusSource.of(session, after, key, where);
    List<CensusDiff.Row> rows = CensusDiff.of(earlier.rows(), later.rows()).rows();
    List<String> missing =
        Stream.concat(earlier.missing().stream(), later.missing().stream()).toList();
    var totals =
        new Totals(
            rows.stream().mapToLong(CensusDiff.Row::countDelta).sum(),
            rows.stream().mapToLong(CensusDiff.Row::bytesDelta).sum());
    return View.of(SHAPE, rows, Summary.of(missing.isEmpty(), missing, totals));
  }
}
