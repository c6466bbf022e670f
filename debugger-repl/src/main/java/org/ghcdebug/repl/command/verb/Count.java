package org.ghcdebug.repl.command.verb;

import java.util.List;
import org.ghcdebug.client.debuggee.HeapView;
import org.ghcdebug.client.index.HeapTally;
import org.ghcdebug.client.query.Filter;
import org.ghcdebug.repl.command.Session;
import org.ghcdebug.repl.command.Verb;
import org.ghcdebug.repl.render.Column;
import org.ghcdebug.repl.render.Layout;
import org.ghcdebug.repl.render.Shape;
import org.ghcdebug.repl.render.Values;
import org.ghcdebug.repl.render.View;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** How much is alive. */
@Command(
    name = "count",
    header = "Count the closures that can be reached, and their bytes.",
    description = {
      "",
      "All of them, or those that a filter wants; \"help find\" explains filters."
    },
    footer = {
      "",
      "Examples:",
      "  ghc-debug count app.sock",
      "  ghc-debug count app.sock 'Map.Bin or Map.Tip'"
    })
final class Count implements Verb {
  /** How many closures, and how large they are together. */
  record Row(long count, long bytes) {}

  private static final List<Column<Row>> COLUMNS =
      List.of(new Column.Count<>("count", Row::count), new Column.Bytes<>("bytes", Row::bytes));

  private static final Shape<Row, Row> SHAPE =
      new Shape<>(
          "count",
          new Layout.Lines<>(
              row ->
                  "%s closures, %s"
                      .formatted(Values.count(row.count()), Values.bytes(row.bytes()))),
          COLUMNS,
          COLUMNS);

  @Parameters(arity = "0..*", paramLabel = "EXPR", description = "Count only what it wants.")
  private List<String> expression = List.of();

  @Override
  public Shape<?, ?> shape() {
    return SHAPE;
  }

  @Override
  public boolean needsTarget() {
    return true;
  }

  @Override
  public View<?, ?> run(Session session) {
    HeapTally tally =
        expression.isEmpty()
            ? session.view().tally(session.work())
            : count(session, Filters.parse(expression));
    var row = new Row(tally.totalCount(), tally.totalBytes());
    return View.of(SHAPE, List.of(row), Completeness.of(tally.missing(), row));
  }

  private static HeapTally count(Session session, Filter filter) {
    HeapView view = session.view();
    return view.tally(Filters.over(view, filter, session.work()), session.work());
  }
}
