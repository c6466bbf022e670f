package org.ghcdebug.repl.command.verb;

import java.util.List;
import org.ghcdebug.client.analysis.census.CensusTrend;
import org.ghcdebug.repl.command.Session;
import org.ghcdebug.repl.render.Column;
import org.ghcdebug.repl.render.Shape;
import org.ghcdebug.repl.render.View;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** How heaps went. */
@Command(
    name = "trend",
    header = "Compare the censuses of several targets, the oldest first: what keeps growing.",
    description = {
      "",
      "Targets are as for diff. Rows that never shrank come first, by growth; those that did not",
      "change are left out."
    },
    footer = {
      "",
      "Example:",
      "  ghc-debug trend 10am.snapshot 11am.snapshot noon.snapshot --by closure --top 20"
    })
final class Trend extends CensusComparison {
  private static final Shape<CensusTrend.Row, Void> SHAPE =
      Shape.table(
          "trend",
          List.<Column<CensusTrend.Row>>of(
              new Column.Text<>("key", CensusTrend.Row::key),
              new Column.Flag<>("growing", CensusTrend.Row::isGrowing),
              new Column.Count<>("countDelta", CensusTrend.Row::countDelta),
              new Column.Bytes<>("bytesDelta", CensusTrend.Row::bytesDelta),
              new Column.Records<>(
                  "points",
                  List.<Column<CensusTrend.Point>>of(
                      new Column.Count<>("count", CensusTrend.Point::count),
                      new Column.Bytes<>("bytes", CensusTrend.Point::bytes)),
                  CensusTrend.Row::points)));

  @Parameters(arity = "2..*", paramLabel = "TARGET", description = "Targets, or censuses.")
  private List<String> targets = List.of();

  @Override
  public Shape<?, ?> shape() {
    return SHAPE;
  }

  @Override
  public View<?, ?> run(Session session) {
    List<CensusSource> censuses = censuses(session, targets);
    return View.of(
        SHAPE,
        CensusTrend.of(censuses.stream().map(CensusSource::rows).toList()).rows(),
        summary(censuses, null));
  }
}
