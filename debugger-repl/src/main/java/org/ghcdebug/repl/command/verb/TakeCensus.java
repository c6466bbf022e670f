package org.ghcdebug.repl.command.verb;

import java.util.List;
import org.ghcdebug.client.analysis.census.CensusKey;
import org.ghcdebug.client.analysis.census.CensusResult;
import org.ghcdebug.client.debuggee.HeapView;
import org.ghcdebug.protocol.target.AddressList;
import org.ghcdebug.repl.command.Session;
import org.ghcdebug.repl.command.Verb;
import org.ghcdebug.repl.render.Column;
import org.ghcdebug.repl.render.Shape;
import org.ghcdebug.repl.render.View;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What fills the heap. */
@Command(
    name = "census",
    header = "Group what can be reached by what it is: what fills the heap.",
    description = {
      "",
      "Rows are sorted by bytes. What lacks the key, such as a function's constructor, is grouped"
          + " by",
      "its closure type in angle brackets, so that every census adds up to the same totals."
    },
    footer = {
      "",
      "Examples:",
      "  ghc-debug census app.sock --by constructor --top 20",
      "  ghc-debug census app.sock --by source --where 'type = THUNK' --json"
    })
final class TakeCensus implements Verb {
  static final List<Column<CensusResult.Row>> COLUMNS =
      List.of(
          new Column.Text<>("key", CensusResult.Row::key),
          new Column.Count<>("count", CensusResult.Row::count),
          new Column.Bytes<>("bytes", CensusResult.Row::bytes),
          new Column.Bytes<>("maxBytes", CensusResult.Row::maxBytes),
          new Column.Bytes<>("averageBytes", CensusResult.Row::averageBytes),
          new Column.Addresses<>("samples", TakeCensus::samples));

  static final List<Column<CensusResult>> TOTALS =
      List.of(
          new Column.Count<>("count", CensusResult::count),
          new Column.Bytes<>("bytes", CensusResult::bytes));

  private static final Shape<CensusResult.Row, CensusResult> SHAPE =
      Shape.table("census", COLUMNS, TOTALS);

  @Option(
      names = "--by",
      paramLabel = "KEY",
      description = {
        "constructor (unless given), type, closure (with its place in the source), module,"
            + " package,",
        "source, generation, size, or ccs (cost-centre stack)."
      })
  private CensusKey key = CensusKey.CONSTRUCTOR;

  @Mixin private WhereOption where = new WhereOption();

  private static AddressList samples(CensusResult.Row row) {
    return AddressList.of(row.samples().stream().mapToLong(Long::longValue).toArray());
  }

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
            "census --by " + key,
            () -> view.census(key, where.over(view, session.work()), session.work()));
    return View.of(SHAPE, census.rows(), Completeness.of(census.missing(), census));
  }
}
