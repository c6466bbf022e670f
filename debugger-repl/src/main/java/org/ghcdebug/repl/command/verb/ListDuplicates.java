package org.ghcdebug.repl.command.verb;

import java.util.List;
import org.ghcdebug.client.analysis.string.ContentRow;
import org.ghcdebug.client.analysis.string.Duplicates;
import org.ghcdebug.client.analysis.string.StringTally;
import org.ghcdebug.client.debuggee.HeapView;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.repl.command.Session;
import org.ghcdebug.repl.command.Verb;
import org.ghcdebug.repl.render.Column;
import org.ghcdebug.repl.render.Shape;
import org.ghcdebug.repl.render.View;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Equal values. */
@Command(
    name = "dups",
    header = "Find equal values that are there several times, and what sharing them would save.",
    description = {
      "",
      "Evaluated constructors are compared with all that they contain; Text and ByteString by"
          + " their",
      "contents. Parts that belong to nothing but the values of one row are counted there."
    },
    footer = {
      "",
      "Examples:",
      "  ghc-debug dups app.sock --top 20",
      "  ghc-debug dups app.sock --where 'module = Data.Text.Internal'"
    })
final class ListDuplicates implements Verb {
  private static final Shape<ContentRow, StringTally.Result> SHAPE =
      Shape.table(
          "dups",
          List.<Column<ContentRow>>of(
              new Column.Text<>("value", ContentRow::value),
              new Column.Text<>("type", ContentRow::type),
              new Column.Count<>("count", ContentRow::count),
              new Column.Bytes<>("bytes", ContentRow::bytes),
              new Column.Bytes<>("wastedBytes", ContentRow::wastedBytes),
              new Column.Addresses<>("samples", ListStrings::samples)),
          List.<Column<StringTally.Result>>of(
              new Column.Count<>("count", StringTally.Result::count),
              new Column.Bytes<>("bytes", StringTally.Result::bytes),
              new Column.Bytes<>("wastedBytes", StringTally.Result::wastedBytes)));

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
    Work work = session.work();
    StringTally.Result found =
        Duplicates.of(view.heap(), view.copy(work), view.graph(work), where.over(view, work), work);
    return View.of(SHAPE, found.rows(), Completeness.of(view.tally(work).missing(), found));
  }
}
