package org.ghcdebug.repl.command.verb;

import java.util.List;
import org.ghcdebug.client.analysis.string.ContentRow;
import org.ghcdebug.client.analysis.string.StringTally;
import org.ghcdebug.client.debuggee.HeapView;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.protocol.target.AddressList;
import org.ghcdebug.repl.command.Session;
import org.ghcdebug.repl.command.Verb;
import org.ghcdebug.repl.render.Column;
import org.ghcdebug.repl.render.Shape;
import org.ghcdebug.repl.render.View;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Strings by their contents. */
@Command(
    name = "strings",
    header = "Count strings by their contents: which are there many times.",
    description = {
      "",
      "String, Text, ByteString and ShortByteString; of lazy ones each chunk. wastedBytes is what",
      "would be free if all of a row were one. Rows with most of it come first."
    },
    footer = {
      "",
      "Examples:",
      "  ghc-debug strings app.sock --top 20",
      "  ghc-debug strings app.sock --where 'module = Data.Text.Internal' --sort bytes"
    })
final class ListStrings implements Verb {
  private static final Shape<ContentRow, StringTally.Result> SHAPE =
      Shape.table(
          "strings",
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
              new Column.Bytes<>("wastedBytes", StringTally.Result::wastedBytes),
              new Column.Count<>("unreadable", StringTally.Result::unreadable)));

  @Mixin private WhereOption where = new WhereOption();

  static AddressList samples(ContentRow row) {
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
    Work work = session.work();
    StringTally.Result strings =
        StringTally.strings(view.heap(), view.copy(work), where.over(view, work), work);
    return View.of(SHAPE, strings.rows(), Completeness.of(view.tally(work).missing(), strings));
  }
}
