package org.ghcdebug.repl.command.verb;

import java.util.BitSet;
import java.util.List;
import org.ghcdebug.client.analysis.dominator.Dominators;
import org.ghcdebug.client.debuggee.HeapView;
import org.ghcdebug.client.index.HeapGraph;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.repl.command.Address;
import org.ghcdebug.repl.command.Session;
import org.ghcdebug.repl.command.Verb;
import org.ghcdebug.repl.render.Column;
import org.ghcdebug.repl.render.Shape;
import org.ghcdebug.repl.render.View;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** What one closure keeps alive. */
@Command(
    name = "retained",
    header = "Show how much a closure keeps alive by itself, and what that is.",
    footer = {"", "Example:", "  ghc-debug retained app.sock 0x4200105010"})
final class ShowRetained implements Verb {
  /** The closure. */
  record Row(
      long address,
      String closure,
      String type,
      long shallowBytes,
      long retainedCount,
      long retainedBytes,
      List<RetainedPart> retained) {}

  private static final Shape<Row, Void> SHAPE =
      Shape.facts(
          "retained",
          List.<Column<Row>>of(
              new Column.Address<>("address", Row::address),
              new Column.Text<>("closure", Row::closure),
              new Column.Text<>("type", Row::type),
              new Column.Bytes<>("shallowBytes", Row::shallowBytes),
              new Column.Count<>("retainedCount", Row::retainedCount),
              new Column.Bytes<>("retainedBytes", Row::retainedBytes),
              new Column.Records<>("retained", RetainedPart.COLUMNS, Row::retained)));

  @Parameters(paramLabel = "ADDR", description = "The closure.")
  private Address address = new Address(0);

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
    Work work = session.work();
    HeapView view = session.view();
    var reading = new GraphReading(view, work);
    HeapGraph graph = reading.graph();
    int id = reading.require(address);
    Dominators dominators = view.retainedSizes(work);
    BitSet retained = dominators.retainedSet(id);
    var row =
        new Row(
            graph.address(id),
            reading.name(id),
            reading.type(id),
            graph.sizeBytes(id),
            retained.cardinality(),
            dominators.retainedBytes(id),
            RetainedPart.of(graph, retained, reading::constructor, _ -> 0));
    return View.of(SHAPE, List.of(row), Completeness.of(graph.missing(), null));
  }
}
