package org.ghcdebug.repl.command.verb;

import java.util.ArrayList;
import java.util.List;
import org.ghcdebug.client.analysis.string.ContentRow;
import org.ghcdebug.client.analysis.string.StringTally;
import org.ghcdebug.client.debuggee.HeapView;
import org.ghcdebug.client.index.ClosureSelection;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.protocol.target.AddressList;
import org.ghcdebug.repl.command.Session;
import org.ghcdebug.repl.command.Verb;
import org.ghcdebug.repl.render.Column;
import org.ghcdebug.repl.render.Shape;
import org.ghcdebug.repl.render.View;
import picocli.CommandLine.Mixin;

/** What verbs share that list values by their contents, and what sharing equal ones would save. */
abstract class ContentListing implements Verb {
  static final Column<ContentRow> TYPE = new Column.Text<>("type", ContentRow::type);

  private final Shape<ContentRow, StringTally.Result> shape;

  @Mixin private WhereOption where = new WhereOption();

  ContentListing(Shape<ContentRow, StringTally.Result> shape) {
    this.shape = shape;
  }

  /**
   * Values with how many there are.
   *
   * @param second the column behind the value
   * @param more totals besides those of the columns
   */
  static Shape<ContentRow, StringTally.Result> shape(
      String verb, Column<ContentRow> second, List<Column<StringTally.Result>> more) {
    List<Column<StringTally.Result>> totals =
        new ArrayList<>(
            List.of(
                new Column.Count<>("count", StringTally.Result::count),
                new Column.Bytes<>("bytes", StringTally.Result::bytes),
                new Column.Bytes<>("wastedBytes", StringTally.Result::wastedBytes)));
    totals.addAll(more);
    return Shape.table(
        verb,
        List.of(
            new Column.Text<>("value", ContentRow::value),
            second,
            new Column.Count<>("count", ContentRow::count),
            new Column.Bytes<>("bytes", ContentRow::bytes),
            new Column.Bytes<>("wastedBytes", ContentRow::wastedBytes),
            new Column.Addresses<>("samples", ContentListing::samples)),
        totals);
  }

  private static AddressList samples(ContentRow row) {
    return AddressList.of(row.samples().stream().mapToLong(Long::longValue).toArray());
  }

  @Override
  public final Shape<?, ?> shape() {
    return shape;
  }

  @Override
  public final boolean needsTarget() {
    return true;
  }

  /** Finds the values among the closures that are wanted. */
  abstract StringTally.Result find(HeapView view, ClosureSelection wanted, Work work);

  @Override
  public final View<?, ?> run(Session session) {
    HeapView view = session.view();
    Redacted.refuse(shape.verb(), view);
    Work work = session.work();
    StringTally.Result found = find(view, where.over(view, work), work);
    return View.of(shape, found.rows(), Completeness.of(view.tally(work).missing(), found));
  }
}
