package org.ghcdebug.repl.command.verb;

import java.util.List;
import org.ghcdebug.client.analysis.caf.Caf;
import org.ghcdebug.client.debuggee.HeapView;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.repl.command.Session;
import org.ghcdebug.repl.command.Verb;
import org.ghcdebug.repl.render.Column;
import org.ghcdebug.repl.render.Shape;
import org.ghcdebug.repl.render.View;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Top-level values. */
@Command(
    name = "cafs",
    header = "List the top-level values (CAFs) that can be reached, by what they retain.",
    description = {
      "",
      "Once evaluation has begun the RTS replaces a CAF's code, so that only its value has a name."
    },
    footer = {"", "Example:", "  ghc-debug cafs app.sock --top 20"})
final class ListCafs implements Verb {
  private record Totals(long cafs) {}

  private static final Shape<Caf, Totals> SHAPE =
      Shape.table(
          "cafs",
          List.<Column<Caf>>of(
              new Column.Address<>("address", Caf::address),
              new Column.Text<>("name", caf -> caf.name().isEmpty() ? null : caf.name()),
              new Column.Text<>("state", caf -> caf.state().label()),
              new Column.Text<>("value", caf -> caf.value().isEmpty() ? null : caf.value()),
              new Column.Address<>("valueAddress", Caf::findValueAddr),
              new Column.Bytes<>("retainedBytes", Caf::retainedBytes)),
          List.<Column<Totals>>of(new Column.Count<>("cafs", Totals::cafs)));

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
    List<Caf> cafs =
        Caf.list(
            view.heap(),
            view.copy(work),
            view.graph(work),
            view.retainedSizes(work),
            where.over(view, work),
            work);
    return View.of(
        SHAPE, cafs, Completeness.of(view.tally(work).missing(), new Totals(cafs.size())));
  }
}
