package org.ghcdebug.repl.command.verb;

import org.ghcdebug.client.analysis.census.CensusKey;
import org.ghcdebug.client.analysis.census.CensusResult;
import org.ghcdebug.client.analysis.census.TwoLevelCensus;
import org.ghcdebug.client.debuggee.HeapView;
import org.ghcdebug.repl.command.Session;
import org.ghcdebug.repl.command.Verb;
import org.ghcdebug.repl.render.Shape;
import org.ghcdebug.repl.render.View;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What fills the heap, by what it refers to. */
@Command(
    name = "census2",
    header = "Group what can be reached by what it is and what it refers to.",
    description = {
      "",
      "Rows are kinds such as Just[<THUNK>]: constructors, functions and thunks with what their",
      "fields are, in order; arrays with the kinds of their elements, in braces."
    },
    footer = {
      "",
      "Examples:",
      "  ghc-debug census2 app.sock --top 20",
      "  ghc-debug census2 app.sock --where Map.Bin"
    })
final class TakeTwoLevelCensus implements Verb {
  private static final Shape<CensusResult.Row, CensusResult> SHAPE =
      Shape.table("census2", TakeCensus.COLUMNS, TakeCensus.TOTALS);

  @Option(
      names = "--by",
      paramLabel = "KEY",
      description = "constructor (unless given), type, closure, module, package or source.")
  private CensusKey key = CensusKey.CONSTRUCTOR;

  @Mixin private WhereOption where = new WhereOption();

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
    HeapView view = session.view();
    CensusResult census =
        Answers.orUsage(
            "census2 --by " + key,
            () ->
                TwoLevelCensus.of(
                    key,
                    view.heap(),
                    view.copy(session.work()),
                    where.over(view, session.work()),
                    session.work()));
    return View.of(SHAPE, census.rows(), Completeness.of(census.missing(), census));
  }
}
