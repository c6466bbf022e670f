package org.ghcdebug.repl.command.verb;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntPredicate;
import org.ghcdebug.client.index.HeapGraph;
import org.ghcdebug.client.index.ShortestPaths;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.repl.command.Address;
import org.ghcdebug.repl.command.Session;
import org.ghcdebug.repl.command.Verb;
import org.ghcdebug.repl.render.Column;
import org.ghcdebug.repl.render.Shape;
import org.ghcdebug.repl.render.Summary;
import org.ghcdebug.repl.render.View;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Why one closure is alive. */
@Command(
    name = "path",
    header = "Show the shortest way from a root to a closure.",
    description = {
      "",
      "The root comes first; each field is one of the closure above on the way. With --where only",
      "closures that a filter wants are shown."
    },
    footer = {"", "Example:", "  ghc-debug path app.sock 0x4200105010"})
final class ShowPath implements Verb {
  /** A closure on the way, and by what it is reached. */
  record Row(
      String field,
      long address,
      String closure,
      String type,
      @Nullable String source,
      long bytes) {}

  private static final Shape<Row, Void> SHAPE =
      Shape.table(
          "path",
          List.<Column<Row>>of(
              new Column.Text<>("field", Row::field),
              new Column.Address<>("address", Row::address),
              new Column.Text<>("closure", Row::closure),
              new Column.Text<>("type", Row::type),
              new Column.Text<>("source", Row::source),
              new Column.Bytes<>("bytes", Row::bytes)));

  @Parameters(paramLabel = "ADDR", description = "The closure.")
  private Address address = new Address(0);

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
    Work work = session.work();
    var reading = new GraphReading(session.view(), work);
    HeapGraph graph = reading.graph();
    int id = reading.require(address);
    var target = new BitSet();
    target.set(id);
    ShortestPaths paths = ShortestPaths.fromRoots(graph, ShortestPaths.Search.to(target), work);
    if (!paths.isReached(id)) {
      return View.of(
          SHAPE,
          List.of(),
          Summary.of(
              true, List.of("only weak pointers whose keys are alive hold " + address), null));
    }
    IntPredicate wanted = where.among(reading, work);
    var rows = new ArrayList<Row>();
    int above = ShortestPaths.START;
    for (int step : paths.pathTo(id)) {
      if (wanted.test(step)) {
        rows.add(row(reading, above, step));
      }
      above = step;
    }
    return View.of(SHAPE, rows);
  }

  private static Row row(GraphReading reading, int above, int step) {
    return new Row(
        above == ShortestPaths.START
            ? String.valueOf(reading.rootKinds(step))
            : reading.fields(above, step),
        reading.graph().address(step),
        reading.name(step),
        reading.type(step),
        reading.source(step),
        reading.graph().sizeBytes(step));
  }
}
