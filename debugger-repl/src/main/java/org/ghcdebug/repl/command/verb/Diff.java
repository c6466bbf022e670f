package org.ghcdebug.repl.command.verb;

import java.util.List;
import org.ghcdebug.client.analysis.census.CensusDiff;
import org.ghcdebug.repl.command.Session;
import org.ghcdebug.repl.render.Column;
import org.ghcdebug.repl.render.Shape;
import org.ghcdebug.repl.render.View;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** What changed between two heaps. */
@Command(
    name = "diff",
    header = "Compare the censuses of two targets: what grew, what shrank.",
    description = {
      "",
      "Targets are programs, snapshots, or files in which \"census --json -o FILE\" left a census.",
      "All must be made by the same --by and --where; saved ones say by which they were. Rows that",
      "did not change are left out; the largest change in bytes comes first."
    },
    footer = {
      "",
      "Examples:",
      "  ghc-debug diff before.snapshot after.snapshot --by closure",
      "  ghc-debug diff monday.json app.sock --top 20"
    })
final class Diff extends CensusComparison {
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

  @Override
  public Shape<?, ?> shape() {
    return SHAPE;
  }

  @Override
  public View<?, ?> run(Session session) {
    List<CensusSource> censuses = censuses(session, List.of(before, after));
    List<CensusDiff.Row> rows =
        CensusDiff.of(censuses.getFirst().rows(), censuses.getLast().rows()).rows();
    var totals =
        new Totals(
            rows.stream().mapToLong(CensusDiff.Row::countDelta).sum(),
            rows.stream().mapToLong(CensusDiff.Row::bytesDelta).sum());
    return View.of(SHAPE, rows, summary(censuses, totals));
  }
}
