package org.ghcdebug.repl.command.verb;

import java.util.List;
import org.ghcdebug.client.analysis.string.ContentRow;
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

/** Byte arrays by their contents. */
@Command(
    name = "arrwords",
    header = "Count byte arrays (ARR_WORDS) by their contents.",
    description = {
      "",
      "wastedBytes is what would be free if all of a row were one; mutable arrays can be equal by",
      "chance. value is the contents where they are text, else their first bytes."
    },
    footer = {
      "",
      "Examples:",
      "  ghc-debug arrwords app.sock --top 20",
      "  ghc-debug arrwords app.sock --where 'size > 1MiB' --sort bytes"
    })
final class ListByteArrays implements Verb {
  private static final Shape<ContentRow, StringTally.Result> SHAPE =
      Shape.table(
          "arrwords",
          List.<Column<ContentRow>>of(
              new Column.Text<>("value", ContentRow::value),
              new Column.Text<>("hash", ContentRow::hash),
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
    StringTally.Result arrays =
        StringTally.arrays(view.heap(), view.copy(work), where.over(view, work), work);
    return View.of(SHAPE, arrays.rows(), Completeness.of(view.tally(work).missing(), arrays));
  }
}
